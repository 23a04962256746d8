/** Platform mutations that change contracts, on both endpoints: the timeline entries of each. */
import { describe, expect } from '@jest/globals';
import { createMemoryTable } from '../../memory-table.ts';
import { test } from '../world/contract-test.ts';
import { externalBetween } from '../world/observe.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';
import { readingOf } from '../world/reading-of.ts';
import {
  type Call,
  call,
  contract,
  cycle,
  DAY_MS,
  dateOf,
  draftWith,
  ERRORS,
  PAUSED,
  scheduleEdit,
  status,
  WEEKLY,
} from './forwarded-calls.ts';

describe('each is told with what it changes', () => {
  test('records the end of a contract', async () => {
    const world = createOperationWorld();
    const { recorded, sent, payload } = await call(world, status('Expire', WEEKLY));
    expect(payload).toEqual({ __typename: 'SubscriptionContractExpirePayload' });
    expect(sent).toEqual([['subscriptionContract'], ['subscriptionContractExpire']]);
    expect(recorded).toEqual([
      {
        action: 'subscription_expired',
        contractId: `gid://shopify/SubscriptionContract/${WEEKLY}`,
        details: {},
        changes: [
          { coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after: 'EXPIRED' },
        ],
        outcome: 'done',
      },
    ]);
  });

  test('records a moved date, a skip and an unskip once each', async () => {
    const world = createOperationWorld();
    const billingDate = new Date((await dateOf(world, 10)) - DAY_MS).toISOString();
    const moved = await call(world, scheduleEdit({ billingDate }, 10));
    const skipped = await call(world, scheduleEdit({ skip: true }));
    const again = await call(world, scheduleEdit({ skip: true }));
    const unskip: Call = [
      'subscriptionBillingCycleUnskip',
      'billingCycleInput: $cycle',
      '$cycle: SubscriptionBillingCycleInput!',
      { cycle: cycle(9) },
    ];
    const unskipped = await call(world, unskip);
    expect(moved.recorded).toMatchObject([
      {
        action: 'billing_cycle_rescheduled',
        details: { billingCycleIndex: 10, billingDate },
        changes: [{ field: 'billingCycles.10.billingAttemptExpectedDate', after: billingDate }],
        outcome: 'done',
      },
    ]);
    expect(skipped.recorded).toMatchObject([
      {
        action: 'billing_cycle_skipped',
        changes: [{ field: 'billingCycles.9.skipped', before: 'false', after: 'true' }],
        outcome: 'done',
      },
    ]);
    expect(again.recorded).toEqual([]);
    expect(unskipped.recorded).toMatchObject([{ action: 'billing_cycle_unskipped', outcome: 'done' }]);
  });

  test('records the new price of a line once', async () => {
    const world = createOperationWorld();
    const [line] = world.contract(WEEKLY).content.lines;
    const change: Call = [
      'subscriptionContractProductChange',
      'subscriptionContractId: $id, lineId: $line, input: { currentPrice: "8.50" }',
      '$id: ID!, $line: ID!',
      { id: contract, line: gid('SubscriptionLine', line?.id ?? '') },
    ];
    const field = `lines.${line?.id}.currentPrice`;
    expect((await call(world, change)).recorded).toMatchObject([
      { action: 'subscription_lines_updated', changes: [{ field, after: '8.5 USD' }], outcome: 'done' },
    ]);
    const again = await call(world, change);
    expect([again.code, again.recorded]).toEqual([undefined, []]);
  });

  test('records a next billing date, a charge and deleted edits', async () => {
    const world = createOperationWorld();
    const dated = await call(world, [
      'subscriptionContractSetNextBillingDate',
      'contractId: $id, date: $date',
      '$id: ID!, $date: DateTime!',
      { id: contract, date: '2026-12-24T09:00:00Z' },
    ]);
    expect(dated.recorded).toMatchObject([
      {
        action: 'subscription_next_billing_date_updated',
        changes: [{ field: 'nextBillingDate', after: '2026-12-24T09:00:00Z' }],
        outcome: 'done',
      },
    ]);
    world.platform.holder.nowMs = await dateOf(world, 7);
    const charged = await call(world, [
      'subscriptionBillingAttemptCreate',
      'subscriptionContractId: $id, subscriptionBillingAttemptInput: $input',
      '$id: ID!, $input: SubscriptionBillingAttemptInput!',
      { id: contract, input: { idempotencyKey: 'one', billingCycleSelector: { index: 7 } } },
    ]);
    expect(charged.recorded).toMatchObject([
      { action: 'billing_cycle_charged', details: { billingCycleIndex: 7 }, outcome: 'done' },
    ]);
    await call(world, scheduleEdit({ skip: true }));
    const deleted = await call(world, [
      'subscriptionBillingCycleEditsDelete',
      'contractId: $id, targetSelection: ALL',
      '$id: ID!',
      { id: contract },
    ]);
    expect(deleted.recorded).toMatchObject([{ action: 'billing_cycle_edits_deleted', outcome: 'done' }]);
  });

  test('records a revoked payment method on each contract that uses it, and no external change', async () => {
    const world = createOperationWorld();
    const method = world.contract(WEEKLY).content.paymentMethodId ?? '';
    const before = await readingOf(world, WEEKLY);
    const revoke: Call = [
      'customerPaymentMethodRevoke',
      'customerPaymentMethodId: $id',
      '$id: ID!',
      { id: gid('CustomerPaymentMethod', method) },
    ];
    const { recorded } = await call(world, revoke);
    const removed = { field: 'customerPaymentMethod', before: method, after: null };
    const intentOf = recorded.map(({ contractId }) => contractId);
    const using = [...world.platform.store().contracts.values()].filter(
      ({ content }) => content.paymentMethodId === method,
    );
    expect(intentOf.sort()).toEqual(using.map(({ id }) => `gid://shopify/SubscriptionContract/${id}`).sort());
    for (const { action, changes, outcome } of recorded) {
      expect({ action, changes, outcome }).toMatchObject({
        ...{ action: 'payment_method_removed', outcome: 'done' },
        changes: [removed],
      });
    }
    const now = await readingOf(world, WEEKLY);
    expect(await externalBetween(before, now, [])).toMatchObject([removed]);
    expect(await externalBetween(before, now, recorded.slice(0, 1))).toEqual([]);
    expect((await call(world, revoke)).recorded).toMatchObject(using.map(() => ({ outcome: 'not done' })));
  });

  test('records the commit of a draft as one entry with all its changes, and its steps not at all', async () => {
    const world = createOperationWorld();
    const input = { note: 'Ring twice', status: 'PAUSED', deliveryPrice: '1.50' };
    const { recorded, sent } = await call(world, await draftWith(world, input));
    expect(sent).toEqual([['node'], ['subscriptionDraftCommit']]);
    expect(recorded).toMatchObject([{ action: 'subscription_updated', outcome: 'done' }]);
    expect(recorded[0]?.changes.map(({ field, after }) => [field, after])).toEqual([
      ['status', 'PAUSED'],
      ['note', 'Ring twice'],
      ['deliveryPrice', '1.5 USD'],
    ]);
  });

  test('records a new address in a draft as changed, without values', async () => {
    const world = createOperationWorld();
    const address = {
      address1: '9 Hidden Lane',
      city: 'Portland',
      countryCode: 'US',
      firstName: 'Ada',
      lastName: 'Lind',
      provinceCode: 'ME',
      zip: '04101',
    };
    const commit = await draftWith(world, { deliveryMethod: { shipping: { address } } });
    const { recorded } = await call(world, commit);
    expect(recorded[0]?.changes).toContainEqual({
      coordinate: 'SubscriptionContract.deliveryMethod',
      field: 'deliveryMethod',
      before: null,
      after: null,
    });
    expect(JSON.stringify(recorded)).not.toContain('Hidden');
  });

  test('records an e-mail and an address on each contract that uses them', async () => {
    for (const as of ['customer', 'store for a customer'] as const) {
      const world = createOperationWorld();
      const records = [...world.platform.store().contracts.values()];
      const own = records.filter(({ content }) => content.customerId === 7001001);
      const method = own[0]?.content.paymentMethodId;
      const email = await call(
        world,
        [
          'customerPaymentMethodSendUpdateEmail',
          'customerPaymentMethodId: $id',
          '$id: ID!',
          { id: gid('CustomerPaymentMethod', method ?? '') },
        ],
        { as, table: createMemoryTable() },
      );
      const users = own.filter(({ content }) => content.paymentMethodId === method).map(({ id }) => id);
      expect(email.sent).toHaveLength(2);
      expect(email.recorded.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
        users.map(() => 'payment_method_update_email_sent done'),
      );
      const cancelled = own.find(({ id }) => id === PAUSED);
      if (cancelled) cancelled.content.status = 'CANCELLED';
      const { id } = [...world.platform.store().addresses.values()].find(
        ({ customerId, model }) => customerId === 7001001 && model === 'CustomerAddress',
      ) ?? { id: 0 };
      const moved = await call(
        world,
        [
          'customerAddressUpdate',
          'customerId: $customer, addressId: $id, address: $address',
          '$customer: ID!, $id: ID!, $address: MailingAddressInput!',
          {
            customer: gid('Customer', 7001001),
            id: gid('MailingAddress', `${id}?model_name=CustomerAddress`),
            address: { city: 'Bath' },
          },
        ],
        { as, selection: ERRORS },
      );
      expect(moved.payload).toEqual({ userErrors: [] });
      expect(moved.sent).toHaveLength(2);
      const live = own.filter((one) => one !== cancelled).map((one) => one.id);
      expect(moved.recorded.map((one) => Number(one.contractId?.split('/').at(-1))).sort()).toEqual(live);
      expect(JSON.stringify(moved.recorded)).not.toContain('Bath');
    }
  });

  test('records a charge of many orders on the store', async () => {
    const range = { startDate: '2026-11-14T00:00:00Z', endDate: '2026-11-20T00:00:00Z' };
    const { recorded, sent } = await call(createOperationWorld(), [
      'subscriptionBillingCycleBulkCharge',
      'billingAttemptExpectedDateRange: $range',
      '$range: SubscriptionBillingCyclesDateRangeSelector!',
      { range },
    ]);
    expect(sent).toEqual([['subscriptionBillingCycleBulkCharge']]);
    expect(recorded).toMatchObject([
      { action: 'billing_cycles_charged', contractId: null, details: range, outcome: 'done' },
    ]);
  });
});
