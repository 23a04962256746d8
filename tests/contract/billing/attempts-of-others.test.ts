/** Attempts of the merchant's own servers for an order that the service charges, or has charged. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { composeBillingCharges } from '../../../functions/compose/compose-billing-charges.ts';
import type { BillingCharge } from '../../../lib/billing/records/charge-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { AttemptRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createStoreWorld, MINUTE_MS, type StoreWorld, WEEKLY } from '../../world/store-world.ts';
import { gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
const KEY = 'own-1';
const ERRORS = 'userErrors { code message }';
let table: ReturnType<typeof createMemoryTable>;
let world: StoreWorld;
let cycleIndex: number;

beforeEach(() => {
  table = createMemoryTable();
  world = createStoreWorld(table);
  const { cycleEdits } = world.contract(WEEKLY);
  cycleIndex = findCycleAt(world.contract(WEEKLY), NOW_MS)?.index ?? 0;
  cycleEdits[cycleIndex] = {
    ...{ skipped: false, contract: null, billingDate: formatIsoInstant(NOW_MS + HOUR_MS) },
  };
});

const order = () => ({ shopId: store.shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex });
const charges = () => composeBillingCharges({ table, now: world.now });
const findCharge = () => charges().find(order());
const putCharge = (change: Partial<BillingCharge>) =>
  charges().create({
    ...{ ...order(), state: 'DUE', runDate: '2026-11-21', failedTryCount: 0 },
    ...{ expectedAtMs: NOW_MS + HOUR_MS, ...change },
  });
const listAttempts = () =>
  [...world.platform.store().attempts.values()].filter(
    (attempt) => attempt.contractId === WEEKLY && attempt.cycleIndex === cycleIndex,
  );

async function createAttempt(input = `billingCycleSelector: { index: ${cycleIndex} }`) {
  const query = `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${ID}",
    subscriptionBillingAttemptInput: { idempotencyKey: "${KEY}" ${input} }) { subscriptionBillingAttempt { id } ${ERRORS} } }`;
  const { payload } = await world.send('store', query, { now: world.now });
  return payload;
}

const chargeOrder = () =>
  world.send(
    'store',
    `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}",
      billingCycleSelector: { index: ${cycleIndex} }, idempotencyKey: "${KEY}") { subscriptionBillingAttempt { id } ${ERRORS} } }`,
    { now: world.now },
  );

describe('an attempt of the merchant’s own server', () => {
  it.each(['DUE', 'WAITING', 'ACTION_REQUIRED', 'RETRYING'] as const)(
    'is refused while the service’s charge of the order is %s, also when billing is off',
    async (state) => {
      await putCharge({ state });
      for (const input of [undefined, `billingCycleSelector: { date: "${formatIsoInstant(NOW_MS)}" }`, '']) {
        const { subscriptionBillingAttempt, userErrors } = await createAttempt(input);
        expect(subscriptionBillingAttempt).toBeNull();
        expect(userErrors).toEqual([
          {
            code: 'ATTEMPT_IN_PROGRESS',
            message: expect.stringMatching(/Wait.*subscriptionBillingCycleCharge/),
          },
        ]);
      }
      expect(listAttempts()).toEqual([]);
    },
  );

  it('is made when the service’s charge of the order is over', async () => {
    await putCharge({ state: 'ENDED', reason: 'BILLING_OFF' });
    const created = await createAttempt();
    expect([created.userErrors, listAttempts().length]).toEqual([[], 1]);
  });

  it('is made while the service’s charge of another order of the contract is open', async () => {
    await putCharge({ cycleIndex: cycleIndex - 1, state: 'ACTION_REQUIRED' });
    expect((await createAttempt()).userErrors).toEqual([]);
  });

  it.each([undefined, ''])(
    'is returned to a retry with its key while it is open, with the cycle: %p',
    async (input) => {
      world.platform.store().chargeDelaySeconds = 200;
      const created = await createAttempt(input);
      expect(created.userErrors).toEqual([]);
      await putCharge({ state: 'WAITING', idempotencyKey: KEY });
      world.later(2 * MINUTE_MS);
      expect(await createAttempt(input)).toEqual(created);
    },
  );
});

describe('a key that another server uses for another order of the contract while the request is under way', () => {
  /** Lets the other server make its attempt before the service's request arrives, and optionally loses the response. */
  function useKeyBefore({ isLost = false } = {}): void {
    const { send } = world.platform;
    const { attempts } = world.platform.store();
    if (isLost) world.fail({ kind: 'lost after', at: 'subscriptionBillingAttemptCreate' });
    world.platform.send = async (...args) => {
      if (args[0].includes('subscriptionBillingAttemptCreate') && !attempts.has(1)) {
        const [seeded] = attempts.values() as Iterable<AttemptRecord>;
        if (seeded === undefined) throw new Error('no attempt is seeded');
        const other = { id: 1, contractId: WEEKLY, cycleIndex: cycleIndex - 1, idempotencyKey: KEY };
        const createdAt = formatIsoInstant(world.now() - 2000);
        attempts.set(1, { ...seeded, ...other, createdAt, originTime: null });
      }
      return send(...args);
    };
  }

  const ways = [
    ['subscriptionBillingCycleCharge', chargeOrder],
    [
      'subscriptionBillingAttemptCreate',
      () =>
        createAttempt(
          `billingCycleSelector: { index: ${cycleIndex} }, originTime: "${formatIsoInstant(NOW_MS)}"`,
        ),
    ],
  ] as const;
  describe.each(ways)('by %s', (_name, send) => {
    it.each([false, true])(
      'books the order as paid by no attempt of another order (lost: %s)',
      async (isLost) => {
        await putCharge({ state: 'ENDED', reason: 'BILLING_OFF' });
        useKeyBefore({ isLost });
        expect(JSON.stringify(await send())).not.toContain('SubscriptionBillingAttempt/1"');
        for (let turns = 0; turns < 3; turns++) {
          world.later(20 * MINUTE_MS);
          await world.work();
        }
        expect(await findCharge()).toMatchObject({ state: 'ENDED' });
        expect(await world.entries()).toEqual([]);
      },
    );
  });
});
