import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ScheduledTask } from '../../../lib/storage/scheduled-tasks.ts';
import { removeStoreItems, type StoreBeingPurged } from '../../../lib/stores/lifecycle/remove-store-items.ts';
import {
  type ContractNumber,
  contractGid,
  parseEventGid,
  parseEventNumber,
} from '../../../lib/timeline/event-record.ts';
import { createFact, type FactChange } from '../../../lib/timeline/facts.ts';
import { STORE_TIMELINE } from '../../../lib/timeline/read-events.ts';
import { claimBillingAttempt } from '../../../lib/timeline/record-charge.ts';
import type { OpenChange } from '../../../lib/timeline/run-change.ts';
import { unsettled } from '../../appending.ts';
import type { Call, Fault } from '../stores/world/faults.ts';
import { createTimelineWorld, entriesOf, pause, START_MS, type TimelineStore } from './timeline-world.ts';

let world: Awaited<ReturnType<typeof createTimelineWorld>>;
let store: TimelineStore;
beforeAll(async () => {
  world = await createTimelineWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  store = world.store();
  // Each container writes the marker item of scheduled tasks once.
  await (
    await store.begin(pause({ contractId: contractGid('1' as ContractNumber, 'shopify') }))
  ).settleAsNotDone();
  store.faults.calls.length = 0;
});

/** Returns the intents that are unsettled or not appended. */
const allIntents = async () => {
  const all: ScheduledTask[] = [];
  for await (const item of store.scheduledTasks.listDue('intent', store.clock.nowMs + 3_600_000)) {
    if (item.shopId === store.shopId) all.push(item);
  }
  return all;
};
const openIntents = async () => unsettled(store.table, await allIntents());
const failAt = (operation: string, fault: Fault) => {
  store.faults.plan = (call: Call) => (call.operation === operation ? fault : undefined);
};
const repair = () => {
  store.faults.plan = () => undefined;
};

describe('an intent', () => {
  test('throws and leaves nothing when it cannot be written', async () => {
    for (const fault of ['down', 'lost'] as const) {
      failAt('put', fault);
      await expect(store.begin(pause())).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
      repair();
      expect(await openIntents()).toEqual([]);
    }
  });

  test('keeps an intent of the same millisecond when another one cannot be written', async () => {
    await store.begin(pause());
    failAt('put', 'down');
    await expect(store.begin(pause())).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
    expect(await openIntents()).toHaveLength(1);
  });

  test('rejects what is no contract with INTERNAL_ERROR', async () => {
    const wrong = pause({ contractId: 'gid://shopify/Order/31' });
    await expect(store.begin(wrong)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  test.each<readonly [string, (open: OpenChange) => Promise<unknown>, number]>([
    ['done', (open) => open.settleAsDone(), 1],
    ['seen', (open) => open.settleAsObserved(), 1],
    ['not done', (open) => open.settleAsNotDone(), 0],
  ])('is in no timeline until it is settled as %s, after an outage, too', async (_name, settle, entries) => {
    const timelines = () => Promise.all([entriesOf(store), entriesOf(store, STORE_TIMELINE)]);
    const open = await store.begin(pause());
    expect([await timelines(), await openIntents()]).toEqual([[[], []], [expect.anything()]]);
    store.faults.plan = ({ operation }) => (['put', 'delete'].includes(operation) ? 'down' : undefined);
    await settle(open);
    repair();
    expect([await timelines(), await openIntents()]).toEqual([[[], []], [expect.anything()]]);
    await settle(open);
    expect(await timelines()).toEqual([new Array(entries).fill(expect.anything()), []]);
    expect(await openIntents()).toEqual([]);
  });
});

test('done makes the entry; the intent stays until the entry has its place in the stream', async () => {
  const open = await store.begin(pause({ details: { reason: 'On holiday', until: null } }));
  await open.settleAsDone();
  expect(await entriesOf(store)).toEqual([
    expect.objectContaining({
      shopId: store.shopId,
      contract: '31',
      action: 'subscription_paused',
      actor: { kind: 'CUSTOMER', customerId: 7001001 },
      requestId: 'request-1',
      details: { reason: 'On holiday', until: null },
      changes: pause().changes,
      createdAtMs: START_MS,
      outcome: 'DONE',
    }),
  ]);
  // Intent and entry: what a change costs a request. The append step does the rest.
  expect(store.faults.calls.slice(0, 2).map(({ operation }) => operation)).toEqual(['put', 'put']);
  expect(store.faults.calls.slice(2)).toEqual([expect.objectContaining({ operation: 'query' })]);
  expect(await allIntents()).toHaveLength(1);
});

test('done records the changes as they really are, and where a new contract is', async () => {
  const open = await store.begin(pause({ action: 'subscription_created', contractId: null, changes: [] }));
  const { changes } = pause();
  await open.settleAsDone(changes, 'gid://shopify/SubscriptionContract/77');
  expect(await entriesOf(store, STORE_TIMELINE)).toEqual([]);
  expect(await entriesOf(store, '77')).toMatchObject([{ contract: '77', changes }]);
});

describe('seen, the answer being lost', () => {
  const resume = () => pause({ action: 'subscription_resumed', changes: pause().changes.map(opposite) });
  const opposite = (fact: FactChange) => ({ ...fact, before: fact.after, after: fact.before });

  test('with nothing else under way: the entry is there at once', async () => {
    await (await store.begin(pause())).settleAsObserved();
    expect(await entriesOf(store)).toMatchObject([{ outcome: 'DONE', changes: pause().changes }]);
    expect(await openIntents()).toEqual([]);
  });

  test('records the changes as they really are', async () => {
    const { changes } = resume();
    await (await store.begin(pause())).settleAsObserved(changes);
    expect(await entriesOf(store)).toMatchObject([{ changes }]);
  });

  test('is recorded at once, whatever else is under way: the append step reports it once', async () => {
    const first = await store.begin(pause());
    const second = await store.begin(pause());
    await first.settleAsObserved();
    await second.settleAsObserved();
    expect(await entriesOf(store)).toHaveLength(2);
    expect(await openIntents()).toEqual([]);
  });

  test('stays open in an outage, without an error for the client', async () => {
    const open = await store.begin(pause());
    failAt('put', 'down');
    await open.settleAsObserved();
    repair();
    expect([await entriesOf(store), await openIntents()]).toEqual([[], [expect.anything()]]);
  });
});

test('not done leaves nothing', async () => {
  await (await store.begin(pause())).settleAsNotDone();
  expect([await entriesOf(store), await openIntents()]).toEqual([[], []]);
});

test('an outage after the change never reaches the client: the intent stays, and the log says so', async () => {
  for (const operation of ['put', 'delete']) {
    const open = await store.begin(pause());
    failAt(operation, 'down');
    await open.settleAsDone();
    await open.settleAsNotDone();
    repair();
  }
  expect(store.logs.map(({ message }) => message)).toContain('intent.left_open');
  expect(await allIntents()).not.toEqual([]);
});

test('changes in the same millisecond keep their order and lose none, open or settled', async () => {
  const skip = (index: number) => {
    const changes = [createFact(`billingCycles.${index}.skipped`, { before: 'false', after: 'true' })];
    return store.begin(pause({ action: 'billing_cycle_skipped', details: { index }, changes }));
  };
  const first = await skip(0);
  const second = await skip(1);
  await second.settleAsDone();
  await first.settleAsDone();
  for (const index of [2, 3]) await (await skip(index)).settleAsDone();
  expect((await entriesOf(store)).map(({ details }) => details.index)).toEqual([0, 1, 2, 3]);
});

describe('the same fact, recorded by several', () => {
  const changedFields = async () =>
    (await entriesOf(store)).map(({ changes }) => changes.map(({ field }) => field));
  const skipped = createFact(`billingCycles.${7}.skipped`, { before: 'false', after: 'true' });
  const edit = (changes: readonly FactChange[]) =>
    store.begin(pause({ action: 'billing_cycle_rescheduled', changes }));

  test('records it twice when the second started after the first was recorded', async () => {
    await (await edit([skipped])).settleAsDone();
    store.clock.nowMs += 1;
    await (await edit([skipped])).settleAsDone();
    expect(await changedFields()).toHaveLength(2);
  });

  test('records all when another end came in between, in the same millisecond', async () => {
    const back = { ...skipped, before: skipped.after, after: skipped.before };
    for (const fact of [skipped, back, skipped]) await (await edit([fact])).settleAsDone();
    expect(await changedFields()).toHaveLength(3);
  });

  test('is recorded once, by a retry, when its response is lost at any step', async () => {
    for (const operation of ['put', 'delete']) {
      const open = await edit([{ ...skipped, field: `${skipped.field}.${operation}` }]);
      failAt(operation, 'lost');
      await open.settleAsDone();
      repair();
      await open.settleAsDone();
    }
    expect([await changedFields(), await openIntents()]).toEqual([
      [expect.anything(), expect.anything()],
      [],
    ]);
  });

  test('lists no record of an attempt on any page, whichever way it is read', async () => {
    await (await edit([skipped])).settleAsDone();
    const of = { shopId: store.shopId, contract: '31' as ContractNumber, attemptId: '7', id: 'own' };
    await claimBillingAttempt(store, of);
    for (const args of [
      { first: 10 },
      { last: 10 },
      { first: 10, reverse: true },
      { last: 10, reverse: true },
    ]) {
      const contracts = ['31' as ContractNumber];
      const [page] = await store.timeline.readEvents({ shopId: store.shopId, contracts, args });
      expect(page).toMatchObject({ edges: [expect.anything()], hasNextPage: false, hasPreviousPage: false });
    }
  });
});

test('an id leads to its entry, and proves its contract', async () => {
  await (await store.begin(pause())).settleAsDone();
  const [entry] = await entriesOf(store);
  const id = `gid://platform/SubscriptionEvent/${entry?.number}`;
  const name = parseEventGid(id);
  expect(name).toMatchObject({ contract: '31', createdAtMs: START_MS, sequence: 0 });
  if (name === undefined) return;
  const missing = parseEventNumber(name.number.replace('31', '32')) ?? name;
  const found = await store.timeline.findEvents(store.shopId, [missing, name]);
  expect(found).toEqual([undefined, entry]);
  expect(parseEventGid('gid://platform/SubscriptionEvent/31')).toBeUndefined();
  expect(parseEventGid(`gid://platform/BasicEvent/${name.number}`)).toBeUndefined();
});

test('the purge of a store takes its entries and its open intents along', async () => {
  await (await store.begin(pause())).settleAsDone();
  await store.begin(pause());
  const { shopId, table, scan } = store;
  const removal = { store: { shopId } as StoreBeingPurged, keysToSkip: [] };
  const removed = await removeStoreItems({ table, scan, progress: () => undefined }, removal);
  expect(removed).toEqual({ TIMELINE: 1, DUE: 2 });
  expect([await entriesOf(store), await allIntents()]).toEqual([[], []]);
});
