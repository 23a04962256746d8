/** Sends the next order now: what is moved, what is charged and what is left, for all who may ask, and while it fails. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { composeBillingCharges } from '../../../../functions/compose/compose-billing-charges.ts';
import { countDocumentPoints } from '../../../../graphql/run/count-document-points.ts';
import { createBillingSettings } from '../../../../lib/billing/records/settings.ts';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { type Acting, gid } from '../../../contract/world/operation-world.ts';
import { NOW_MS, store } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createIntervalWorld, current, cyclesOf } from '../../../world/interval-world.ts';
import { WEEKLY } from '../../../world/store-world.ts';

const SEND = `mutation ($contractId: ID!, $date: DateTime!) {
  subscriptionOrderSendNow(contractId: $contractId, expectedDate: $date) {
    contract { id nextOrder { date cycleIndex } }
    upcomingOrders { cycleIndex date skipped }
    userErrors { code field message details { earliest date cycleIndex status } }
  } }`;
const changeWithErrors = (field: string) =>
  `mutation ($contractId: ID!) { ${field} { userErrors { code field message details { earliest } } } }`;
const MOVE = changeWithErrors(
  'subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: 7, billingDate: "2026-11-23")',
);
const ACTIVATE = changeWithErrors(
  'subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: "2026-11-23")',
);
const TWO_WEEKS = changeWithErrors(
  'subscriptionContractIntervalUpdate(contractId: $contractId, interval: { interval: WEEK, intervalCount: 2 }, nextBillingDate: "2026-11-23")',
);
const SOON = formatIsoInstant(NOW_MS + 5 * 60_000);

let table = createMemoryTable();
let world = createIntervalWorld({ table });
beforeEach(() => {
  table = createMemoryTable();
  world = createIntervalWorld({ table });
  Object.assign(world.settings, { sendNow: 'MOVE' });
});

const dates = (count = 4) =>
  cyclesOf(world.contract, count).map(
    ({ index, expectedMs, skipped }) => `${skipped ? '-' : ''}${index} ${formatIsoInstant(expectedMs)}`,
  );
const dateOf = (offset: number) =>
  formatIsoInstant(cyclesOf(world.contract, offset + 1)[offset]?.expectedMs ?? 0);
const send = (date = dateOf(0), as: Acting = 'customer') => world.ask(SEND, { date }, as);
const skip = (...offsets: readonly number[]) => {
  for (const offset of offsets) world.edit(offset, { skipped: true });
};

describe('the next order', () => {
  test.each(['customer', 'store', 'store for a customer'] as const)(
    'is due in five minutes, and the others keep their dates, when a %s asks',
    async (as) => {
      const [, ...others] = dates();
      const { payload, code } = await send(dateOf(0), as);
      expect([code, payload.userErrors, dates()]).toEqual([undefined, [], [`7 ${SOON}`, ...others]]);
      expect(payload.contract.nextOrder).toEqual({ date: SOON, cycleIndex: 7 });
      expect(payload.upcomingOrders[0]).toEqual({ cycleIndex: 7, date: SOON, skipped: false });
      expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
    },
  );

  test('comes in the current cycle when its own cycle has not begun, and its cycle is skipped', async () => {
    skip(0);
    const { payload } = await send(dateOf(1));
    expect([payload.userErrors, dates(3)]).toEqual([
      [],
      [`7 ${SOON}`, '-8 2026-12-02T08:00:00Z', '9 2026-12-09T08:00:00Z'],
    ]);
    expect(payload.contract.nextOrder).toEqual({ date: SOON, cycleIndex: 7 });
    expect(payload.upcomingOrders.map(({ cycleIndex }: { cycleIndex: number }) => cycleIndex)).toEqual([
      7, 9, 10,
    ]);
    const [entry] = await world.entries();
    expect(entry?.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['billingCycles.8.skipped', 'false', 'true'],
      ['billingCycles.7.skipped', 'true', 'false'],
      ['billingCycles.7.billingAttemptExpectedDate', '2026-11-25T08:00:00Z', SOON],
    ]);
  });

  test('cannot come before its cycle while the current one is paid: the error names when it can', async () => {
    world.contract.billedCycles.push(current(world.contract).index);
    const before = dates();
    const { payload } = await send(dateOf(1));
    expect(payload.userErrors).toMatchObject([
      {
        code: 'OUT_OF_BOUNDS',
        field: ['expectedDate'],
        details: { earliest: '2026-11-25T08:00:01Z', cycleIndex: 8 },
      },
    ]);
    expect([dates(), await world.timeline()]).toEqual([before, []]);
  });

  test('stays when it is due already: nothing is recorded', async () => {
    world.edit(0, {});
    world.contract.cycleEdits[7] = {
      skipped: false,
      billingDate: formatIsoInstant(NOW_MS + 60_000),
      contract: null,
    };
    const before = dates();
    const { payload } = await send(formatIsoInstant(NOW_MS + 60_000));
    expect([payload.userErrors, payload.contract.nextOrder.cycleIndex, dates()]).toEqual([[], 7, before]);
    expect(await world.timeline()).toEqual([]);
  });
});

test('a store that does not offer it lets an order be moved to a near date', async () => {
  Object.assign(world.settings, { sendNow: 'OFF' });
  const { payload } = await send();
  expect(payload.userErrors).toMatchObject([{ code: 'SEND_NOW_NOT_OFFERED' }]);
  const MOVE = `mutation ($contractId: ID!, $date: DateTime!) {
    subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: 7, billingDate: $date) { userErrors { code } } }`;
  const moved = await world.ask(MOVE, { date: formatIsoInstant(NOW_MS).slice(0, 10) });
  expect([moved.payload.userErrors, dates(1)]).toEqual([[], [`7 ${SOON}`]]);
});

describe('refusals', () => {
  test('refuses a second order at the end of a cycle whose order is not paid yet', async () => {
    const { index } = current(world.contract);
    expect((await send()).payload.userErrors).toEqual([]);
    world.platform.holder.nowMs = Date.parse('2026-11-25T08:01:00Z');
    const before = dates();
    const next = '2026-12-02T08:00:00Z';
    expect((await send(next)).payload.userErrors).toMatchObject([
      { code: 'INCOMPLETE_BILLING_ATTEMPTS', details: { cycleIndex: index, date: SOON } },
    ]);
    expect(dates()).toEqual(before);
    world.contract.billedCycles.push(index);
    const { payload } = await send(next);
    expect(payload).toMatchObject({ userErrors: [], contract: { nextOrder: { cycleIndex: index + 1 } } });
  });

  const CHANGES: Readonly<Record<string, [argument: string, send: () => ReturnType<typeof send>]>> = {
    'sent now': ['expectedDate', () => send()],
    moved: ['billingDate', () => world.ask(MOVE, {})],
    'moved by a resumption': ['nextBillingDate', () => world.ask(ACTIVATE, {})],
    'moved by a new interval': ['nextBillingDate', () => world.ask(TWO_WEEKS, {})],
  };
  test.each(Object.entries(CHANGES))(
    'leaves an order that the service will bill to its days, if it would be %s to a day before the first of them',
    async (_name, [argument, ask]) => {
      const settings = createBillingSettings({ table, now: world.now });
      const before = await settings.read(store.shopId);
      await settings.write(store.shopId, before, { ...before, enabled: true, startsOn: '2026-11-24' });
      const orders = dates();
      const { payload } = await ask();
      expect(payload.userErrors).toMatchObject([
        {
          code: 'OUT_OF_BOUNDS',
          field: [argument],
          message:
            'Orders of this subscription are charged automatically from November 24, 2026 on. This order cannot come earlier.',
          details: { earliest: '2026-11-24T00:00:00Z' },
        },
      ]);
      expect([dates(), await world.timeline()]).toEqual([orders, []]);
    },
  );

  const tried = { failedTryCount: 3 };
  test.each([
    ['after an order that billing has given up', { ...tried, state: 'ENDED', reason: 'TRIES_OVER' }, true],
    ['after an order that is tried again', { ...tried, state: 'RETRYING' }, false],
  ] as const)('sends or refuses the next order %s', async (_which, charge, isSent) => {
    const { shopId } = store;
    const settings = createBillingSettings({ table, now: world.now });
    const before = await settings.read(shopId);
    await settings.write(shopId, before, { ...before, enabled: true, startsOn: '2026-11-20' });
    world.platform.holder.nowMs = Date.parse('2026-11-26T08:00:00Z');
    await composeBillingCharges({ table, now: world.now }).create({
      ...{ shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex: current(world.contract).index },
      ...{ runDate: '2026-11-25', expectedAtMs: Date.parse('2026-11-25T08:00:00Z'), ...charge },
    });
    const { payload } = await send('2026-12-02T08:00:00Z');
    expect(payload.userErrors).toMatchObject(isSent ? [] : [{ code: 'INCOMPLETE_BILLING_ATTEMPTS' }]);
  });

  test('a second tap is a mismatch and no second order', async () => {
    const date = dateOf(0);
    expect((await send(date)).payload.userErrors).toEqual([]);
    const before = dates();
    expect((await send(date)).payload.userErrors).toMatchObject([
      { code: 'CYCLE_DATE_MISMATCH', field: ['expectedDate'], details: { cycleIndex: 7, date: SOON } },
    ]);
    expect(dates()).toEqual(before);
  });

  test('an order that was moved back can be sent again', async () => {
    const date = dateOf(0);
    const MOVE = `mutation ($contractId: ID!, $date: DateTime!) {
      subscriptionBillingCycleReschedule(contractId: $contractId, billingCycleIndex: 7, billingDate: $date) { userErrors { code } } }`;
    for (let times = 0; times < 2; times += 1) {
      expect((await send(date)).payload.userErrors).toEqual([]);
      await world.ask(MOVE, { date });
    }
    expect(await world.timeline()).toEqual(Array.from({ length: 4 }, () => 'billing_cycle_rescheduled DONE'));
  });

  test.each([
    [2, 0],
    [5, 0],
    [5, 1],
  ])('%i taps at the same time send one order, with one entry (order %i)', async (count, offset) => {
    if (offset === 1) skip(0);
    const others = dates().slice(1 + offset);
    const keyed = SEND.replace('$date: DateTime!) {', '$date: DateTime!, $key: String!) {')
      .replace('$date) {', '$date) @idempotent(key: $key) {')
      .replace('contract {', 'event { id } contract {');
    const date = dateOf(offset);
    const tap = (key: string) => world.ask(keyed, { date, key });
    const keys = Array.from({ length: count }, (_, number) => `tap ${number}`);
    const payloads = (await Promise.all(keys.map(tap))).map(({ payload }) => payload);
    const sent = payloads.filter(({ userErrors }) => userErrors.length === 0);
    expect(sent).toMatchObject([
      { event: { id: expect.any(String) }, contract: { nextOrder: { date: SOON } } },
    ]);
    for (const payload of payloads.filter((one) => one !== sent[0])) {
      expect(payload).toMatchObject({ event: null, contract: null });
      expect(['CONCURRENT_UPDATE', 'CYCLE_DATE_MISMATCH']).toContain(payload.userErrors[0]?.code);
    }
    expect(dates().filter((_, at) => at === 0 || at > offset)).toEqual([`7 ${SOON}`, ...others]);
    expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
    for (const key of keys) {
      const { payload } = await tap(key);
      expect([[], ['CYCLE_DATE_MISMATCH']]).toContainEqual(
        payload.userErrors.map(({ code }: { code: string }) => code),
      );
    }
    expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
  });

  test.each<[string, () => void, object]>([
    [
      'the store does not offer it',
      () => Object.assign(world.settings, { sendNow: undefined }),
      { code: 'SEND_NOW_NOT_OFFERED', field: null },
    ],
    [
      'the contract is paused',
      () => Object.assign(world.contract.content, { status: 'PAUSED' }),
      { code: 'CONTRACT_NOT_ACTIVE', details: { status: 'PAUSED' } },
    ],
    [
      'the contract has ended',
      () => Object.assign(world.contract.content, { status: 'CANCELLED' }),
      { code: 'CONTRACT_TERMINATED' },
    ],
    [
      'no order is due within a year',
      () => skip(...Array.from({ length: 60 }, (_, offset) => offset)),
      { code: 'NO_UPCOMING_ORDER' },
    ],
    [
      'the order has another date',
      () => world.edit(0, { date: '2026-11-24' }),
      { code: 'CYCLE_DATE_MISMATCH' },
    ],
  ])('nothing is changed when %s', async (_name, prepare, error) => {
    const date = dateOf(0);
    prepare();
    const before = JSON.stringify(world.contract);
    const { payload } = await send(date);
    expect([payload.contract, payload.userErrors]).toMatchObject([null, [error]]);
    expect([JSON.stringify(world.contract), await world.timeline()]).toEqual([before, []]);
  });

  test('another customer’s contract is refused', async () => {
    world.contract.content.customerId = 7_001_002;
    expect((await send()).code).toBe('FORBIDDEN');
  });

  test('an idempotency key returns the same order again', async () => {
    const keyed = SEND.replace('$date) {', '$date) @idempotent(key: "tap") {');
    const date = dateOf(0);
    for (let time = 0; time < 2; time++) {
      const { payload } = await world.ask(keyed, { date });
      expect([payload.userErrors, payload.upcomingOrders[0].date]).toEqual([[], SOON]);
    }
    expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
  });
});

test.each([
  [40, 'the order of the current cycle', 0],
  [40, 'the following order', 1],
  [60, 'the order after eleven skipped ones', 11],
])('costs at most %s points when %s is sent', async (maximum, _order, offset) => {
  const query = SEND.replace('contract { id nextOrder { date cycleIndex } }', 'contract { id }');
  skip(...Array.from({ length: offset }, (_, at) => at));
  const { documents, payload } = await world.ask(query, { date: dateOf(offset) });
  const points = documents.reduce((sum, text) => sum + countDocumentPoints(text, {}), 0);
  expect(payload.userErrors).toEqual([]);
  expect(points).toBeLessThanOrEqual(maximum);
});

const CHARGE = `mutation ($contractId: ID!, $date: DateTime!) {
  subscriptionBillingCycleCharge(subscriptionContractId: $contractId, billingCycleSelector: { index: 7 }, expectedDate: $date) {
    subscriptionBillingAttempt { id } userErrors { code } } }`;

test('the order is charged on its new date, once', async () => {
  await send();
  world.platform.holder.nowMs += 6 * 60_000;
  const first = await world.ask(CHARGE, { date: SOON }, 'store');
  const second = await world.ask(CHARGE, { date: SOON }, 'store');
  expect([first.payload.userErrors, second.payload]).toEqual([[], first.payload]);
  const attempts = [...world.platform.store().attempts.values()];
  expect(
    attempts.filter(({ cycleIndex, contractId }) => cycleIndex === 7 && contractId === 9_101_001),
  ).toHaveLength(1);
});

test.each([
  ['pending', 3_600, null],
  ['declined', 0, 'CARD_DECLINED'],
])(
  'the dates agree and nothing is changed while the charge is %s',
  async (_state, chargeDelaySeconds, declines) => {
    await send();
    world.platform.holder.nowMs += 6 * 60_000;
    Object.assign(world.shop(), { chargeDelaySeconds });
    for (const { instrument } of world.shop().paymentMethods.values()) instrument.declines = declines;
    await world.ask(CHARGE, { date: SOON }, 'store');
    world.platform.holder.nowMs += 60_000;
    const before = dates();
    const { payload } = await send(SOON);
    const following = { date: '2026-12-02T08:00:00Z', cycleIndex: 8 };
    expect([payload.userErrors, payload.contract.nextOrder]).toEqual([[], following]);
    expect(payload.upcomingOrders[0]).toEqual({ ...following, skipped: false });
    expect(dates()).toEqual(before);
  },
);

describe('while it fails', () => {
  const at = 'subscriptionBillingCycleScheduleEdit';

  test('a request that is lost before the change leaves all as it was', async () => {
    const before = dates();
    world.fail({ kind: 'lost before', at });
    expect((await send()).code).toBe('OUTCOME_UNKNOWN');
    await world.settle();
    expect([dates(), await world.timeline()]).toEqual([before, []]);
  });

  test.each([[0], [1]])('a lost response leaves one order, and one entry (order %i)', async (offset) => {
    if (offset === 1) skip(0);
    world.fail({ kind: 'lost after', at });
    const { payload } = await send(dateOf(offset));
    expect([payload.userErrors, payload.contract.nextOrder]).toEqual([[], { date: SOON, cycleIndex: 7 }]);
    expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
  });

  test('an order that was moved is never reported as not moved when the contract cannot be read afterwards', async () => {
    const { platform } = world;
    const { send: deliver } = platform;
    let isMoved = false;
    platform.send = async (body, ...more) => {
      if (isMoved) throw new TransportError('Admin API', 'cut', true);
      isMoved = body.includes(at);
      return deliver(body, ...more);
    };
    expect((await send()).code).toBe('OUTCOME_UNKNOWN');
    platform.send = deliver;
    await world.settle();
    expect(await world.timeline()).toEqual(['billing_cycle_rescheduled DONE']);
  });

  test('an order that is skipped at the same time stays skipped, and the error names the next order', async () => {
    world.fail({ kind: 'stale', at, change: () => skip(0) });
    const { payload } = await send();
    expect(payload.userErrors).toMatchObject([
      { code: 'CYCLE_DATE_MISMATCH', details: { cycleIndex: 8, date: '2026-12-02T08:00:00Z' } },
    ]);
    expect([dates(1), await world.timeline()]).toEqual([['-7 2026-11-25T08:00:00Z'], []]);
  });

  test('an order that is paid at the same time stays, and the error names the next order', async () => {
    world.fail({ kind: 'stale', at, change: () => world.contract.billedCycles.push(7) });
    const { payload } = await send();
    expect(payload.userErrors).toMatchObject([{ code: 'CYCLE_DATE_MISMATCH', details: { cycleIndex: 8 } }]);
    expect(await world.timeline()).toEqual([]);
  });

  test('an order whose charge begins at the same time is reported as being billed', async () => {
    const refusal = {
      code: 'INCOMPLETE_BILLING_ATTEMPTS',
      field: ['billingCycleInput'],
      message: 'In progress',
    };
    world.fail({ kind: 'refused', at, refusal });
    expect((await send()).payload.userErrors).toMatchObject([
      { code: 'INCOMPLETE_BILLING_ATTEMPTS', field: ['contractId'], details: { cycleIndex: 7 } },
    ]);
  });

  test('a contract that is cancelled at the same time is reported as such', async () => {
    const change = () => Object.assign(world.contract.content, { status: 'CANCELLED' });
    world.fail({ kind: 'stale', at, change });
    const { payload } = await send();
    expect(payload.userErrors).toMatchObject([{ code: 'CONTRACT_TERMINATED' }]);
    expect(await world.timeline()).toEqual([]);
  });

  test('an order can be sent again after the platform refused it', async () => {
    world.fail({ kind: 'one refused', at, mutation: 1, times: 2 });
    expect((await send()).payload.userErrors).toMatchObject([{ code: 'INVALID', field: ['contractId'] }]);
    expect((await send()).payload.userErrors).toEqual([]);
  });

  test('the skip is taken back when the platform refuses the order of the current cycle', async () => {
    skip(0);
    const before = dates();
    world.fail({ kind: 'one refused', at, mutation: 2, times: 9 });
    const { payload } = await send(dateOf(1));
    expect([payload.userErrors, dates()]).toMatchObject([[{ code: 'INVALID' }], before]);
    expect(await world.timeline()).toEqual([]);
  });
});

describe.each(
  UNPUBLISHED_BEHAVIOURS.cycleBounds.flatMap((cycleBounds) =>
    UNPUBLISHED_BEHAVIOURS.skippedDates.map((skippedDates) => ({ cycleBounds, skippedDates })),
  ),
)(
  'the dates of the response and of later reads, with $cycleBounds bounds and $skippedDates dates',
  (ways) => {
    const READ = `{ subscriptionContractDetails(contractId: "${gid('SubscriptionContract', WEEKLY)}") {
    contract { nextOrder { date cycleIndex } }
    billingCycles(first: 50) { nodes { cycleIndex billingAttemptExpectedDate orderDate skipped } } } }`;
    const ANSWER = SEND.replace(
      'contract {',
      'contract { billingCycles(first: 50) { nodes { cycleIndex billingAttemptExpectedDate orderDate skipped } }',
    );
    type Cycle = { cycleIndex: number; orderDate: string | null; skipped: boolean };

    test.each<[string, number, () => void]>([
      ['the order of the current cycle', 0, () => undefined],
      ['the following order', 1, () => skip(0)],
      [
        'the order after a moved and skipped one',
        1,
        () => world.edit(0, { skipped: true, date: '2026-11-23' }),
      ],
      ['the order after twelve skipped ones', 12, () => skip(...Array.from({ length: 12 }, (_, at) => at))],
    ])('are the same after %s is sent', async (_name, offset, prepare) => {
      Object.assign(world.shop().unpublished, ways);
      prepare();
      const { payload } = await world.ask(ANSWER, { date: dateOf(offset) });
      expect(payload.userErrors).toEqual([]);
      const read = (await world.ask(READ, {})).payload;
      const orders = read.billingCycles.nodes.flatMap(({ cycleIndex, orderDate: date, skipped }: Cycle) =>
        date === null ? [] : [{ cycleIndex, date, skipped }],
      );
      expect(payload.contract.nextOrder).toEqual({ date: SOON, cycleIndex: 7 });
      expect(read.contract.nextOrder).toEqual(payload.contract.nextOrder);
      expect(payload.contract.billingCycles).toEqual(read.billingCycles);
      expect(payload.upcomingOrders.length).toBeGreaterThanOrEqual(3);
      expect(payload.upcomingOrders).toEqual(orders.slice(0, payload.upcomingOrders.length));
    });
  },
);
