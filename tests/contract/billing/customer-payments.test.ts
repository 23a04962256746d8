/** What customers see of a payment, and how they have it tried again. */
import { beforeEach, describe, expect, it, test } from '@jest/globals';
import { composeBillingCharges } from '../../../functions/compose/compose-billing-charges.ts';
import type { BillingCharge } from '../../../lib/billing/records/charge-record.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import {
  type BillingSettings,
  DEFAULT_BILLING_SETTINGS,
} from '../../../lib/billing/records/settings-record.ts';
import { runStartAtMs } from '../../../lib/billing/settings/run-times.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { createStoreWorld, MINUTE_MS, type StoreWorld, WEEKLY } from '../../world/store-world.ts';
import { gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
const FIELDS = 'status cycleIndex date message nextTryAt canUpdateMethod canRetry';
const QUERY = `{ subscriptionContract(id: "${ID}") { payment { ${FIELDS} } } }`;
const RETRY = `mutation { change: subscriptionContractPaymentRetry(contractId: "${ID}") {
  contract { id payment { status nextTryAt canRetry } } userErrors { code field details { earliest } } } }`;
const order = { shopId: store.shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex: 7 };
const expectedAtMs = Date.parse('2026-11-18T08:00:00Z');

let table: ReturnType<typeof createMemoryTable>;
let world: StoreWorld;

beforeEach(async () => {
  table = createMemoryTable();
  world = createStoreWorld(table);
  await switchBilling(true);
});

async function changeSettings(change: Partial<BillingSettings>): Promise<void> {
  const settings = createBillingSettings({ table, now: world.now });
  const before = await settings.read(store.shopId);
  await settings.write(store.shopId, before, { ...before, ...change });
}
const switchBilling = (enabled: boolean) => changeSettings({ enabled });

const charges = () => composeBillingCharges({ table, now: world.now });
async function putCharge(charge: Partial<BillingCharge>): Promise<void> {
  const common = { state: 'RETRYING', failedTryCount: 1, runDate: '2026-11-18', expectedAtMs } as const;
  await charges().create({ ...order, ...common, firstTryAtMs: NOW_MS - DAY_MS, ...charge });
}
const read = async (as: 'customer' | 'store' = 'customer', query = QUERY) => {
  const { payload } = await world.send(as, query);
  return (payload as { payment?: unknown } | null)?.payment;
};
const retry = async (as: 'customer' | 'store' = 'customer') =>
  (await world.send(as, RETRY, { now: world.now })).payload;

describe('a payment', () => {
  it('is null where the service does not bill', async () => {
    await switchBilling(false);
    await putCharge({});
    expect(await read()).toBeNull();
  });

  const none = { cycleIndex: null, date: null, message: null, nextTryAt: null };
  const can = (canUpdateMethod: boolean, canRetry: boolean) => ({ canUpdateMethod, canRetry });
  const visible = { cycleIndex: 7, date: '2026-11-18T08:00:00Z', nextTryAt: null };
  const tried = 'The subscription service tried to charge the order for November 18, 2026';
  const ifUnpaid = 'If the order stays unpaid, the subscription is paused.';
  const unpaid = 'The subscription service did not charge the order for November 18, 2026';
  test.each<[string, Partial<BillingCharge> | undefined, object]>([
    ['of no order', undefined, { status: 'PAID', ...none, ...can(false, false) }],
    ['that succeeded', { state: 'CHARGED' }, { status: 'PAID', ...none, ...can(false, false) }],
    ['of an order that is due', { state: 'DUE' }, { status: 'PAID', ...none, ...can(false, false) }],
    [
      'under way',
      { state: 'WAITING' },
      { status: 'PROCESSING', ...visible, message: null, ...can(false, false) },
    ],
    [
      'to be confirmed',
      { state: 'ACTION_REQUIRED' },
      {
        ...{ status: 'CONFIRMATION_NEEDED', ...visible, ...can(false, false) },
        message: `${tried}, and the payment needs to be confirmed.`,
      },
    ],
    [
      'that is tried again',
      { lastErrorCode: 'INSUFFICIENT_FUNDS', nextTryAtMs: NOW_MS + 3 * DAY_MS },
      {
        ...{ status: 'RETRYING', ...visible, nextTryAt: '2026-11-24T12:00:00Z', ...can(true, true) },
        message: `${tried}, but the payment was declined; it can be tried again later. It is tried again on November 24, 2026. ${ifUnpaid}`,
      },
    ],
    [
      'that needs another card',
      { lastErrorCode: 'EXPIRED_CARD', endsAtMs: NOW_MS + 9 * DAY_MS },
      {
        ...{ status: 'METHOD_NEEDED', ...visible, ...can(true, true) },
        message: `${tried}, but the payment method or its billing address needs to be updated. ${ifUnpaid}`,
      },
    ],
    [
      'for which the bank has to be asked',
      { lastErrorCode: 'CALL_ISSUER', endsAtMs: NOW_MS + 9 * DAY_MS },
      {
        ...{ status: 'CONFIRMATION_NEEDED', ...visible, ...can(true, true) },
        message: `${tried}, but the payment needs to be confirmed with the bank. ${ifUnpaid}`,
      },
    ],
    [
      'whose tries are over',
      { state: 'ENDED', reason: 'TRIES_OVER', lastErrorCode: 'INSUFFICIENT_FUNDS' },
      { status: 'UNPAID', ...visible, message: `${unpaid}: it was not paid in time.`, ...can(false, false) },
    ],
    [
      'that was reported',
      { state: 'REPORTED', reason: 'OVERDUE' },
      {
        status: 'UNPAID',
        ...visible,
        message: `${unpaid}: the store needs to look into it.`,
        ...can(false, false),
      },
    ],
    [
      'whose amount is too small',
      { lastErrorCode: 'AMOUNT_TOO_SMALL', nextTryAtMs: NOW_MS + DAY_MS },
      {
        ...{ status: 'RETRYING', ...visible, nextTryAt: '2026-11-22T12:00:00Z', ...can(false, false) },
        message: expect.stringContaining(tried),
      },
    ],
    [
      'whose last allowed try has failed',
      {
        ...{ failedTryCount: 10, lastErrorCode: 'INSUFFICIENT_FUNDS', nextTryAtMs: NOW_MS + 3 * DAY_MS },
      },
      {
        ...{ status: 'UNPAID', ...visible, nextTryAt: null, ...can(true, false) },
        message: `${tried}, but the payment was declined; it can be tried again later. ${ifUnpaid}`,
      },
    ],
    [
      'that looked like fraud',
      { lastErrorCode: 'FRAUD_SUSPECTED', endsAtMs: NOW_MS },
      {
        status: 'UNPAID',
        ...visible,
        message: `${tried}, but another payment method is needed. ${ifUnpaid}`,
        ...can(false, false),
      },
    ],
  ])('%s is visible to its customer', async (_name, charge, expected) => {
    if (charge !== undefined) await putCharge(charge);
    expect(await read()).toEqual(expected);
  });

  const ending = async () =>
    String(Object(await read()).message)
      .split(/(?<=\.) /)
      .at(-1) ?? '';
  const declined = `${tried}, but the payment was declined; it can be tried again later.`;

  test.each([
    ['CANCEL', 'If the order stays unpaid, the subscription is cancelled.'],
    ['SKIP', 'If the order stays unpaid, it is skipped.'],
    ['LEAVE', declined],
  ] as const)('says what happens if it stays unpaid: %s', async (finalAction, message) => {
    await changeSettings({ declined: { retryAfterDays: [], finalAction } });
    await putCharge({ lastErrorCode: 'INSUFFICIENT_FUNDS' });
    expect(await ending()).toBe(message);
  });

  test.each([
    ['while billing is stopped', 'INSUFFICIENT_FUNDS', { stoppedByStoreAtMs: NOW_MS }],
    ['that the store’s own account caused', 'MERCHANT_ACCOUNT_ERROR', {}],
  ])('does not say what happens if it stays unpaid, %s', async (_case, lastErrorCode, settings) => {
    await changeSettings(settings);
    await putCharge({ lastErrorCode });
    const message = await ending();
    expect([message.startsWith(tried), message.includes('stays unpaid')]).toEqual([true, false]);
  });

  describe('that is planned to be tried again', () => {
    const putDecline = (nextTryAtMs: number) =>
      putCharge({ lastErrorCode: 'INSUFFICIENT_FUNDS', nextTryAtMs });
    const noDay = {
      status: 'RETRYING',
      nextTryAt: null,
      message: expect.not.stringContaining('It is tried'),
    };

    it('has no day while billing is stopped', async () => {
      await putDecline(NOW_MS + DAY_MS);
      const settings = createBillingSettings({ table, now: world.now });
      const before = await settings.read(store.shopId);
      await settings.write(store.shopId, before, { ...before, stoppedByStoreAtMs: NOW_MS });
      expect(await read()).toMatchObject(noDay);
    });

    it('has no day while all billing is stopped', async () => {
      await putDecline(NOW_MS + DAY_MS);
      await createBillingSettings({ table, now: world.now }).stopAll();
      expect(await read()).toMatchObject(noDay);
    });

    it('has no day while the latest run is on hold, also after the customer has asked for a try', async () => {
      await putDecline(NOW_MS + DAY_MS);
      const runs = createBillingRuns({ table, now: world.now });
      const fields = { shopId: store.shopId, foundCount: 1, startedAtMs: NOW_MS };
      await runs.create({ ...fields, date: '2026-11-21', status: 'ON_HOLD' });
      expect(await read()).toMatchObject(noDay);
      expect(await retry()).toMatchObject({ userErrors: [], contract: { payment: { nextTryAt: null } } });
      await runs.create({ ...fields, date: '2026-11-22', status: 'CHARGING' });
      expect(await read()).toMatchObject({ nextTryAt: '2026-11-21T12:00:00Z' });
    });

    it('has no day while the subscription is paused', async () => {
      await putDecline(NOW_MS + DAY_MS);
      world.contract(WEEKLY).content.status = 'PAUSED';
      expect(await read()).toMatchObject(noDay);
    });

    describe('when the next order is due on November 25', () => {
      const runMs = runStartAtMs(DEFAULT_BILLING_SETTINGS, store, '2026-11-25');
      const putEarlierDecline = (nextTryAtMs: number) =>
        putCharge({ cycleIndex: 6, lastErrorCode: 'INSUFFICIENT_FUNDS', nextTryAtMs });

      it('has no day from the run of that order on, which ends it', async () => {
        await putEarlierDecline(runMs);
        expect(await read()).toMatchObject(noDay);
        const skip = `mutation { change: subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 7) { userErrors { code } } }`;
        expect((await world.send('customer', skip)).payload).toEqual({ userErrors: [] });
        expect(await read()).toMatchObject({ nextTryAt: expect.stringMatching(/^2026-11-25T/) });
      });

      it('has no day after that run either, although the time of the order has passed', async () => {
        await putEarlierDecline(runMs + DAY_MS);
        world.later(runMs - HOUR_MS - world.now());
        expect(await read()).toMatchObject(noDay);
      });

      it('has no day when the orders cannot be read', async () => {
        await putEarlierDecline(runMs - DAY_MS);
        expect(await read()).toMatchObject({ nextTryAt: expect.stringMatching(/^2026-11-24T/) });
        world.fail({ kind: 'lost before', at: 'subscriptionBillingCycles', times: 100 });
        expect(await read()).toMatchObject(noDay);
      });
    });

    describe('and whose order was changed since', () => {
      const move = (day: string) =>
        change(
          `subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: 7, billingDate: "${day}")`,
        );
      const change = async (mutation: string) =>
        expect(
          (await world.send('customer', `mutation { change: ${mutation} { userErrors { code } } }`)).payload,
        ).toEqual({ userErrors: [] });
      beforeEach(() =>
        putCharge({
          ...{ expectedAtMs: Date.parse('2026-11-25T08:00:00Z'), foundAtMs: NOW_MS - HOUR_MS },
          ...{ lastErrorCode: 'INSUFFICIENT_FUNDS', nextTryAtMs: NOW_MS + 3 * DAY_MS },
        }),
      );

      it('has the day of the order that was moved', async () => {
        expect(await read()).toMatchObject({ nextTryAt: '2026-11-24T12:00:00Z' });
        await move('2026-11-23');
        expect(await read()).toMatchObject({
          nextTryAt: expect.stringMatching(/^2026-11-23T10:/),
          message: expect.stringContaining('It is tried again on November 23, 2026.'),
        });
      });

      it('has the day of the next run when the order was moved to today', async () => {
        await move('2026-11-21');
        expect(await read()).toMatchObject({ nextTryAt: expect.stringMatching(/^2026-11-22T10:/) });
      });

      it('is no longer open when the order was skipped', async () => {
        await change(`subscriptionBillingCycleSkip(contractId: "${ID}", billingCycleIndex: 7)`);
        expect(await read()).toEqual({ status: 'PAID', ...none, ...can(false, false) });
      });
    });
  });

  it.each([
    ['that was declined', 1, 'PAID'],
    ['that was never tried', 0, 'UNPAID'],
  ])(
    'after an older order without a payment, is that of the skipped order %s',
    async (_which, failedTryCount, status) => {
      await putCharge({ cycleIndex: 6, state: 'ENDED', reason: 'TRIES_OVER' });
      await putCharge({ state: 'SKIPPED', failedTryCount });
      expect(await read()).toMatchObject({ status });
    },
  );

  it('is refused when a response has more than 25', async () => {
    const aliases = Array.from({ length: 26 }, (_, index) => `p${index}: payment { status }`);
    const result = await world.send(
      'customer',
      `{ subscriptionContract(id: "${ID}") { ${aliases.join(' ')} } }`,
    );
    expect(JSON.stringify(result)).toContain('QUERY_TOO_COMPLEX');
  });

  it('has the address for its confirmation, read from the platform when it is selected', async () => {
    const index = findCycleAt(world.contract(WEEKLY), NOW_MS)?.index ?? 0;
    await putCharge({
      state: 'ACTION_REQUIRED',
      cycleIndex: index,
      attemptId: 'gid://shopify/SubscriptionBillingAttempt/1',
    });
    const query = QUERY.replace('status', 'status confirmationUrl');
    expect(await read('customer', query)).toMatchObject({
      status: 'CONFIRMATION_NEEDED',
      confirmationUrl: null,
    });
  });
});

describe('a customer who asks for another try', () => {
  it('has the payment tried now, once an hour', async () => {
    await putCharge({ lastErrorCode: 'EXPIRED_CARD', endsAtMs: NOW_MS + 9 * DAY_MS });
    expect(await retry()).toMatchObject({
      userErrors: [],
      contract: { payment: { status: 'RETRYING', canRetry: false } },
    });
    expect(await charges().find(order)).toMatchObject({ nextTryAtMs: world.now(), remindAtMs: world.now() });
    const queue = createWorkQueue({ table, now: world.now, newId: () => crypto.randomUUID() });
    const queued = await Array.fromAsync(queue.leaseStores('billing'));
    expect(queued.map(({ shopId }) => shopId)).toEqual([store.shopId]);
    world.later(59 * MINUTE_MS);
    const earliest = new Date(NOW_MS + HOUR_MS).toISOString().replace('.000Z', 'Z');
    expect(await retry()).toMatchObject({
      userErrors: [{ code: 'RETRIED_TOO_SOON', details: { earliest } }],
    });
    world.later(MINUTE_MS);
    expect(await retry()).toMatchObject({ userErrors: [] });
  });

  test.each<[string, Partial<BillingCharge>]>([
    ['that is paid', { state: 'CHARGED' }],
    ['that is under way', { state: 'WAITING' }],
    ['that was never declined', { state: 'DUE' }],
    ['that ended unpaid', { state: 'ENDED' }],
    ['that looked like fraud', { lastErrorCode: 'FRAUD_SUSPECTED' }],
    ['with ten tries in a month', { failedTryCount: 10 }],
  ])('is refused for a payment %s', async (_name, charge) => {
    await putCharge(charge);
    const before = await charges().find(order);
    expect(await retry()).toMatchObject({
      contract: null,
      userErrors: [{ code: 'PAYMENT_NOT_OPEN', field: ['contractId'] }],
    });
    expect(await charges().find(order)).toEqual(before);
  });

  it('cannot have the payment of another customer tried', async () => {
    await putCharge({});
    const before = await charges().find(order);
    Object.assign(world.contract(WEEKLY).content, { customerId: 7_001_002 });
    expect(JSON.stringify(await world.send('customer', RETRY))).toContain('FORBIDDEN');
    expect(await charges().find(order)).toEqual(before);
  });

  it('does what a merchant can do, too', async () => {
    await putCharge({ nextTryAtMs: NOW_MS + DAY_MS, remindAtMs: NOW_MS + DAY_MS });
    expect(await retry('store')).toMatchObject({ userErrors: [] });
  });
});

holdsRights();
