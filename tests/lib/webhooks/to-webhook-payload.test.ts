import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { StreamRecord } from '../../../lib/storage/stream/stream-record.ts';
import { findActionDefinition, TIMELINE_ACTIONS } from '../../../lib/timeline/actions.ts';
import { splitEntryIntoRecords } from '../../../lib/timeline/append/split-entry-into-records.ts';
import type { ContractNumber, EventNumber, EventRecord } from '../../../lib/timeline/event-record.ts';
import { WEBHOOK_EVENT_TYPES, webhookTypeOfFacts } from '../../../lib/timeline/event-type.ts';
import { toWebhookPayload } from '../../../lib/webhooks/to-webhook-payload.ts';

const shopId = 83000000001 as ShopId;
const AT_MS = Date.parse('2026-11-22T08:00:00Z');
const number = '17953344000000000000000000000000031' as EventNumber;
const gidNamespace = 'platform';

const entryOf = (changed: Partial<EventRecord> = {}): EventRecord => ({
  ...{ id: 'e-1', number, shopId, contract: '31' as ContractNumber, action: 'subscription_paused' },
  requestId: 'r-1',
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
    entry: { number, action: 'subscription_paused', type: 'subscription.paused' },
    ...changed,
  }) as StreamRecord;
/** The events of an entry, as the append step splits it. */
const payloadsOf = (entry: EventRecord, customerId?: CustomerId) =>
  splitEntryIntoRecords({ ...entry, id: 'e-1' }).map((record, index) =>
    toWebhookPayload({
      ...{ record: { ...record, number: index + 1, placedAtMs: AT_MS + 5 }, entry, customerId, gidNamespace },
    }),
  );
const payloadOf = (entry: EventRecord, customerId?: CustomerId) => payloadsOf(entry, customerId).at(-1);
const fact = (field: string, before: string | null = null, after: string | null = null) => ({
  ...{ coordinate: 'any', field, before, after },
});

test('names the reason of an order that was not charged, and what the final action changed', () => {
  const order = { billingCycleIndex: 4, expectedDate: '2026-12-01T00:00:00Z' };
  const details = { ...order, notChargedReason: 'TRIES_OVER', finalAction: 'PAUSE' };
  const entry = entryOf({ action: 'billing_cycle_not_charged', details, changes: [] });
  const [payload, ...others] = payloadsOf(entry);
  expect([payload?.type, others]).toEqual(['order.not_charged', []]);
  expect(payload?.data.changes).toEqual([{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }]);
  expect(payload?.data.order).toEqual({
    ...{ cycleIndex: 4, date: order.expectedDate, billingAttemptId: null, errorCode: null },
    reason: 'TRIES_OVER',
  });
});

test('names the next try of a declined order, and nothing where others bill', () => {
  const declined = { action: 'billing_cycle_declined', changes: [] };
  const details = { billingCycleIndex: 4, errorCode: 'CARD_DECLINED' };
  const next = { tryCount: 1, nextTryAt: '2026-12-04T09:00:00Z' };
  expect(payloadOf(entryOf({ ...declined, details: { ...details, ...next } }))?.data.order).toMatchObject(
    next,
  );
  const unknown = { tryCount: null, nextTryAt: null };
  expect(payloadOf(entryOf({ ...declined, details }))?.data.order).toMatchObject(unknown);
});

test('names the run of a day that is on hold', () => {
  const run = { date: '2026-12-01', holdReason: 'PREVIEW_MISSING', foundCount: 120 };
  const event = { type: 'billing.run_held' as const, atMs: AT_MS, run };
  const record = recordOf({ contract: undefined, entry: undefined, event } as Partial<StreamRecord>);
  expect(toWebhookPayload({ record, gidNamespace })?.data).toMatchObject({
    contractId: null,
    run: { ...run, id: 'gid://platform/BillingRun/2026-12-01', expectedCount: null },
  });
});

test('names who did what to which contract in ids, without texts that people wrote', () => {
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
      occurredAt: '2026-11-22T08:00:00.000Z',
      isEstimate: false,
      recordedAt: '2026-11-22T08:00:00.005Z',
      position: 1,
      ...{ revisionId: null, causedBy: null, ordersChanged: false },
      changes: [{ field: 'status', before: 'ACTIVE', after: 'PAUSED' }],
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
  });
});

test('the id of a payment method, too, is one that the API takes', () => {
  const paymentMethodId = 'gid://shopify/CustomerPaymentMethod/0ab7';
  const event = { type: 'payment_method.expiring', atMs: AT_MS, paymentMethodId } as const;
  const expiring = toWebhookPayload({ record: recordOf({ entry: undefined, event }), gidNamespace });
  expect(expiring?.data.paymentMethodId).toBe('gid://platform/CustomerPaymentMethod/0ab7');
});

test('each order has its own event, with its own index and date; the note of the next payment has another', () => {
  const changes = [
    fact('billingCycles.7.skipped', 'false', 'true'),
    fact('billingCycles.9.billingAttemptExpectedDate', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'),
    fact('nextBillingDate', '2026-12-01T00:00:00Z', '2026-12-03T00:00:00Z'),
  ];
  const action = 'subscription_next_billing_date_updated';
  const all = payloadsOf(entryOf({ action, changes }));
  expect(all.map((one) => [one?.type, one?.data.order?.cycleIndex, one?.data.order?.date])).toEqual([
    ['order.skipped', 7, null],
    ['order.rescheduled', 9, '2026-12-02T00:00:00Z'],
    ['subscription.updated', undefined, undefined],
  ]);
});

test('a pause and its end are one event', () => {
  const end = fact('currentPause.resumesAt', null, '2026-12-24T00:00:00Z');
  const paused = fact('status', 'ACTIVE', 'PAUSED');
  const [event, ...others] = payloadsOf(entryOf({ changes: [paused, end] }));
  expect([event?.type, event?.data.changes.length, others.length]).toEqual(['subscription.paused', 2, 0]);
});

test('values are those of the API, as JSON', () => {
  const changes = [
    fact('lines.31.quantity', null, '2'),
    fact('lines.31.variantId', null, '41'),
    fact('lines.31.sellingPlanId', null, '51'),
    fact('lines.31.currentPrice', '11 USD', '13.5 USD'),
    fact('billingPolicy', '1 WEEK', '2 WEEK'),
  ];
  const [lines, policy] = payloadsOf(entryOf({ action: 'changed_elsewhere', changes }));
  expect(lines?.data.changes.map(({ after }) => after)).toEqual([
    ...[2, 'gid://platform/ProductVariant/41', 'gid://platform/SellingPlan/51'],
    { amount: '13.5', currencyCode: 'USD' },
  ]);
  expect(lines?.data.changes.at(-1)?.before).toEqual({ amount: '11.0', currencyCode: 'USD' });
  expect(policy?.data).toMatchObject({
    ordersChanged: true,
    changes: [{ after: { interval: 'WEEK', intervalCount: 2 } }],
  });
});

test('the reason of a cancellation is a code', () => {
  const cancelled = fact('status', 'ACTIVE', 'CANCELLED');
  const details = { reasonCode: 'TOO_EXPENSIVE', reason: 'It costs too much.', comment: 'Ada is ill' };
  const [event] = payloadsOf(entryOf({ action: 'subscription_cancelled', changes: [cancelled], details }));
  expect(event?.data.reason).toEqual({ code: 'TOO_EXPENSIVE' });
  expect(JSON.stringify(event)).not.toContain('Ada');
});

test('names no change for an entry with an unknown outcome', () => {
  const [event] = payloadsOf(entryOf({ outcome: 'UNKNOWN' }));
  expect([event?.type, event?.data.outcome, event?.data.changes]).toEqual([
    'subscription.paused',
    'UNKNOWN',
    [],
  ]);
});

test('an entry with several kinds of change is several events, the status last, each under an id of its own', () => {
  const changes = [fact('status', 'ACTIVE', 'CANCELLED'), fact('note'), fact('lines.1.quantity', '1', '2')];
  const records = splitEntryIntoRecords({ ...entryOf({ action: 'changed_elsewhere', changes }), id: 'e-1' });
  expect(records.map(({ id }) => id)).toEqual([
    ...['e-1-subscription.note_changed', 'e-1-subscription.lines_changed', 'e-1-subscription.cancelled'],
  ]);
});

test('reports three of more orders, and that there are others', () => {
  const changes = [4, 5, 6, 7, 8].map((index) => fact(`billingCycles.${index}.skipped`, 'false', 'true'));
  const all = payloadsOf(entryOf({ action: 'subscription_resumed', changes }));
  expect(all.map((one) => [one?.data.order?.cycleIndex, one?.data.ordersChanged])).toEqual([
    ...[
      [4, false],
      [5, false],
      [6, true],
    ],
  ]);
});

test.each([
  ['orders_postponed', {}, '8', '2026-12-16T10:00:00Z'],
  ['orders_postponement_reverted', {}, '8', '2026-12-02T10:00:00Z'],
  ['billing_cycle_rescheduled', { movesOrder: true }, '7', '2026-11-22T08:05:00Z'],
])('says why an order is skipped that comes with another cycle (%s)', (action, more, index, to) => {
  const from = '2026-12-09T10:00:00Z';
  const details = { ...more, billingCycleIndex: 9, expectedDate: from, billingDate: to };
  const changes = [
    fact('billingCycles.9.skipped', 'false', 'true'),
    fact(`billingCycles.${index}.billingAttemptExpectedDate`, from, to),
  ];
  const payloads = payloadsOf(entryOf({ action, details, changes }));
  expect(payloads.map((payload) => [payload?.type, payload?.data.cause])).toEqual([
    ['order.skipped', { action, from, to }],
    ['order.rescheduled', { action, from, to }],
  ]);
});

test('gives no cause for an order that was moved by itself', () => {
  const changes = [
    fact('billingCycles.9.billingAttemptExpectedDate', '2026-12-09T10:00:00Z', '2026-12-08T10:00:00Z'),
  ];
  const details = { expectedDate: '2026-12-09T10:00:00Z', billingDate: '2026-12-08T10:00:00Z' };
  const entry = entryOf({ action: 'billing_cycle_rescheduled', details, changes });
  expect(payloadOf(entry)?.data).not.toHaveProperty('cause');
});

test('names the key as actor for a customer, and takes the owner from elsewhere when nobody acts', () => {
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

test('an entry that is gone, or that is not reported, has no payload', () => {
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

  test('reports a declined order with its attempt and the code', () => {
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

  test('reports the state of its own time for a charge that was declined since', () => {
    const reported = { number, action: 'billing_cycle_action_required', type: 'order.action_required' };
    const record = recordOf({ entry: reported });
    expect(toWebhookPayload({ record, entry: declined, gidNamespace })).toMatchObject({
      type: 'order.action_required',
      data: { order: { errorCode: null } },
    });
  });

  test('reports an upcoming order as an event of its own', () => {
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
  test('is one of the enum for each action, except those that are not reported', () => {
    const undelivered = Object.keys(TIMELINE_ACTIONS).filter((action) => {
      const type = findActionDefinition(action)?.webhook;
      if (type !== undefined) expect(WEBHOOK_EVENT_TYPES).toContain(type);
      return type === undefined;
    });
    expect(undelivered).toEqual([
      'billing_cycles_charged',
      'customer_address_added',
      'customer_address_updated',
      'payment_method_update_email_sent',
      'webhook_endpoint_disabled',
    ]);
  });

  test.each([
    ['subscription.cancelled', [fact('status', 'ACTIVE', 'CANCELLED')]],
    ['subscription.resumed', [fact('status', 'PAUSED', 'ACTIVE')]],
    ['subscription.activated', [fact('status', 'FAILED', 'ACTIVE')]],
    ['subscription.paused', [fact('currentPause.resumesAt', null, '2026-12-02T00:00:00Z')]],
    ['subscription.lines_changed', [fact('lines.1.quantity', '1', '2'), fact('lines.2.quantity', '1', null)]],
    ['subscription.discount_changed', [fact('discounts.1', null, 'A'), fact('discounts.2', 'B', null)]],
    ['subscription.note_changed', [fact('note', 'a', 'b')]],
    ['subscription.updated', [fact('customAttributes', 'a', 'b')]],
    ['order.skipped', [fact('billingCycles.4.skipped', 'false', 'true')]],
    ['subscription.updated', [fact('nextBillingDate', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z')]],
    ['subscription.updated', []],
  ])('%s is that of these facts', (type, changes) => {
    expect(webhookTypeOfFacts(changes)).toBe(type);
  });
});

test('whatever an entry holds, each body is below 20 KB, and together they have all facts', () => {
  const value = fc.option(fc.string({ unit: 'grapheme', maxLength: 300 }), { nil: null });
  const fields = fc.constantFrom(
    'status',
    'note',
    'lines.1.quantity',
    'discounts.7',
    'billingPolicy',
    'other',
  );
  const changes = fc.array(
    fc.record({ coordinate: fc.constant('any'), field: fields, before: value, after: value }),
    { maxLength: 120 },
  );
  const names = fc.constantFrom(...Object.keys(TIMELINE_ACTIONS), '__proto__');
  const details = fc.dictionary(
    fc.constantFrom(
      'billingCycleIndex',
      'errorCode',
      'expectedDate',
      'billingDate',
      'revisionId',
      'reasonCode',
    ),
    fc.oneof(value, fc.string({ minLength: 400, maxLength: 9000 }), fc.integer(), fc.boolean()),
  );
  fc.assert(
    fc.property(names, changes, details, (action, all, some) => {
      const payloads = payloadsOf(entryOf({ action, changes: all, details: some }));
      for (const payload of payloads) {
        const body = JSON.stringify(payload);
        expect(Buffer.byteLength(body)).toBeLessThan(20_000);
        expect(body.isWellFormed()).toBe(true);
      }
      if (payloads.length === 0 || action.startsWith('billing_cycle_charged')) return;
      const isCharge = /^billing_cycle_(?:charged|declined|action_required|not_charged)$/.test(action);
      const named = isCharge ? [] : all.filter(({ field }) => field !== 'other');
      const sent = payloads.flatMap((payload) => payload?.data.changes ?? []);
      if (!isCharge)
        expect(sent.map(({ field }) => field).toSorted()).toEqual(named.map(({ field }) => field).toSorted());
    }),
    { numRuns: 150, seed: 20261122 },
  );
});
