/** Moving and charging an order: the behaviour in addition to that of every operation (operation-cases.ts). */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Table } from '../../../../lib/storage/table.ts';
import { findCycleAt, findCycleByIndex } from '../../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../../sandbox/platform/state/instant.ts';
import { longDay } from '../../../contract/operations/long-day.ts';
import {
  type Acting,
  createOperationWorld,
  gid,
  type OperationWorld,
} from '../../../contract/world/operation-world.ts';
import { NOW_MS } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';

let world: OperationWorld;
let table: Table;
beforeEach(() => {
  world = createOperationWorld();
  table = createMemoryTable();
});

const WEEKLY = 9_101_001;
const ID = gid('SubscriptionContract', WEEKLY);
const ERRORS = 'userErrors { code field message }';
const contract = () => world.contract(WEEKLY);
const current = () => findCycleAt(contract(), NOW_MS)?.index ?? 0;

function cycle(index: number) {
  const found = findCycleByIndex(contract(), index);
  if (found === null) throw new Error(`no cycle ${index}`);
  return found;
}

function edit(index: number, change: { skipped?: boolean; billingDate?: string }) {
  contract().cycleEdits[index] = { skipped: false, billingDate: null, contract: null, ...change };
}

describe('moving an order', () => {
  const move = (index: number, date: string, as: Acting = 'customer', now?: () => number) =>
    world.run({
      as,
      table,
      ...(now && { now }),
      query: `mutation { subscriptionBillingCycleReschedule(contractId: "${ID}", billingCycleIndex: ${index}, billingDate: "${date}") {
        cycle: billingCycle { billingAttemptExpectedDate } changed: contract { id lines(first: 1) { nodes { id } } }
        contract { status } ${ERRORS}
      } }`,
    });
  const inside = (index: number) => formatIsoInstant(cycle(index).endMs - DAY_MS);

  test('returns the cycle and its contract wherever they are selected', async () => {
    const index = current() + 1;
    const { payload, recorded } = await move(index, inside(index));
    expect(payload).toEqual({
      cycle: { billingAttemptExpectedDate: inside(index) },
      changed: { id: ID, lines: { nodes: [{ id: expect.any(String) }] } },
      contract: { status: 'ACTIVE' },
      userErrors: [],
    });
    expect(recorded).toMatchObject([
      { changes: [{ before: formatIsoInstant(cycle(index).endMs), after: inside(index) }], outcome: 'done' },
    ]);
    const again = await move(index, inside(index));
    expect(again.payload).toEqual(payload);
  });

  test('moves an order back to its own day as if it had never been moved', async () => {
    const index = current() + 1;
    await move(index, inside(index));
    await move(index, formatIsoInstant(cycle(index).endMs));
    expect(contract().cycleEdits[index]).toBeUndefined();
  });

  test('rejects a day outside the cycle with the days that the order can be moved to', async () => {
    const index = current() + 1;
    const [first, last] = [cycle(index).startMs, cycle(index).endMs].map((ms) => longDay(ms));
    for (const ms of [cycle(index).endMs + HOUR_MS, cycle(index).startMs - HOUR_MS]) {
      const { payload } = await move(index, formatIsoInstant(ms));
      expect(payload.userErrors).toEqual([
        {
          code: 'OUT_OF_BOUNDS',
          field: ['billingDate'],
          message: `This order can only be moved within its billing cycle. Choose a day from ${first} to ${last}.`,
        },
      ]);
    }
  });

  test('names the only possible day on the last day of the running cycle', async () => {
    const { endMs } = cycle(current());
    const nowMs = endMs - HOUR_MS;
    world.platform.holder.nowMs = nowMs;
    const { payload } = await move(current(), formatIsoInstant(endMs + DAY_MS), 'customer', () => nowMs);
    expect(payload.userErrors).toMatchObject([
      {
        code: 'OUT_OF_BOUNDS',
        message: `This order can only be moved within its billing cycle. The only possible day is ${longDay(endMs)}.`,
      },
    ]);
  });

  test('lists days from today for the running cycle, and none for a past one', async () => {
    const { startMs, endMs } = cycle(current());
    expect(startMs).toBeLessThan(NOW_MS - DAY_MS);
    const { payload } = await move(current(), formatIsoInstant(endMs + HOUR_MS));
    expect(payload.userErrors[0].message).toContain(`from ${longDay(NOW_MS)} to `);
    world.platform.holder.nowMs = endMs + 2 * HOUR_MS;
    const late = await move(
      current(),
      formatIsoInstant(endMs + 3 * HOUR_MS),
      'customer',
      () => endMs + 2 * HOUR_MS,
    );
    expect(late.payload.userErrors).toMatchObject([
      {
        code: 'OUT_OF_BOUNDS',
        message: 'The billing cycle of this order has ended. The order can no longer be moved.',
      },
    ]);
  });

  test.each([
    [
      'a day that is over',
      () => [current(), formatIsoInstant(NOW_MS - HOUR_MS)],
      'DATE_IN_PAST',
      'billingDate',
    ],
    [
      'no such order',
      () => [90_000, formatIsoInstant(NOW_MS + DAY_MS)],
      'CYCLE_NOT_FOUND',
      'billingCycleIndex',
    ],
    [
      'a billed order',
      () => [1, formatIsoInstant(NOW_MS + DAY_MS)],
      'CYCLE_ALREADY_BILLED',
      'billingCycleIndex',
    ],
    [
      'a skipped order',
      () => {
        edit(current() + 1, { skipped: true });
        return [current() + 1, inside(current() + 1)];
      },
      'BILLING_DATE_SET_ON_SKIPPED',
      'billingCycleIndex',
    ],
  ] as const)('%s is refused, and nothing is changed', async (_name, prepare, code, field) => {
    const [index, date] = prepare() as [number, string];
    const content = structuredClone(contract());
    const { payload, recorded, sent } = await move(index, date);
    expect(payload).toMatchObject({ cycle: null, contract: null, userErrors: [{ code, field: [field] }] });
    expect([contract(), recorded, sent.length]).toEqual([content, [], 1]);
  });

  test('refuses to move an order that is being billed', async () => {
    const index = current();
    edit(index, { billingDate: formatIsoInstant(NOW_MS + HOUR_MS) });
    world.platform.store().chargeDelaySeconds = 3600;
    await charge(`billingCycleSelector: { index: ${index} }`);
    const { payload } = await move(index, formatIsoInstant(NOW_MS + 2 * HOUR_MS));
    expect(payload.userErrors).toMatchObject([
      { code: 'INCOMPLETE_BILLING_ATTEMPTS', field: ['billingCycleIndex'] },
    ]);
  });
});

const charge = (args: string, as: Acting = 'store', now?: () => number) =>
  world.run({
    as,
    table,
    ...(now && { now }),
    wait: async (ms) => {
      world.platform.holder.nowMs += ms;
    },
    query: `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", ${args}) {
      subscriptionBillingAttempt { id idempotencyKey ready errorCode subscriptionContract { id } } ${ERRORS}
    } }`,
  });
const attempts = () =>
  [...world.platform.store().attempts.values()].filter(({ cycleIndex }) => cycleIndex === current());

describe('charging an order', () => {
  let selector: string;
  beforeEach(() => {
    edit(current(), { billingDate: formatIsoInstant(NOW_MS + HOUR_MS) });
    selector = `billingCycleSelector: { index: ${current()} }`;
  });
  const key = async (pending: ReturnType<typeof charge>) =>
    (await pending).payload.subscriptionBillingAttempt.idempotencyKey;

  test('charges the same order, under the same key, when it is named by its date', async () => {
    const { payload } = await charge(`billingCycleSelector: { date: "${formatIsoInstant(NOW_MS)}" }`);
    expect(payload.subscriptionBillingAttempt).toMatchObject({
      idempotencyKey: expect.stringMatching(`^charge-${WEEKLY}-${current()}-0-[0-9a-f]{8}$`),
      subscriptionContract: { id: ID },
    });
    expect((await charge(selector)).payload.subscriptionBillingAttempt.id).toBe(
      payload.subscriptionBillingAttempt.id,
    );
    expect(attempts()).toHaveLength(1);
  });

  test('refuses an order that was moved since its date was read, and charges it on its new date', async () => {
    const dueAt = formatIsoInstant(NOW_MS + HOUR_MS);
    edit(current(), { billingDate: formatIsoInstant(NOW_MS + 20 * HOUR_MS) });
    const { payload } = await charge(`${selector}, expectedDate: "${dueAt}"`);
    expect(payload).toMatchObject({
      subscriptionBillingAttempt: null,
      userErrors: [{ code: 'CYCLE_DATE_MISMATCH', field: ['expectedDate'] }],
    });
    expect(attempts()).toEqual([]);
    await charge(`${selector}, expectedDate: "${formatIsoInstant(NOW_MS + 20 * HOUR_MS)}"`);
    expect(attempts()).toHaveLength(1);
  });

  test('returns the attempt of a charged order, also when another date is expected', async () => {
    const first = await charge(selector);
    const { payload } = await charge(`${selector}, expectedDate: "${formatIsoInstant(NOW_MS)}"`);
    expect(payload.subscriptionBillingAttempt.id).toBe(first.payload.subscriptionBillingAttempt.id);
  });

  test('makes one attempt for two concurrent charges', async () => {
    const keys = await Promise.all([key(charge(selector)), key(charge(selector))]);
    expect([new Set(keys).size, attempts().length]).toEqual([1, 1]);
  });

  test('returns the attempt of an order that has been charged, and makes no other', async () => {
    await charge(selector);
    const { payload } = await charge(selector);
    expect(payload.subscriptionBillingAttempt).toMatchObject({ ready: true, errorCode: null });
    expect(await charge(selector)).toMatchObject({ payload, recorded: [] });
    expect([attempts().length, contract().billedCycles.includes(current())]).toEqual([1, true]);
  });

  test('returns the attempt that paid the order in another way in the meantime', async () => {
    const { send } = world.platform;
    let isFirst = true;
    world.platform.send = async (...args) => {
      if (isFirst && args[0].includes('subscriptionBillingAttemptCreate')) {
        isFirst = false;
        await world.run({
          as: 'store',
          table: createMemoryTable(),
          query: `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${ID}", subscriptionBillingAttemptInput: {
            billingCycleSelector: { index: ${current()} }, idempotencyKey: "another" }) { userErrors { message } } }`,
        });
      }
      return send(...args);
    };
    const { payload, recorded } = await charge(selector);
    expect(payload.userErrors).toEqual([]);
    expect(payload.subscriptionBillingAttempt.idempotencyKey).toBe('another');
    expect(recorded).toMatchObject([{ outcome: 'not done' }]);
  });

  describe('a declined card', () => {
    const declining = (declines: string | null, methodId = contract().content.paymentMethodId ?? '') => {
      const { instrument } = world.platform.store().paymentMethods.get(methodId) ?? {};
      if (instrument === undefined) throw new Error('the contract has no card');
      instrument.declines = declines;
    };
    const idOf = async (pending: ReturnType<typeof charge>) =>
      (await pending).payload.subscriptionBillingAttempt.id;
    const later = (ms: number) => {
      world.platform.holder.nowMs += ms;
    };
    const now = () => world.platform.holder.nowMs;
    const chargeNow = (args = selector) => charge(args, 'store', now);
    beforeEach(() => declining('CARD_DECLINED'));

    test('returns the declined attempt to a charge within a minute', async () => {
      const first = await idOf(chargeNow());
      for (const ms of [0, 1000, 58_000]) {
        later(ms);
        expect(await idOf(chargeNow())).toBe(first);
      }
      expect(attempts()).toHaveLength(1);
    });

    test('allows another attempt a minute later, once each time', async () => {
      const keys: string[] = [];
      for (let times = 0; times < 3; times++) {
        keys.push(await key(chargeNow()));
        later(61_000);
      }
      expect(keys.map((one) => one.split('-')[3])).toEqual(['0', '1', '2']);
      expect(attempts()).toHaveLength(3);
    });

    test('starts the minute when an attempt that was pending for minutes is declined', async () => {
      world.platform.store().chargeDelaySeconds = 240;
      const first = await idOf(chargeNow());
      later(239_000);
      expect(await idOf(chargeNow())).toBe(first);
      later(60_000);
      expect(await idOf(chargeNow())).toBe(first);
      later(60_000);
      expect(await idOf(chargeNow())).not.toBe(first);
    });

    test('makes one attempt for 8 concurrent charges, now and a minute later', async () => {
      for (const count of [1, 2]) {
        const ids = await Promise.all(Array.from({ length: 8 }, () => idOf(chargeNow())));
        expect([new Set(ids).size, attempts().length]).toEqual([1, count]);
        later(61_000);
      }
    });

    test('makes an attempt at once under another key of the client, and one for each key', async () => {
      await chargeNow();
      for (const one of ['a', 'b', 'a']) {
        expect(await key(chargeNow(`${selector}, idempotencyKey: "${one}"`))).toBe(one);
      }
      expect(attempts().map(({ idempotencyKey }) => idempotencyKey.slice(0, 1))).toEqual(['c', 'a', 'b']);
    });

    test.each([
      ['a key and none', ['a', undefined]],
      ['none and a key', [undefined, 'a']],
      ['many of both', [undefined, 'a', undefined, undefined, 'a']],
    ])('makes one attempt for concurrent charges with %s', async (_name, keys) => {
      const pending = keys.map((one) => chargeNow(one ? `${selector}, idempotencyKey: "${one}"` : selector));
      const answers = await Promise.all(pending);
      expect(answers.map(({ payload }) => payload?.userErrors)).toEqual(keys.map(() => []));
      expect(attempts()).toHaveLength(1);
    });

    test('charges at once, and once, when the contract has another card', async () => {
      await chargeNow();
      const store = world.platform.store();
      const card = store.paymentMethods.get(contract().content.paymentMethodId ?? '');
      if (card === undefined) throw new Error('the contract has no card');
      const other = { ...structuredClone(card), id: 'other' };
      store.paymentMethods.set(other.id, other);
      contract().content.paymentMethodId = other.id;
      const ids = await Promise.all(Array.from({ length: 4 }, () => idOf(chargeNow())));
      expect([new Set(ids).size, attempts().length]).toEqual([1, 2]);
    });
  });

  test('uses the client’s own key, and returns its attempt on a retry', async () => {
    expect(await key(charge(`${selector}, idempotencyKey: "mine"`))).toBe('mine');
    const { recorded, payload } = await charge(`${selector}, idempotencyKey: "mine"`);
    expect([recorded, payload.subscriptionBillingAttempt.idempotencyKey]).toEqual([[], 'mine']);
  });

  describe('under a key of another charge', () => {
    const MISMATCH = { code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH', field: ['idempotencyKey'] };
    const REFUSED = { subscriptionBillingAttempt: null, userErrors: [MISMATCH] };
    const ownCharge = () => charge(`${selector}, idempotencyKey: "mine"`);
    const count = () => attempts().filter(({ contractId }) => contractId === WEEKLY).length;
    /** Charges another contract, or another order of this one, at the platform. */
    const chargeOther = (contractId: number, cycleIndex: number, secondsAgo = 5) => {
      const store = world.platform.store();
      const [made] = store.attempts.values();
      if (made === undefined) throw new Error('no attempt is seeded');
      const createdAt = formatIsoInstant(NOW_MS - secondsAgo * 1000);
      store.attempts.set(1, { ...made, id: 1, contractId, cycleIndex, createdAt, idempotencyKey: 'mine' });
    };

    test.each<Acting>(['store', 'store for a customer'])(
      'refuses, as a %s, one that another contract was charged under',
      async (as) => {
        chargeOther(9_101_004, 1);
        const { payload, recorded } = await charge(`${selector}, idempotencyKey: "mine"`, as);
        expect(payload).toMatchObject(REFUSED);
        expect([count(), recorded]).toMatchObject([0, [{ outcome: 'not done' }]]);
        await charge(selector, as, () => NOW_MS + 1000);
        expect(count()).toBe(1);
      },
    );

    test.each([5, 7200])('refuses one that another order was charged under %i s ago', async (secondsAgo) => {
      chargeOther(WEEKLY, current() - 1, secondsAgo);
      expect((await ownCharge()).payload).toMatchObject(REFUSED);
      expect(count()).toBe(0);
    });

    test('refuses one of the form of the service that names another order', async () => {
      const keyOf = (contractId: number, index: number) => `charge-${contractId}-${index}-0-0123abcd`;
      const create = (key: string, cycle = selector) =>
        world.run({
          ...{ as: 'store', table },
          query: `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${ID}", subscriptionBillingAttemptInput: {
            ${cycle}, idempotencyKey: "${key}" }) { subscriptionBillingAttempt { id } ${ERRORS} } }`,
        });
      const field = ['subscriptionBillingAttemptInput', 'idempotencyKey'];
      for (const key of [keyOf(9_101_004, current()), keyOf(WEEKLY, current() + 1)]) {
        expect((await charge(`${selector}, idempotencyKey: "${key}"`)).payload).toMatchObject(REFUSED);
        const refused = { ...REFUSED, userErrors: [{ ...MISMATCH, field }] };
        expect((await create(key)).payload).toMatchObject(refused);
      }
      expect(count()).toBe(0);
      const ofOrder = await charge(`${selector}, idempotencyKey: "${keyOf(WEEKLY, current())}"`);
      expect(ofOrder.payload).toMatchObject({ userErrors: [] });
      expect(count()).toBe(1);
    });

    test('charges one of two orders that are charged under it at the same time, and refuses the other', async () => {
      edit(current() + 1, { billingDate: formatIsoInstant(NOW_MS + 2 * HOUR_MS) });
      const other = `billingCycleSelector: { index: ${current() + 1} }`;
      const answers = await Promise.all([ownCharge(), charge(`${other}, idempotencyKey: "mine"`)]);
      const codes = answers.map(({ payload }) =>
        payload.userErrors.map(({ code }: { code: string }) => code),
      );
      expect(codes.toSorted()).toEqual([[], [MISMATCH.code]]);
    });

    test.each<Acting>(['store', 'store for a customer'])(
      'refuses, as a %s, an attempt of the platform’s mutation under one of another contract or order',
      async (as) => {
        const create = () =>
          world.run({
            ...{ as, table },
            query: `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${ID}", subscriptionBillingAttemptInput: {
            ${selector}, idempotencyKey: "mine" }) { subscriptionBillingAttempt { id } ${ERRORS} } }`,
          });
        const field = ['subscriptionBillingAttemptInput', 'idempotencyKey'];
        const refused = { ...REFUSED, userErrors: [{ ...MISMATCH, field }] };
        for (const [contractId, index] of [
          [9_101_004, 1],
          [WEEKLY, current() - 1],
        ] as const) {
          chargeOther(contractId, index);
          const { payload } = await create();
          expect(payload).toMatchObject(refused);
          expect(JSON.stringify(payload)).not.toContain('SubscriptionBillingAttempt/1');
        }
        world.platform.store().attempts.delete(1);
        const first = (await create()).payload;
        expect([first.userErrors, count()]).toEqual([[], 1]);
        expect((await create()).payload).toEqual(first);
      },
    );
  });

  test('makes no second order a day later, when the platform has deleted its key', async () => {
    await charge(selector);
    await charge(selector);
    world.platform.holder.nowMs += 2 * DAY_MS;
    await charge(selector);
    expect(attempts()).toHaveLength(1);
  });

  test.each([
    ['both index and date', 'billingCycleSelector: { index: 1, date: "2026-11-21T00:00:00Z" }', 'INVALID'],
    ['neither', 'billingCycleSelector: {}', 'INVALID'],
    ['no such index', 'billingCycleSelector: { index: 90000 }', 'CYCLE_INDEX_OUT_OF_RANGE'],
    [
      'no such date',
      'billingCycleSelector: { date: "2001-01-01T00:00:00Z" }',
      'CYCLE_START_DATE_OUT_OF_RANGE',
    ],
  ])('%s is refused', async (_name, args, code) => {
    const { payload, recorded } = await charge(args);
    expect(payload).toMatchObject({
      subscriptionBillingAttempt: null,
      userErrors: [{ code, field: ['billingCycleSelector'] }],
    });
    expect(recorded).toEqual([]);
  });

  test.each([
    ['a paused contract', () => Object.assign(contract().content, { status: 'PAUSED' }), 'CONTRACT_PAUSED'],
    ['a skipped order', () => edit(current(), { skipped: true }), 'BILLING_CYCLE_SKIPPED'],
    [
      'an order that is not due',
      () => edit(current(), { billingDate: formatIsoInstant(NOW_MS + 2 * DAY_MS) }),
      'BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE',
    ],
  ])('%s is never billed', async (_name, prepare, code) => {
    prepare();
    expect((await charge(selector)).payload.userErrors).toMatchObject([{ code }]);
    expect(attempts()).toEqual([]);
  });

  test('a blank key is refused', async () => {
    const { payload } = await charge(`${selector}, idempotencyKey: " "`);
    expect(payload.userErrors).toMatchObject([{ code: 'BLANK', field: ['idempotencyKey'] }]);
  });
});
