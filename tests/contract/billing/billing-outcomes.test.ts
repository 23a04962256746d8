/** What becomes of the charges of an order when its attempts end: outcomes, next tries, and the final actions. */
import { beforeEach, describe, expect, it, test } from '@jest/globals';
import {
  composeBillingCharges,
  composeRetryTriggers,
} from '../../../functions/compose/compose-billing-charges.ts';
import type { BillingCharge } from '../../../lib/billing/records/charge-record.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import type { BillingFinalAction, BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import { endCharge } from '../../../lib/billing/settle/end-charge.ts';
import { runSettleStep } from '../../../lib/billing/settle/run-settle-step.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { readStream } from '../../../lib/storage/stream/read-stream.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { recordAttempts } from '../../../lib/store-events/charges/record-attempts.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import type { RetryTrigger } from '../../../lib/timeline/append/find-retry-trigger.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { Crash } from '../../lib/stores/world/faults.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { type Break, createStoreWorld, MINUTE_MS, type StoreWorld, WEEKLY } from '../../world/store-world.ts';
import { observe, readingWith } from '../world/observe.ts';
import { gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
const PLATFORM_ID = ID.replace('platform', 'shopify');
const order = { shopId: store.shopId, contractNumber: `${WEEKLY}` as ContractNumber };
let table: ReturnType<typeof createMemoryTable>;
let world: StoreWorld;
let cycleIndex: number;

beforeEach(async () => {
  table = createMemoryTable();
  world = createStoreWorld(table);
  const contract = world.contract(WEEKLY);
  cycleIndex = findCycleAt(contract, NOW_MS)?.index ?? 0;
  const billingDate = formatIsoInstant(NOW_MS + HOUR_MS);
  contract.cycleEdits[cycleIndex] = { skipped: false, billingDate, contract: null };
  world.platform.store().chargeDelaySeconds = 200;
  await changeSettings({ enabled: true, startsOn: '2026-06-01', askForNewMethod: false });
  const charge = { ...order, cycleIndex, state: 'DUE', runDate: '2026-06-01', failedTryCount: 0 } as const;
  await charges().create({ ...charge, expectedAtMs: NOW_MS + HOUR_MS, remindAtMs: NOW_MS + 2 * MINUTE_MS });
});

const charges = () => composeBillingCharges({ table, now: world.now });
const found = async (): Promise<BillingCharge> => {
  const charge = await charges().find({ ...order, cycleIndex });
  if (charge === undefined) throw new Error('no charge');
  return charge;
};

async function changeSettings(change: Partial<BillingSettings>): Promise<void> {
  const settings = createBillingSettings({ table, now: world.now });
  const before = await settings.read(store.shopId);
  await settings.write(store.shopId, before, { ...before, ...change });
}

function bank(declines: string | null): void {
  const methodId = world.contract(WEEKLY).content.paymentMethodId ?? '';
  const { instrument } = world.platform.store().paymentMethods.get(methodId) ?? {};
  if (instrument === undefined) throw new Error('the contract has no card');
  instrument.declines = declines;
}

/** Charges by the merchant's hand, and lets the scheduled work record the outcome. */
async function charge(code: string | null): Promise<void> {
  bank(code);
  await world.send(
    'store',
    `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}",
      billingCycleSelector: { index: ${cycleIndex} }) { userErrors { code } } }`,
  );
  world.later(20 * MINUTE_MS);
  await world.work();
}

const payloads = async () => {
  world.later(MINUTE_MS);
  await world.place();

  const { deps } = world.process(undefined, 'webhook-deliveries');
  const records = await readStream({ ...deps, now: world.now }, store.shopId, { limit: 100 });
  return records.map(({ entry }) => entry?.type);
};

describe('the outcome of an attempt', () => {
  it('closes the charge with order and amount when the payment succeeds', async () => {
    await charge(null);
    const charged = await found();
    expect(charged.state).toBe('CHARGED');
    expect(charged.amount).toEqual({ amount: expect.stringMatching(/^\d+\.\d+$/), currencyCode: 'USD' });
    expect(charged.orderId).toMatch(/^gid:\/\/shopify\/Order\//);
  });

  it('is in the charge and in the entry when the payment is declined', async () => {
    await charge('INSUFFICIENT_FUNDS');
    const { nextTryAtMs = 0, ...declined } = await found();
    expect(declined).toMatchObject({ state: 'RETRYING', failedTryCount: 1, remindAtMs: nextTryAtMs });
    expect(nextTryAtMs - world.now()).toBeGreaterThan(2 * DAY_MS);
    const [entry] = await world.entries(WEEKLY);
    const nextTryAt = new Date(nextTryAtMs).toISOString().replace('.000Z', 'Z');
    expect(entry?.details).toMatchObject({ errorCode: 'INSUFFICIENT_FUNDS', tryCount: 1, nextTryAt });
  });

  it('counts as a try when another app made the attempt', async () => {
    bank('CARD_DECLINED');
    await world.platform.run(`{ subscriptionBillingAttemptCreate(subscriptionContractId: "${PLATFORM_ID}",
      subscriptionBillingAttemptInput: { idempotencyKey: "theirs", billingCycleSelector: { index: ${cycleIndex} } }) {
        userErrors { message } } }`);
    world.later(20 * MINUTE_MS);
    const { deps } = world.process(undefined, 'store-events');
    const numbers = [...world.platform.store().attempts.values()].map(({ id }) => String(id));
    const run = { store: store as StoreRecord, endAtMs: world.now() + MINUTE_MS };
    for (const _ of ['once', 'and again']) await recordAttempts(deps, run, numbers);
    expect(await found()).toMatchObject({
      state: 'RETRYING',
      failedTryCount: 1,
      lastErrorCode: 'CARD_DECLINED',
    });
  });
});

describe('a declined payment', () => {
  const isBillingQueued = async () => {
    const queue = createWorkQueue({ table, now: world.now, newId: () => crypto.randomUUID() });
    for await (const { shopId } of queue.leaseStores('billing')) if (shopId === store.shopId) return true;
    return false;
  };
  const own = (mutation: string) =>
    world.send('store', `mutation { change: ${mutation} { userErrors { code } } }`);
  const addCard = (id: string) => {
    const { paymentMethods } = world.platform.store();
    const first = paymentMethods.get(world.contract(WEEKLY).content.paymentMethodId ?? '');
    if (first === undefined) throw new Error('the contract has no card');
    paymentMethods.set(id, { ...first, id });
    return `paymentMethodId: "${gid('CustomerPaymentMethod', id)}"`;
  };
  const observeMethod = async (method: string, atMs: number) => {
    const contract = `${WEEKLY}` as ContractNumber;
    const reading = readingWith(
      { contract, facts: { status: 'ACTIVE', customerPaymentMethod: method } },
      atMs,
    );
    await observe({ table, now: world.now }, store.shopId, reading);
  };

  test.each(['EXPIRED_CARD', 'AUTHENTICATION_REQUIRED', 'INSUFFICIENT_FUNDS'])(
    'for %s is tried again at once when the customer has chosen another payment method',
    async (code) => {
      await charge(code);
      const method = addCard('a5ca1ab1e0ddba11');
      await own(`subscriptionContractPaymentMethodUpdate(contractId: "${ID}", ${method})`);
      await world.place();
      expect(await found()).toMatchObject({ nextTryAtMs: world.now(), remindAtMs: world.now() });
      expect(await isBillingQueued()).toBe(true);
    },
  );

  it('is tried again at once when another app has changed the payment method', async () => {
    await observeMethod('one', NOW_MS);
    await charge('EXPIRED_CARD');
    expect(await found()).not.toHaveProperty('nextTryAtMs');
    await observeMethod('other', world.now());
    expect(await found()).toMatchObject({ nextTryAtMs: world.now() });
  });

  it('is tried again at once when the address has changed, but not for lack of money', async () => {
    const address = `firstName: "Ada", lastName: "Brewer", address1: "1 Main Street", city: "Bangor",
      countryCode: US, provinceCode: "ME", zip: "04401"`;
    const update = `subscriptionContractDeliveryUpdate(contractId: "${ID}",
      deliveryMethod: { shipping: { ${address} } }, optionCode: "express")`;
    await charge('INSUFFICIENT_FUNDS');
    const before = await found();
    await own(update);
    await world.place();
    expect(await found()).toEqual(before);
    expect(await payloads()).toContain('subscription.delivery_changed');
    await charges().replace(before, { ...before, lastErrorCode: 'INVALID_SHIPPING_ADDRESS' });
    await own(update.replace('1 Main Street', '2 Main Street'));
    await world.place();
    expect(await found()).toMatchObject({ nextTryAtMs: world.now() });
  });

  it('is tried again once an hour after new addresses, and at once after another payment method', async () => {
    const { reportRetryTrigger } = composeRetryTriggers({ table, now: world.now });
    const report = async (changed: RetryTrigger['kind']) => {
      await reportRetryTrigger({ shopId: store.shopId, contract: order.contractNumber, kind: changed });
      return (await found()).nextTryAtMs;
    };
    /** The try that the change has caused fails. */
    const decline = async () => {
      const { nextTryAtMs, isExtraTry, ...before } = await found();
      await charges().replace(await found(), { ...before, lastErrorCode: 'INVALID_SHIPPING_ADDRESS' });
    };
    await charge('INCORRECT_ADDRESS');
    const firstMs = world.now();
    expect(await report('address')).toBe(firstMs);
    await decline();
    world.later(2 * MINUTE_MS);
    expect(await report('address')).toBe(firstMs + HOUR_MS);
    world.later(2 * MINUTE_MS);
    expect(await report('address')).toBe(firstMs + HOUR_MS);
    expect(await report('payment method')).toBe(world.now());
    await decline();
    expect(await report('address')).toBe(firstMs + HOUR_MS);
    await decline();
    world.later(2 * HOUR_MS);
    expect(await report('address')).toBe(world.now());
  });

  test.each(['FRAUD_SUSPECTED', 'MERCHANT_ACCOUNT_ERROR', 'INSUFFICIENT_INVENTORY'])(
    'for %s is not tried again because of another payment method',
    async (code) => {
      await charge(code);
      const before = await found();
      await own(
        `subscriptionContractPaymentMethodUpdate(contractId: "${ID}", ${addCard('a5ca1ab1e0ddba11')})`,
      );
      await world.place();
      expect(await found()).toEqual(before);
    },
  );
});

describe('the end of a charge', () => {
  const status = { PAUSE: 'PAUSED', CANCEL: 'CANCELLED', SKIP: 'ACTIVE', LEAVE: 'ACTIVE' } as const;
  const actions = {
    PAUSE: 'subscription_paused',
    CANCEL: 'subscription_cancelled',
    SKIP: 'billing_cycle_skipped',
  };
  const isSkipped = () => world.contract(WEEKLY).cycleEdits[cycleIndex]?.skipped === true;

  async function end(fault?: Break, mutates = false): Promise<void> {
    const process = world.process((document) =>
      document.includes('mutation') === mutates || fault === undefined ? fault : undefined,
    );
    // The billing function has all these rights.
    const { deps } = world.process();
    const unguarded = { ...deps, table, timeline: world.timelineOver(table), charges: charges() };
    const run = {
      ...unguarded,
      sendWithinBudget: process.deps.sendWithinBudget,
      scheduledTasks: createScheduledTaskRepository({ table, now: world.now }),
      timedPauses: world.timedPauses,
      postponements: createPostponementRepository({ table, now: world.now }),
    };
    const settings = await createBillingSettings({ table, now: world.now }).read(store.shopId);
    const turn = { store: store as StoreRecord, settings, endAtMs: world.now() + MINUTE_MS };
    const state = { contractStatus: world.status(), isSkipped: isSkipped() };
    await endCharge(run, { turn, charge: await found() }, state);
  }
  const timeline = async () => (await world.entries(WEEKLY)).map(({ action }) => action);
  const begin = async (finalAction: BillingFinalAction) => {
    await changeSettings({ declined: { retryAfterDays: [], finalAction } });
    await charge('INSUFFICIENT_FUNDS');
  };

  test.each(['PAUSE', 'CANCEL', 'SKIP'] as const)('takes %s and tells it', async (finalAction) => {
    await begin(finalAction);
    await end();
    expect(await found()).toMatchObject({ state: 'ENDED', reason: 'TRIES_OVER', finalAction });
    expect(await found()).not.toHaveProperty('remindAtMs');
    expect([world.status(), isSkipped()]).toEqual([status[finalAction], finalAction === 'SKIP']);
    expect(await timeline()).toEqual([
      ...['billing_cycle_declined', actions[finalAction], 'billing_cycle_not_charged'],
    ]);
    const entries = await world.entries(WEEKLY);
    expect(entries.at(-1)?.details).toMatchObject({ notChargedReason: 'TRIES_OVER', finalAction });
    expect(await payloads()).toContain('order.not_charged');
  });

  it('leaves the contract as it is with LEAVE', async () => {
    await begin('LEAVE');
    await end();
    expect(await found()).toMatchObject({ state: 'ENDED', reason: 'TRIES_OVER' });
    expect([world.status(), await timeline()]).toEqual([
      ...['ACTIVE', ['billing_cycle_declined', 'billing_cycle_not_charged']],
    ]);
  });

  it('skips an order whose date has passed', async () => {
    await begin('SKIP');
    world.later(2 * DAY_MS);
    await end();
    expect(isSkipped()).toBe(true);
  });

  it('reports an order that the merchant’s account refuses, and changes nothing', async () => {
    await begin('PAUSE');
    const refused = await found();
    await charges().replace(refused, { ...refused, lastErrorCode: 'MERCHANT_ACCOUNT_ERROR' });
    await end();
    expect(await found()).toMatchObject({ state: 'REPORTED', reason: 'MERCHANT_ACCOUNT' });
    expect(world.status()).toBe('ACTIVE');
  });

  it('changes nothing in a store where billing is switched off', async () => {
    await begin('CANCEL');
    await changeSettings({ enabled: false });
    await end();
    expect(await found()).toMatchObject({ state: 'ENDED', reason: 'BILLING_OFF' });
    expect(world.status()).toBe('ACTIVE');
  });

  const faults = ['lose', 'die before', 'die after'] as const;
  describe.each(['PAUSE', 'CANCEL', 'SKIP'] as const)('with %s', (finalAction) => {
    test.each(faults)('is made up for after a fault: %s', async (fault) => {
      await begin(finalAction);
      await end(fault, true).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      for (let tries = 0; tries < 4; tries++) {
        world.later(15 * MINUTE_MS);
        await world.work();
        if ((await found()).state === 'RETRYING') await end();
      }
      expect(await found()).toMatchObject({ state: 'ENDED', reason: 'TRIES_OVER' });
      expect([world.status(), isSkipped()]).toEqual([status[finalAction], finalAction === 'SKIP']);
      const recorded = (await timeline()).filter((action) => action !== 'billing_cycle_declined');
      expect(recorded).toEqual([actions[finalAction], 'billing_cycle_not_charged']);
    });
  });

  it('does not pause a contract again that was resumed after the answer to the pause was lost', async () => {
    await begin('PAUSE');
    await end('lose', true);
    world.later(15 * MINUTE_MS);
    await world.work();
    await world.changeExternally('subscriptionContractActivate');
    await end();
    expect(await found()).toMatchObject({ state: 'ENDED', finalAction: 'PAUSE' });
    expect(world.status()).toBe('ACTIVE');
  });
});

describe('a paid order', () => {
  const runStep = async (step: 'ASK' | 'EXPIRE' | 'GIVE_UP') => {
    const { deps } = world.process();
    const run = {
      ...deps,
      ...{ table, timeline: world.timelineOver(table), charges: charges(), timedPauses: world.timedPauses },
      postponements: createPostponementRepository({ table, now: world.now }),
      scheduledTasks: createScheduledTaskRepository({ table, now: world.now }),
    };
    const settings = await createBillingSettings({ table, now: world.now }).read(store.shopId);
    const turn = { store: store as StoreRecord, settings, endAtMs: world.now() + MINUTE_MS };
    await runSettleStep(run, turn, { charge: await found(), step });
  };

  test.each([
    ['EXPIRED', 1],
    ['ACTIVE', 100],
    ['ACTIVE', null],
  ])('leaves the contract %s when its orders are limited to %s', async (expected, maxCycles) => {
    Object.assign(world.contract(WEEKLY).content.billingPolicy, { maxCycles });
    await charge(null);
    expect((await found()).remindAtMs).toBeDefined();
    await runStep('EXPIRE');
    expect([world.status(), (await found()).remindAtMs]).toEqual([expected, undefined]);
  });

  test('asks the customer once for another payment method', async () => {
    await changeSettings({ askForNewMethod: true });
    await charge('EXPIRED_CARD');
    const { endsAtMs } = await found();
    expect((await found()).remindAtMs).toBeLessThanOrEqual(world.now());
    await runStep('ASK');
    expect(await found()).toMatchObject({ methodRequestedAtMs: world.now(), remindAtMs: endsAtMs });
    await world.place();
    const sent = (await world.entries(WEEKLY)).filter(({ action }) => action.includes('email'));
    expect(sent).toHaveLength(1);
  });

  test('reports a payment that the customer did not confirm in a week', async () => {
    const before = await found();
    const remindAtMs = world.now();
    await charges().replace(before, { ...before, state: 'ACTION_REQUIRED', remindAtMs });
    await runStep('GIVE_UP');
    expect(await found()).toMatchObject({ state: 'REPORTED', reason: 'NO_OUTCOME' });
  });
});

holdsRights();
