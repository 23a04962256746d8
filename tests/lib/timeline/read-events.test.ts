import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { type EventsArguments, STORE_TIMELINE } from '../../../lib/timeline/read-events.ts';
import { createTimelineWorld, pause, type TimelineStore } from './timeline-world.ts';

let world: Awaited<ReturnType<typeof createTimelineWorld>>;
beforeAll(async () => {
  world = await createTimelineWorld();
});
afterAll(() => world.close());

const MINUTE_MS = 60_000;
const contracts = ['31' as ContractNumber];

/** Entries a minute apart from 12:00 on: paused, resumed, paused, … */
async function withEntries(count: number): Promise<TimelineStore> {
  const store = world.store();
  for (let index = 0; index < count; index++) {
    const action = index % 2 === 0 ? 'subscription_paused' : 'subscription_resumed';
    await (await store.begin(pause({ action, details: { index } }))).settleAsDone();
    store.clock.nowMs += MINUTE_MS;
  }
  return store;
}

async function read(store: TimelineStore, args: EventsArguments) {
  const [page] = await store.timeline.readEvents({ shopId: store.shopId, contracts, args });
  if (page === undefined) throw new Error('no page');
  const { hasNextPage, hasPreviousPage, edges } = page;
  return { list: edges.map(({ record }) => record.details.index), hasNextPage, hasPreviousPage, edges };
}

describe('what may not be asked', () => {
  const cases: [string, EventsArguments, RegExp][] = [
    ['two sizes', { first: 1, last: 1 }, /not both/],
    ['more than a page', { first: 251 }, /at most 250/],
    ['less than nothing', { last: -1 }, /at least 0/],
    ['a cursor of another list', { first: 1, after: 'eyJpZCI6MX0' }, /cursor/],
    ['an operator', { first: 1, query: 'created_at:>=x' }, /does not understand "created_at:>=x"/],
    ['a word', { first: 1, query: 'paused' }, /does not understand "paused".*Allowed are one action/],
    ['another filter', { first: 1, query: 'comments:true' }, /"comments:true"/],
    ['two actions', { first: 1, query: 'action:a action:b' }, /"action:b"/],
    ['no date', { first: 1, query: 'created_at:>=yesterday' }, /"created_at:>=yesterday"/],
    ['no id', { first: 1, query: 'id:12' }, /"id:12"/],
    ['a long text', { first: 1, query: 'id:1 '.repeat(201) }, /1,005 characters.*limit is 1,000/],
    ['OR', { first: 1, query: 'action:a OR action:b' }, /"OR action:b"/],
  ];
  test.each(cases)('%s', async (_what, args, message) => {
    const store = world.store();
    await expect(read(store, args)).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      publicMessage: expect.stringMatching(message),
    });
    expect(store.faults.calls).toEqual([]);
  });

  test('refuses the events of more than 25 contracts', async () => {
    const { timeline, shopId } = world.store();
    const many = Array.from({ length: 26 }, (_, index) => String(index + 1) as ContractNumber);
    const reading = timeline.readEvents({ shopId, contracts: many, args: { first: 1 } });
    await expect(reading).rejects.toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });
});

test('pages both ways, in both orders, are the parts of one list', async () => {
  const store = await withEntries(7);
  const whole = [0, 1, 2, 3, 4, 5, 6];
  for (const reverse of [false, true]) {
    const list = reverse ? whole.toReversed() : whole;
    const forward: unknown[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const page = await read(store, { first: 3, reverse, ...(after && { after }) });
      expect(page.hasPreviousPage).toBe(after !== undefined);
      forward.push(...page.list);
      after = page.edges.at(-1)?.cursor;
      more = page.hasNextPage;
    }
    expect(forward).toEqual(list);
    const backward: unknown[] = [];
    let before: string | undefined;
    for (let more = true; more; ) {
      const page = await read(store, { last: 3, reverse, ...(before && { before }) });
      expect(page.hasNextPage).toBe(before !== undefined);
      backward.unshift(...page.list);
      before = page.edges[0]?.cursor;
      more = page.hasPreviousPage;
    }
    expect(backward).toEqual(list);
  }
});

test('a filter names an action, a time, an entry, or all of them', async () => {
  const store = await withEntries(6);
  const { edges } = await read(store, { first: 10 });
  const third = edges[2]?.record.number;
  const cases: [string, number[]][] = [
    ['action:subscription_paused', [0, 2, 4]],
    ['  created_at:>=2026-11-21T12:04:00Z ', [4, 5]],
    ['created_at:>2026-11-21T12:04Z', [5]],
    ['created_at:<2026-11-21T12:01:00Z', [0]],
    ['created_at:<=2026-11-21T13:01:00+01:00', [0, 1]],
    ['created_at:2026-11-21', [0, 1, 2, 3, 4, 5]],
    ['created_at:>2026-11-21', []],
    [`id:${third}`, [2]],
    [`id:>'gid://platform/SubscriptionEvent/${third}'`, [3, 4, 5]],
    ['action:"subscription_resumed" created_at:>=2026-11-21T12:02:00Z created_at:<2026-11-21T12:05:00Z', [3]],
    ['created_at:<2026-11-01 created_at:>2026-11-02', []],
  ];
  for (const [query, list] of cases) {
    expect([query, (await read(store, { first: 10, query })).list]).toEqual([query, list]);
  }
});

test('reads several contracts concurrently, each from its own timeline, with the store’s', async () => {
  const store = world.store();
  const contractOf = (id: number) => `gid://shopify/SubscriptionContract/${id}`;
  await (await store.begin(pause({ contractId: contractOf(31) }))).settleAsDone();
  await (await store.begin(pause({ contractId: contractOf(4), action: 'order_skipped' }))).settleAsDone();
  await (await store.begin(pause({ contractId: null, action: 'orders_charged' }))).settleAsDone();
  const pages = await store.timeline.readEvents({
    shopId: store.shopId,
    contracts: ['4', '31', '5', STORE_TIMELINE] as (ContractNumber | typeof STORE_TIMELINE)[],
    args: { first: 5 },
  });
  expect(pages.map(({ edges }) => edges.map(({ record }) => record.action))).toEqual([
    ['order_skipped'],
    ['subscription_paused'],
    [],
    ['orders_charged'],
  ]);
});
