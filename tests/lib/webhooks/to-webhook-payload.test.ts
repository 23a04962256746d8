import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { StreamRecord } from '../../../lib/storage/stream/stream-record.ts';
import type { ContractNumber, EventNumber } from '../../../lib/timeline/event-number.ts';
import type { EventRecord } from '../../../lib/timeline/event-record.ts';
import { eventMessages } from '../../../lib/timeline/present/event-message.ts';
import { typeOfRecord, WEBHOOK_EVENT_TYPES } from '../../../lib/webhooks/event-types.ts';
import { toWebhookPayload } from '../../../lib/webhooks/to-webhook-payload.ts';

const shopId = 83000000001 as ShopId;
const AT_MS = Date.parse('2026-11-22T08:00:00Z');
const number = '17953344000000000000000000000000031' as EventNumber;
const gidNamespace = 'platform';

const entryOf = (changed: Partial<EventRecord> = {}): EventRecord => ({
  ...{ number, shopId, contract: '31' as ContractNumber, action: 'subscription_paused', requestId: 'r-1' },
  actor: { kind: 'CUSTOMER', customerId: 7001001 as CustomerId },
  details: { reason: 'Ada is ill' },
  changes: [
    { coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after: 'PAUSED' },
  ],
  createdAtMs: AT_MS,
  outcome: 'DONE',
  ...changed,
});
const recordOf = (changed: Partial<StreamRecord> = {}): StreamRecord =>
  ({
    ...{ shopId, id: 'e-1', contract: '31', number: 1, placedAtMs: AT_MS + 5 },
    entry: { number, action: 'subscription_paused' },
    ...changed,
  }) as StreamRecord;
const payloadOf = (entry: EventRecord, customerId?: CustomerId) =>
  toWebhookPayload({
    record: recordOf({ entry: { number, action: entry.action } }),
    entry,
    customerId,
    gidNamespace,
  });
const fact = (field: string, before: string | null = null, after: string | null = null) => ({
  ...{ coordinate: 'any', field, before, after },
});

test('tells who did what to which contract in ids, and no texts that people wrote', () => {
  expect(payloadOf(entryOf())).toEqual({
    type: 'subscription.paused',
    timestamp: '2026-11-22T08:00:00.000Z',
    data: {
      id: `gid://platform/SubscriptionEvent/${number}`,
      contractId: 'gid://platform/SubscriptionContract/31',
      customerId: 'gid://platform/Customer/7001001',
      actor: { kind: 'CUSTOMER', label: null },
      onBehalfOf: null,
      outcome: 'DONE',
      revisionId: null,
      changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
      isCut: false,
    },
  });
  const note = { action: 'subscription_note_updated', changes: [fact('note', 'for Ada', 'for Grace')] };
  expect(payloadOf(entryOf(note))?.data.changes).toEqual([{ field: 'note', before: null, after: null }]);
  const attributes = {
    action: 'subscription_note_updated',
    changes: [fact('customAttributes', '', 'phone ada')],
  };
  expect(payloadOf(entryOf(attributes))?.data).toMatchObject({
    changes: [{ field: 'customAttributes', before: null, after: null }],
    isCut: false,
  });
});

test('the id of a payment method, too, is one that the API takes', () => {
  const paymentMethodId = 'gid://shopify/CustomerPaymentMethod/0ab7';
  const event = { type: 'payment_method.expiring', atMs: AT_MS, paymentMethodId } as const;
  const expiring = toWebhookPayload({ record: recordOf({ entry: undefined, event }), gidNamespace });
  expect(expiring?.data.paymentMethodId).toBe('gid://platform/CustomerPaymentMethod/0ab7');
});

test.each([
  ['moved', fact('billingCycles.9.billingAttemptExpectedDate', '2026-12-01', '2026-12-02'), 9],
  ['there already, and skipped', fact('billingCycles.9.skipped', 'true', 'false'), 9],
  ['there already', fact('nextBillingDate', '2026-12-01', '2026-12-02'), null],
])('an order that comes at another date is no one that is left out for it: it was %s', (_, own, index) => {
  const skipped = fact('billingCycles.7.skipped', 'false', 'true');
  const action = 'subscription_next_billing_date_updated';
  expect(payloadOf(entryOf({ action, changes: [skipped, own] }))?.data.order?.cycleIndex).toBe(index);
});

test('a pause with an end tells it among the changes, once', () => {
  const until = '2026-12-24T00:00:00Z';
  const end = { field: 'currentPause.resumesAt', before: null, after: until };
  const paused = { field: 'status', before: 'ACTIVE', after: 'PAUSED' };
  expect(payloadOf(entryOf({ details: { until } }))?.data.changes).toEqual([paused, end]);
  expect(payloadOf(entryOf({ details: { until: null } }))?.data.changes).toEqual([paused]);
  const moved = { ...end, before: '2026-12-01T00:00:00Z' };
  const changes = [{ coordinate: 'any', ...moved }];
  expect(payloadOf(entryOf({ details: { until }, changes }))?.data.changes).toEqual([moved]);
  const reason = fact('currentPause.reason');
  const again = payloadOf(entryOf({ details: { until }, changes: [reason] }));
  expect(again?.data.changes).toEqual([{ field: 'currentPause.reason', before: null, after: null }]);
});

test('a key that acts for a customer is who did it; whose contract it is comes from elsewhere where nobody acts', () => {
  const actor = { kind: 'CUSTOMER', customerId: 7001001 as CustomerId, label: 'Helpdesk' } as const;
  expect(payloadOf(entryOf({ actor }))?.data).toMatchObject({
    actor: { kind: 'MERCHANT', label: 'Helpdesk' },
    onBehalfOf: 'gid://platform/Customer/7001001',
  });
  const service = entryOf({ actor: { kind: 'SERVICE' } });
  expect(payloadOf(service)?.data).toMatchObject({
    actor: { kind: 'SERVICE', label: null },
    customerId: null,
  });
  expect(payloadOf(service, 9 as CustomerId)?.data.customerId).toBe('gid://platform/Customer/9');
});

test('an entry that is gone, or that nobody is told of, has no payload', () => {
  expect(toWebhookPayload({ record: recordOf(), gidNamespace })).toBeUndefined();
  expect(payloadOf(entryOf({ action: 'customer_address_updated' }))).toBeUndefined();
  expect(payloadOf(entryOf({ action: 'constructor' }))).toBeUndefined();
});

describe('the order', () => {
  const declined = entryOf({
    action: 'billing_cycle_declined',
    details: { billingCycleIndex: 4, expectedDate: '2026-12-01T00:00:00Z', errorCode: 'EXPIRED_CARD' },
    changes: [fact('billingCycles.4.billingAttempts', null, '77')],
  });

  test('of a decline is named with its attempt and the code', () => {
    expect(payloadOf(declined)).toMatchObject({
      type: 'order.declined',
      data: {
        order: {
          cycleIndex: 4,
          date: '2026-12-01T00:00:00Z',
          billingAttemptId: 'gid://platform/SubscriptionBillingAttempt/77',
          errorCode: 'EXPIRED_CARD',
        },
      },
    });
  });

  test('of a charge that was declined since still tells what was told then', () => {
    const record = recordOf({ entry: { number, action: 'billing_cycle_action_required' } });
    expect(toWebhookPayload({ record, entry: declined, gidNamespace })).toMatchObject({
      type: 'order.action_required',
      data: { order: { errorCode: null } },
    });
  });

  test('that comes is an event of its own', () => {
    const order = { cycleIndex: 4, date: '2026-12-01T00:00:00Z' };
    const event = { type: 'order.upcoming', atMs: AT_MS, customerId: 7, order } as const;
    expect(toWebhookPayload({ record: recordOf({ entry: undefined, event }), gidNamespace })).toMatchObject({
      type: 'order.upcoming',
      data: {
        id: 'e-1',
        contractId: 'gid://platform/SubscriptionContract/31',
        customerId: 'gid://platform/Customer/7',
        order,
      },
    });
  });
});

describe('the type', () => {
  test('of each action is one of the enum, but for those that are told nobody', () => {
    const untold = Object.keys(eventMessages).filter((action) => {
      const type = typeOfRecord({ entry: { number, action } }, [fact('note')]);
      if (type !== undefined) expect(WEBHOOK_EVENT_TYPES).toContain(type);
      return type === undefined;
    });
    expect(untold).toEqual([
      'billing_cycles_charged',
      'customer_address_updated',
      'payment_method_update_email_sent',
      'webhook_endpoint_disabled',
    ]);
  });

  test.each([
    ['subscription.cancelled', [fact('status', 'ACTIVE', 'CANCELLED')]],
    ['subscription.resumed', [fact('status', 'PAUSED', 'ACTIVE')]],
    ['subscription.activated', [fact('status', 'FAILED', 'ACTIVE')]],
    ['subscription.lines_changed', [fact('lines.1.quantity', '1', '2'), fact('lines.2.quantity', '1', null)]],
    ['subscription.discount_changed', [fact('discounts.1', null, 'A'), fact('discounts.2', 'B', null)]],
    ['subscription.note_changed', [fact('note', 'a', 'b')]],
    ['order.skipped', [fact('billingCycles.4.skipped', 'false', 'true')]],
    ['order.rescheduled', [fact('nextBillingDate', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z')]],
    [
      'order.rescheduled',
      [
        fact('nextBillingDate', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'),
        fact('billingCycles.4.billingAttemptExpectedDate', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'),
      ],
    ],
    ['subscription.updated', [fact('note', 'a', 'b'), fact('lines.1.quantity', '1', '2')]],
    ['subscription.updated', []],
  ])('%s is what was changed elsewhere', (type, changes) => {
    expect(typeOfRecord({ entry: { number, action: 'changed_elsewhere' } }, changes)).toBe(type);
  });
});

test('whatever an entry holds, the body is below 20 KB, and says whether it is all', () => {
  const text = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.integer({ min: 400, max: 9000 }).map((length) => '𝕏"\\\u0001'.repeat(length)),
  );
  const changes = fc.array(
    fc.record({ coordinate: fc.constant('any'), field: fc.string(), before: text, after: text }),
    {
      maxLength: 60,
    },
  );
  const actions = fc.constantFrom(...Object.keys(eventMessages), 'changed_elsewhere', '__proto__');
  const details = fc.dictionary(
    fc.constantFrom('billingCycleIndex', 'errorCode', 'expectedDate', 'billingDate', 'revisionId'),
    fc.oneof(text, fc.integer(), fc.boolean()),
  );
  fc.assert(
    fc.property(actions, changes, details, (action, all, some) => {
      const payload = payloadOf(entryOf({ action, changes: all, details: some }));
      const body = JSON.stringify(payload ?? {});
      expect(Buffer.byteLength(body)).toBeLessThan(20_000);
      expect(body.isWellFormed()).toBe(true);
      const data = payload?.data;
      if (data === undefined || data.isCut) return;
      const shown = (value: string | null, field: string) => (/^note$/.test(field) ? null : value);
      const told = all.map(({ field, before, after }) => ({
        ...{ field, before: shown(before, field), after: shown(after, field) },
      }));
      expect(data.changes).toEqual(told);
    }),
    { numRuns: 150, seed: 20261122 },
  );
});
