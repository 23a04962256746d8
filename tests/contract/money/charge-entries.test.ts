/** The timeline's entries about a charge: its outcome, once, as soon as it is known. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { GraphQLEnumType } from 'graphql';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { message } from '../../../lib/messages/message.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { readDueTasks } from '../../../lib/storage/scheduled-tasks.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { readStream } from '../../../lib/storage/stream/read-stream.ts';
import { MAX_ATTEMPTS_PER_REQUEST } from '../../../lib/store-events/charges/read-attempts.ts';
import { recordAttempts } from '../../../lib/store-events/charges/record-attempts.ts';
import { reconcileStore } from '../../../lib/store-events/reconciliation/reconcile-store.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { declineMessage } from '../../../lib/timeline/present/decline-message.ts';
import { eventMessage } from '../../../lib/timeline/present/event-message.ts';
import { claimBillingAttempt } from '../../../lib/timeline/record-charge.ts';
import { settleOpenCharges } from '../../../lib/timeline/settle/settle-open-charges.ts';
import { findCycleAt } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { createMonth } from '../../../tools/capacity/assumptions.ts';
import { measuredWorks } from '../../../tools/capacity/measured.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { Crash } from '../../lib/stores/world/faults.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { createStoreWorld, MINUTE_MS, type StoreWorld, WEEKLY } from '../../world/store-world.ts';
import { NO_TOMBSTONES } from '../world/observe.ts';
import { gid } from '../world/operation-world.ts';

const ID = gid('SubscriptionContract', WEEKLY);
let world: StoreWorld;
let table: ReturnType<typeof createMemoryTable>;
let index: number;
beforeEach(() => begin());

function begin() {
  table = createMemoryTable();
  world = createStoreWorld(table);
  const contract = world.contract(WEEKLY);
  index = findCycleAt(contract, NOW_MS)?.index ?? 0;
  contract.cycleEdits[index] = {
    skipped: false,
    billingDate: formatIsoInstant(NOW_MS + HOUR_MS),
    contract: null,
  };
  world.platform.store().chargeDelaySeconds = 200;
}

function bank(declines: string | null) {
  const { platform } = world;
  const { instrument } =
    platform.store().paymentMethods.get(world.contract(WEEKLY).content.paymentMethodId ?? '') ?? {};
  if (instrument === undefined) throw new Error('the contract has no card');
  instrument.declines = declines;
}

const serviceCharge = () =>
  `subscriptionBillingCycleCharge(subscriptionContractId: "${ID}", billingCycleSelector: { index: ${index} })`;
const externalCharge = () => `subscriptionBillingAttemptCreate(subscriptionContractId: "${ID}",
  subscriptionBillingAttemptInput: { idempotencyKey: "mine", billingCycleSelector: { index: ${index} } })`;
const ways = { 'our own mutation': serviceCharge, 'the platform’s': externalCharge };

function charge(text: string, process = world.process()) {
  const query = `mutation { ${text} { subscriptionBillingAttempt { id } userErrors { code } } }`;
  return world.run({
    as: 'store',
    query,
    ...process.asFunction,
    now: world.now,
    wait: async (ms) => world.later(ms),
  });
}

const entries = (query?: string) => world.entries(WEEKLY, query);
const timeline = async (query?: string) =>
  (await entries(query)).map(({ action, outcome }) => `${action} ${outcome}`);
const attempts = () =>
  [...world.platform.store().attempts.values()].filter(({ cycleIndex }) => cycleIndex === index);
const open = async () => {
  let count = 0;
  const { scheduledTasks } = world.process().deps;
  for (const kind of ['intent', 'charge'] as const) {
    for await (const _item of scheduledTasks.listDue(kind, world.now() + 30 * DAY_MS)) count += 1;
  }
  return count;
};

test('continues a run after any number of charges that have to wait', async () => {
  await charge(serviceCharge());
  world.later(20 * MINUTE_MS);
  const { deps } = world.process();
  const [item] = await readDueTasks(deps.scheduledTasks, { kind: 'charge', nowMs: world.now(), maxCount: 1 });
  if (item === undefined) throw new Error('no charge is open');
  const gone = { ...item, shopId: 7 as ShopId, dueAtMs: item.dueAtMs - 1 };
  for (const name of ['1', '2', '3', '4', '5']) await deps.scheduledTasks.put({ ...gone, name });
  const stores = { find: async (shopId: ShopId) => (shopId === store.shopId ? store : undefined) };
  expect(await settleOpenCharges({ ...deps, stores }, world.now() + MINUTE_MS, 2)).toBe(1);
  expect(await timeline()).toEqual(['billing_cycle_charged DONE']);
});

/** Counts the calls of `work` that are under way at the same time. */
function countConcurrently<Argument, Result>(work: (argument: Argument) => Promise<Result>) {
  const counted = { running: 0, maximum: 0 };
  const run = async (argument: Argument) => {
    counted.maximum = Math.max(counted.maximum, ++counted.running);
    await new Promise(setImmediate);
    counted.running--;
    return work(argument);
  };
  return { run, counted };
}

test('settles at most ten charges of a store at the same time', async () => {
  await charge(serviceCharge());
  world.later(20 * MINUTE_MS);
  const { deps } = world.process();
  const [item] = await readDueTasks(deps.scheduledTasks, { kind: 'charge', nowMs: world.now(), maxCount: 1 });
  if (item === undefined) throw new Error('no charge is open');
  for (let count = 1; count < 50; count++) await deps.scheduledTasks.put({ ...item, name: `${count}` });
  const { run: remove, counted } = countConcurrently(deps.scheduledTasks.remove);
  const stores = { find: async () => store };
  const scheduledTasks = { ...deps.scheduledTasks, remove };
  expect(await settleOpenCharges({ ...deps, stores, scheduledTasks }, world.now() + MINUTE_MS)).toBe(50);
  expect(counted.maximum).toBe(10);
});

const worker = () => world.process(undefined, 'store-events');

/** Runs the worker for the webhooks of all attempts. */
async function recordCharges(process = worker()): Promise<string[]> {
  const run = { store: store as StoreRecord, endAtMs: world.now() + MINUTE_MS };
  return recordAttempts(
    process.deps,
    run,
    attempts().map(({ id }) => String(id)),
  );
}

/** Charges with another app. */
async function chargeExternally() {
  const id = ID.replace('platform', 'shopify');
  await world.platform.run(`{ subscriptionBillingAttemptCreate(subscriptionContractId: "${id}",
    subscriptionBillingAttemptInput: { idempotencyKey: "theirs", billingCycleSelector: { index: ${index} } }) {
      userErrors { message } } }`);
}

/** Returns the events for merchants' servers, each once, in order. */
async function placed(): Promise<string[]> {
  await world.place();
  const { deps } = world.process(undefined, 'webhook-deliveries');
  const records = await readStream({ ...deps, now: world.now }, store.shopId, { limit: 100 });
  return [...new Map(records.map(({ id, entry }) => [id, String(entry?.action)])).values()];
}

describe('a charge by another app', () => {
  const pass = async (ms: number) => {
    world.later(ms);
    await world.place();
  };

  test.each([
    [null, 'billing_cycle_charged'],
    ['EXPIRED_CARD', 'billing_cycle_declined'],
  ])('records one entry of an unknown actor for the result %s', async (code, action) => {
    bank(code);
    await chargeExternally();
    expect(await recordCharges()).toEqual(['done']);
    expect(await timeline()).toEqual([]);
    await pass(5 * MINUTE_MS);
    await recordCharges();
    await recordCharges();
    expect(await entries()).toMatchObject([
      {
        action,
        actor: { kind: 'UNKNOWN' },
        details: { billingCycleIndex: index, ...(code && { errorCode: code }) },
        changes: [{ field: `billingCycles.${index}.billingAttempts` }],
      },
    ]);
  });

  test('records a required confirmation, then the result in the same entry', async () => {
    bank('ACTION_REQUIRED');
    await chargeExternally();
    await pass(5 * MINUTE_MS);
    await recordCharges();
    expect(await timeline()).toEqual(['billing_cycle_action_required DONE']);
    bank(null);
    await pass(5 * MINUTE_MS);
    await recordCharges();
    expect(await timeline()).toEqual(['billing_cycle_charged DONE']);
  });

  test('records a required confirmation first when the charge is paid before that entry is appended', async () => {
    bank('ACTION_REQUIRED');
    await chargeExternally();
    world.later(5 * MINUTE_MS);
    await recordCharges();
    bank(null);
    world.later(5 * MINUTE_MS);
    expect(await recordCharges()).toEqual(['wait']);
    await world.place();
    expect(await recordCharges()).toEqual(['done']);
    expect(await placed()).toEqual(['billing_cycle_action_required', 'billing_cycle_charged']);
  });

  test('records an external charge once when the worker crashes at any step', async () => {
    for (let step = 0; ; step++) {
      begin();
      await chargeExternally();
      await pass(5 * MINUTE_MS);
      const process = worker();
      let hasDied = false;
      process.faults.plan = ({ count }) => {
        if (count !== Math.floor(step / 2)) return undefined;
        hasDied = true;
        return step % 2 === 0 ? 'before' : 'after';
      };
      await recordCharges(process).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      await recordCharges();
      expect(await timeline()).toEqual(['billing_cycle_charged DONE']);
      if (!hasDied) break;
    }
  });
});

describe('the webhook of a charge is lost', () => {
  type Send = ReturnType<StoreWorld['process']>['deps']['sendWithinBudget'];
  /** Handles a request for a page of charges; `end` ends the run after it. */
  type Interruption = (send: (query?: string) => ReturnType<Send>, end: () => void) => ReturnType<Send>;

  /** Runs the nightly reconciliation once. Returns when the next run is due. */
  async function pass(process = worker(), faultProfile: Interruption = (send) => send()) {
    const ending = new AbortController();
    const { sendWithinBudget, ...deps } = process.deps;
    const send: Send = (operation) =>
      operation.document.includes('AttemptsOfStore')
        ? faultProfile(
            (query) =>
              sendWithinBudget(
                query === undefined
                  ? operation
                  : { ...operation, variables: { ...operation.variables, query } },
              ),
            () => ending.abort(),
          )
        : sendWithinBudget(operation);
    const parts = {
      ...{ ...deps, tombstones: NO_TOMBSTONES, sendWithinBudget: send },
      stores: { find: async () => ({ ...store, timeZone: UTC }) as StoreRecord },
    };
    const turn = { shopId: store.shopId, endAtMs: world.now() + HOUR_MS, signal: ending.signal };
    const nextAtMs = await reconcileStore(parts, turn);
    await world.place();
    return nextAtMs;
  }
  const reconcile = async (faultProfile?: Interruption) => {
    world.later(DAY_MS);
    return pass(worker(), faultProfile);
  };
  const recorded = async () => (await entries()).filter(({ action }) => action !== 'changed_elsewhere');
  const ownTimeline = async () =>
    (await recorded()).map(({ actor, action, outcome }) => `${actor.kind} ${action} ${outcome}`);

  test.each([
    [null, 'billing_cycle_charged'],
    ['EXPIRED_CARD', 'billing_cycle_declined'],
  ])(
    'records an external charge with the result %s once in the nightly reconciliation',
    async (code, action) => {
      await pass();
      bank(code);
      await chargeExternally();
      for (let passes = 0; passes < 3; passes++) await reconcile();
      expect(await recorded()).toMatchObject([
        {
          action,
          actor: { kind: 'UNKNOWN' },
          details: { billingCycleIndex: index, ...(code && { errorCode: code }) },
          changes: [{ field: `billingCycles.${index}.billingAttempts`, after: String(attempts()[0]?.id) }],
        },
      ]);
      expect((await placed()).filter((one) => one === action)).toHaveLength(1);
    },
  );

  test('does not record a charge from before the first reconciliation', async () => {
    await chargeExternally();
    world.later(5 * MINUTE_MS);
    for (let passes = 0; passes < 2; passes++) await reconcile();
    expect(await recorded()).toEqual([]);
  });

  test('does not record an old charge when the platform ignores the filter', async () => {
    await chargeExternally();
    world.later(5 * MINUTE_MS);
    for (let passes = 0; passes < 2; passes++) await reconcile((send) => send(''));
    expect(await recorded()).toEqual([]);
  });

  test('records later results in the following reconciliation', async () => {
    await pass();
    world.platform.store().chargeDelaySeconds = 1.2 * 86_400;
    await chargeExternally();
    await reconcile();
    expect(await ownTimeline()).toEqual([]);
    bank('ACTION_REQUIRED');
    await reconcile();
    expect(await ownTimeline()).toEqual(['UNKNOWN billing_cycle_action_required DONE']);
    bank(null);
    await reconcile();
    await reconcile();
    expect(await ownTimeline()).toEqual(['UNKNOWN billing_cycle_charged DONE']);
  });

  test('records the service’s own charge with its actor in the reconciliation when nothing else did', async () => {
    await pass();
    await charge(serviceCharge());
    await reconcile();
    await reconcile();
    expect([await ownTimeline(), await open()]).toEqual([['MERCHANT billing_cycle_charged DONE'], 0]);
  });

  test('reads a charge that waits for the customer’s bank again after two reads in one millisecond', async () => {
    await pass();
    bank('ACTION_REQUIRED');
    await charge(serviceCharge());
    world.later(5 * MINUTE_MS);
    await recordCharges();
    await world.place();
    await recordCharges();
    expect(await open()).toBe(1);
  });

  test('waits in the reconciliation until a charge that may be the service’s own is recorded', async () => {
    await pass();
    world.later(DAY_MS - MINUTE_MS);
    // Its request fails after the platform has charged.
    const process = world.process();
    let isMade = false;
    process.faults.plan = () => (isMade ? 'before' : undefined);
    const { send } = world.platform;
    world.platform.send = async (...request) => {
      const answer = await send(...request);
      isMade ||= request[0].includes('subscriptionBillingAttemptCreate');
      return answer;
    };
    await charge(externalCharge(), process).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    expect(attempts()).toHaveLength(1);
    world.later(5 * MINUTE_MS);
    expect(await pass()).toBe(world.now() + MINUTE_MS);
    expect(await ownTimeline()).toEqual([]);
    world.later(5 * MINUTE_MS);
    await world.work();
    expect(await pass()).toBeGreaterThan(world.now() + HOUR_MS);
    expect(await ownTimeline()).toEqual(['MERCHANT billing_cycle_charged DONE']);
  });

  test('compares contracts while charges cannot be read for two nights, and records the charges on the third', async () => {
    await pass();
    await chargeExternally();
    for (const note of ['first', 'second']) {
      world.contract(WEEKLY).content.note = note;
      await reconcile(() => Promise.reject(new ServiceError('STORE_ACCESS_MISSING')));
    }
    const notes = (await entries()).flatMap(({ changes }) => changes).filter(({ field }) => field === 'note');
    expect(notes).toHaveLength(2);
    await reconcile();
    expect(await ownTimeline()).toEqual(['UNKNOWN billing_cycle_charged DONE']);
  });

  test('records all other charges when one is returned incompletely, and that one later', async () => {
    await pass();
    world.platform.store().chargeDelaySeconds = 0;
    await chargeExternally();
    const [first] = attempts();
    if (first === undefined) throw new Error('nobody charged');
    const other = { ...first, id: first.id + 1, idempotencyKey: 'other' };
    world.platform.store().attempts.set(other.id, other);
    const path = ['subscriptionBillingAttempts', 'nodes', 0, 'state', 'error'];
    await reconcile(async (send) => ({ ...(await send()), errors: [{ message: 'Internal error', path }] }));
    const tellable = (await recorded()).map(({ changes }) => changes[0]?.after);
    expect(tellable).toEqual([String(other.id)]);
    await reconcile();
    expect(await ownTimeline()).toHaveLength(2);
  });

  test('reads at most ten attempts of a store in the table at the same time', async () => {
    await chargeExternally();
    world.later(20 * MINUTE_MS);
    await recordCharges();
    const all = world.platform.store().attempts;
    const [first] = attempts();
    if (first === undefined) throw new Error('nobody charged');
    for (let more = 1; more < MAX_ATTEMPTS_PER_REQUEST; more++)
      all.set(first.id + more, { ...first, id: first.id + more, idempotencyKey: `theirs-${more}` });
    const { deps, ...process } = worker();
    const { run: get, counted } = countConcurrently(deps.table.get);
    const outcomes = await recordCharges({ ...process, deps: { ...deps, table: { ...deps.table, get } } });
    expect(outcomes).toHaveLength(MAX_ATTEMPTS_PER_REQUEST);
    expect(counted.maximum).toBe(10);
  });

  test('reads and writes each open charge as often as costs and simulation assume', async () => {
    await pass();
    const beganAtMs = world.now();
    await charge(serviceCharge());
    world.later(20 * MINUTE_MS);
    const stores = { find: async () => store };
    await settleOpenCharges({ ...world.process().deps, stores }, world.now() + MINUTE_MS, 2);
    const all = world.platform.store().attempts;
    const [first] = attempts();
    if (first === undefined) throw new Error('nobody charged');
    const many = 2 * MAX_ATTEMPTS_PER_REQUEST;
    for (let more = 1; more < many; more++) {
      all.set(first.id + more, { ...first, id: first.id + more, idempotencyKey: `ours-${more}` });
      const attemptId = gid('SubscriptionBillingAttempt', first.id + more);
      const ref = { shopId: store.shopId, contract: String(WEEKLY) as ContractNumber };
      await claimBillingAttempt({ table }, { ...ref, attemptId, id: 'ours' });
    }
    const passes: { calls: number; writes: number; pages: number }[] = [];
    for (let reconcile = 1; reconcile < 2 + createMonth().readsOfCharge; reconcile++) {
      world.later(beganAtMs + reconcile * DAY_MS - world.now());
      const process = worker();
      let pages = 0;
      await pass(process, (send) => {
        pages++;
        return send();
      });
      const { calls } = process.faults;
      const writes = calls.filter(({ operation }) => !/^(?:get|batchGet|query)$/.test(operation)).length;
      passes.push({ calls: calls.length, writes, pages });
    }
    const none = passes.at(-1) ?? { calls: 0, writes: 0, pages: 0 };
    const reading = passes.filter(({ pages }) => pages > none.pages);
    expect(reading).toHaveLength(createMonth().readsOfCharge);
    const { nightlyCharge } = measuredWorks;
    for (const { calls, writes, pages } of reading) {
      const additional = { reads: calls - writes - none.calls + none.writes, writes: writes - none.writes };
      expect(additional.reads / many).toBeLessThan(1.2 * nightlyCharge.readUnits);
      // The pass notes where it is.
      expect([additional.writes, pages]).toEqual([1, 2]);
    }
  });

  test('records each of many charges once when the reconciliation stops after each page and crashes anywhere', async () => {
    await pass();
    await chargeExternally();
    const all = world.platform.store().attempts;
    const [first] = attempts();
    if (first === undefined) throw new Error('nobody charged');
    for (let more = 1; more < 90; more++)
      all.set(first.id + more, { ...first, id: first.id + more, idempotencyKey: `theirs-${more}` });
    world.later(DAY_MS);
    let [deaths, runs] = [0, 0];
    for (let nextAtMs: number | undefined; (nextAtMs ?? 0) <= world.now(); runs++) {
      const process = worker();
      const dies = 5 + 23 * runs;
      process.faults.plan = ({ count }) => {
        if (count !== dies || runs > 12) return undefined;
        deaths++;
        return runs % 2 === 0 ? 'before' : 'after';
      };
      const ends: Interruption = (send, end) => {
        if (runs % 3 === 2) end();
        return send();
      };
      nextAtMs = await pass(process, ends).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
        return undefined;
      });
    }
    expect(deaths).toBeGreaterThan(8);
    await reconcile();
    const ids = (await recorded()).map(({ changes }) => changes[0]?.after);
    expect([ids.length, new Set(ids).size]).toEqual([90, 90]);
  });
});

describe.each(Object.entries(ways))('charged by %s', (_name, way) => {
  test.each([
    [null, 'billing_cycle_charged'],
    ['EXPIRED_CARD', 'billing_cycle_declined'],
    ['INSUFFICIENT_FUNDS', 'billing_cycle_declined'],
  ])(
    'with a card that says %s, records nothing before the attempt has ended, then %s',
    async (code, action) => {
      bank(code);
      await charge(way());
      await world.work();
      expect([await timeline(), await open()]).toEqual([[], 1]);
      world.later(3 * MINUTE_MS);
      await world.work();
      expect([await timeline(), await open()]).toEqual([[], 1]);
      world.later(15 * MINUTE_MS);
      await world.work();
      await world.work();
      expect([await timeline(), await open()]).toEqual([[`${action} DONE`], 0]);
      expect(await entries()).toMatchObject([
        {
          actor: { kind: 'MERCHANT' },
          createdAtMs: NOW_MS,
          details: { billingCycleIndex: index, ...(code && { errorCode: code }) },
          changes: [{ field: `billingCycles.${index}.billingAttempts`, after: String(attempts()[0]?.id) }],
        },
      ]);
    },
  );

  test('records a required confirmation, then its result in the same entry', async () => {
    bank('ACTION_REQUIRED');
    await charge(way());
    world.later(5 * MINUTE_MS);
    await world.work();
    expect(await timeline()).toEqual(['billing_cycle_action_required DONE']);
    for (let hours = 0; hours < 3; hours++) {
      world.later(HOUR_MS + MINUTE_MS);
      await world.work();
    }
    expect([await timeline(), await open()]).toEqual([['billing_cycle_action_required DONE'], 1]);
    bank(null);
    world.later(HOUR_MS);
    await world.work();
    expect([await timeline(), await open()]).toEqual([['billing_cycle_charged DONE'], 0]);
    expect(await timeline('action:billing_cycle_action_required')).toEqual([]);
    expect(await timeline('action:billing_cycle_charged')).toEqual(['billing_cycle_charged DONE']);
  });

  test('records a required confirmation before the result when the charge is paid before the entry is appended', async () => {
    bank('ACTION_REQUIRED');
    await charge(way());
    world.later(5 * MINUTE_MS);
    await recordCharges();
    bank(null);
    world.later(HOUR_MS);
    expect(await recordCharges()).toEqual(['wait']);
    await world.place();
    expect(await recordCharges()).toEqual(['done']);
    expect(await placed()).toEqual(['billing_cycle_action_required', 'billing_cycle_charged']);
    expect([await timeline(), await open()]).toEqual([['billing_cycle_charged DONE'], 0]);
  });

  test.each([
    ['waits for the customer', 'ACTION_REQUIRED', 'billing_cycle_action_required DONE'],
    ['is pending', null, 'billing_cycle_charged UNKNOWN'],
  ])('reports the end of a charge once when it %s for more than a week', async (_state, code, recorded) => {
    bank(code);
    if (code === null) world.platform.store().chargeDelaySeconds = 9 * 86_400;
    await charge(way());
    for (const days of [0.1, 6, 1, 0.1, 0.1]) {
      world.later(days * DAY_MS);
      await world.work();
    }
    const reported = code === null ? [] : ['billing_cycle_action_required'];
    expect([await timeline(), await open(), await placed()]).toEqual([[recorded], 1, reported]);
    bank(null);
    for (let days = 0; days < 3; days++) {
      world.later(DAY_MS);
      await world.work();
    }
    expect([await timeline(), await open()]).toEqual([['billing_cycle_charged DONE'], 0]);
    expect(await placed()).toEqual([...reported, 'billing_cycle_charged']);
    expect(await recordCharges()).toEqual(['done']);
    expect(await placed()).toEqual([...reported, 'billing_cycle_charged']);
  });

  test('reports the end of a charge by a webhook after more than a week', async () => {
    world.platform.store().chargeDelaySeconds = 9 * 86_400;
    await charge(way());
    world.later(8 * DAY_MS);
    const requests: string[] = [];
    const counted = world.process((document) => void requests.push(document));
    for (let hours = 0; hours < 24; hours++) {
      await world.work(counted);
      world.later(HOUR_MS - 1);
    }
    expect(requests).toHaveLength(1);
    world.later(DAY_MS);
    expect(await recordCharges()).toEqual(['done']);
    expect([await placed(), await timeline()]).toEqual([
      ['billing_cycle_charged'],
      ['billing_cycle_charged DONE'],
    ]);
    expect(await open()).toBe(0);
  });

  test.each(['lost before', 'lost after'] as const)(
    'records an entry if there is an attempt when the request is %s',
    async (kind) => {
      world.fail({ kind, at: 'subscriptionBillingAttemptCreate' });
      await charge(way());
      for (let runs = 0; runs < 3; runs++) {
        world.later(15 * MINUTE_MS);
        await world.work();
      }
      expect(attempts()).toHaveLength(kind === 'lost after' ? 1 : 0);
      expect(await timeline()).toEqual(kind === 'lost after' ? ['billing_cycle_charged DONE'] : []);
      expect(await open()).toBe(0);
    },
  );

  test('records the result from a webhook once, before the scheduled work, and nothing as external', async () => {
    bank('EXPIRED_CARD');
    await charge(way());
    world.later(5 * MINUTE_MS);
    await recordCharges();
    await world.place();
    expect([await timeline(), await open()]).toEqual([['billing_cycle_declined DONE'], 0]);
    await recordCharges();
    await world.work();
    expect(await entries()).toMatchObject([{ actor: { kind: 'MERCHANT' } }]);
  });

  test('records one entry for an attempt when the process crashes at any step', async () => {
    let hasDied = true;
    let points = 0;
    for (let step = 0; hasDied; step++) {
      hasDied = false;
      for (const fault of ['before', 'after'] as const) {
        begin();
        bank('CARD_DECLINED');
        const process = world.process();
        // A crashed process makes no further calls.
        process.faults.plan = ({ count }) => {
          if (count < step) return undefined;
          hasDied = true;
          return count === step ? fault : 'before';
        };
        await charge(way(), process).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        for (let runs = 0; runs < 3; runs++) {
          world.later(15 * MINUTE_MS);
          await world.work();
        }
        const recorded = attempts().map(() => 'billing_cycle_declined DONE');
        expect([step, fault, await timeline(), await open()]).toEqual([step, fault, recorded, 0]);
        points += 1;
      }
    }
    expect(points).toBeGreaterThan(10);
  });

  test('makes and records one attempt for concurrent and later charges of an order', async () => {
    for (const delay of [0, 200]) {
      begin();
      bank('CARD_DECLINED');
      world.platform.store().chargeDelaySeconds = delay;
      await Promise.all(Array.from({ length: 8 }, () => charge(way())));
      await charge(way());
      for (let runs = 0; runs < 2; runs++) {
        world.later(15 * MINUTE_MS);
        await world.work();
      }
      expect([attempts().length, await timeline()]).toEqual([1, ['billing_cycle_declined DONE']]);
    }
  });
});

test('records the result once when the scheduled work crashes at any step', async () => {
  for (const code of [null, 'CARD_DECLINED', 'ACTION_REQUIRED']) {
    begin();
    bank(code);
    await charge(serviceCharge());
    world.later(10 * MINUTE_MS);
    for (let step = 0; step < 12; step++) {
      const process = world.process();
      process.faults.plan = ({ count }) => (count === step ? 'after' : undefined);
      await world.work(process).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
    }
    bank(code === 'ACTION_REQUIRED' ? null : code);
    world.later(2 * HOUR_MS);
    await world.work();
    const recorded = code === 'CARD_DECLINED' ? 'billing_cycle_declined DONE' : 'billing_cycle_charged DONE';
    expect([await timeline(), await open()]).toEqual([[recorded], 0]);
  }
});

test('returns the old attempt for a key that was used long ago, and records it only once', async () => {
  await charge(externalCharge());
  world.later(15 * MINUTE_MS);
  await world.work();
  await charge(externalCharge());
  world.later(15 * MINUTE_MS);
  await world.work();
  expect([await timeline(), await open()]).toEqual([['billing_cycle_charged DONE'], 0]);
});

const translate = await createTranslator('EN', UTC);

describe('messages', () => {
  const CODES = ['SubscriptionBillingAttemptErrorCode', 'SubscriptionBillingAttemptPaymentErrorCode'].flatMap(
    (name) => {
      const type = getAdminSchema().getType(name);
      return type instanceof GraphQLEnumType ? type.getValues().map((value) => value.name) : [];
    },
  );

  test('every code of the platform has a message, and none of them shows a code or speaks of fraud', () => {
    expect(CODES.length).toBeGreaterThan(60);
    for (const errorCode of [...CODES, 'CODE_OF_NEXT_YEAR', null]) {
      const message = translate(declineMessage(errorCode));
      expect(message).toMatch(/^[a-z][a-z ,;]+$/);
      expect(message).not.toMatch(/fraud|pick up|_/i);
    }
  });

  test('names the reason of a declined charge, and says that a payment needs to be confirmed', () => {
    const details = { billingCycleIndex: 7, expectedDate: '2026-12-02T08:00:00Z', idempotencyKey: 'mine' };
    const recorded = (action: string, more = {}) =>
      translate(eventMessage({ action, details: { ...details, ...more }, changes: [] }, message('whoStore')));
    expect(recorded('billing_cycle_declined', { errorCode: 'EXPIRED_CARD' })).toBe(
      'The store tried to charge the order for December 2, 2026, but the payment method or its billing address needs to be updated.',
    );
    expect(recorded('billing_cycle_action_required')).toBe(
      'The store tried to charge the order for December 2, 2026, and the payment needs to be confirmed.',
    );
  });
});

holdsRights();
