/** `subscriptionEvents`: the store's events as its endpoints receive them, for a mirror that polls. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { KeyScope } from '../../../lib/domain/key-scope.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { snapshotKey } from '../../../lib/storage/stream/snapshot-key.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { splitEntryIntoRecords } from '../../../lib/timeline/append/split-entry-into-records.ts';
import {
  type ContractNumber,
  type EventActor,
  type EventRecord,
  formatEventNumber,
  toEventItem,
} from '../../../lib/timeline/event-record.ts';
import { createFact } from '../../../lib/timeline/facts.ts';
import { readStreamAsWebhooks } from '../../../lib/webhooks/deliver/read-stream-as-webhooks.ts';
import { appendingOver } from '../../appending.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights, tableOf } from '../../rights/guarded-table.ts';
import { ADA, actorOf, NOW_MS, neverCalled, runPlan, store } from '../world/harness.ts';

const DAY_MS = 86_400_000;
const shopId = store.shopId as ShopId;
let table: Table;
let nowMs = NOW_MS;
beforeEach(() => {
  table = createMemoryTable();
  nowMs = NOW_MS;
});
const now = () => nowMs;

const ADA_ACTS: EventActor = { kind: 'CUSTOMER', customerId: ADA };
const EXTERNAL_ACTOR: EventActor = { kind: 'UNKNOWN' };

/** Appends an entry a second later. */
async function happen(
  id: string,
  { changes, actor = ADA_ACTS }: Partial<Pick<EventRecord, 'changes' | 'actor'>>,
) {
  nowMs += 1000;
  const contract = '9101001' as ContractNumber;
  const entry = {
    ...{ id, shopId, contract, number: formatEventNumber({ createdAtMs: nowMs, sequence: 0, contract }) },
    ...{ action: 'changed_elsewhere', actor, requestId: id, details: {}, createdAtMs: nowMs },
    ...{ changes: changes ?? [], outcome: 'DONE' as const },
  };
  await table.put(toEventItem(entry));
  for (const record of splitEntryIntoRecords(entry)) await appendingOver({ table, now })(record);
}

async function ask(args: string, scopes: readonly KeyScope[] = ['READ']) {
  const selection =
    'edges { cursor node { eventId type recordedAt body } } pageInfo { hasNextPage endCursor }';
  const { result } = await runPlan({
    ...{ as: 'store', query: `{ subscriptionEvents${args} { ${selection} } }`, standIn: neverCalled, now },
    ...{
      table: tableOf('admin-graphql', table),
      actor: { ...actorOf('store', store), scopes } as ReturnType<typeof actorOf>,
    },
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  return { page: (result.data as any)?.subscriptionEvents, errors: result.errors ?? [] };
}

const idsOf = async (args: string) => {
  const { page, errors } = await ask(args);
  expect(errors).toEqual([]);
  return page.edges.map(({ node }: { node: { eventId: string } }) => node.eventId);
};

const paused = [createFact('status', { before: 'ACTIVE', after: 'PAUSED' })];

describe('the events of a store', () => {
  beforeEach(async () => {
    await table.put({ ...snapshotKey(shopId, '9101001'), customerId: ADA });
    await happen('pause', { changes: [createFact('note', { before: 'a', after: 'b' }), ...paused] });
    await happen('skip', {
      changes: [createFact(`billingCycles.${4}.skipped`, { before: 'false', after: 'true' })],
      actor: EXTERNAL_ACTOR,
    });
    await happen('resume', { changes: [createFact('status', { before: 'PAUSED', after: 'ACTIVE' })] });
  });

  test('have the ids and bodies that an endpoint receives', async () => {
    const sent = await readStreamAsWebhooks({ table, now, gidNamespace: 'platform' }, shopId, {
      fromNumber: 0,
      limit: 10,
    });
    const { page, errors } = await ask('(first: 10)');
    expect(errors).toEqual([]);
    expect(page.edges).toHaveLength(4);
    expect(
      page.edges.map(({ node: { eventId: id, body } }: { node: { eventId: string; body: unknown } }) => ({
        ...{ id, body: JSON.stringify(body) },
        type: (body as { type: string }).type,
      })),
    ).toEqual(sent.map(({ webhook }) => webhook));
    expect(page.edges[1].node).toMatchObject({
      ...{ eventId: 'pause-subscription.paused', type: 'SUBSCRIPTION_PAUSED' },
      body: {
        data: {
          customerId: `gid://platform/Customer/${ADA}`,
          changes: [{ field: 'status', after: 'PAUSED' }],
        },
      },
    });
  });

  test('are read on from a cursor, from both ends, and in reverse', async () => {
    const { page } = await ask('(first: 2)');
    expect(page.pageInfo.hasNextPage).toBe(true);
    expect(await idsOf(`(first: 10, after: "${page.pageInfo.endCursor}")`)).toEqual(['skip', 'resume']);
    expect(await idsOf('(last: 1)')).toEqual(['resume']);
    expect(await idsOf('(first: 1, reverse: true)')).toEqual(['resume']);
  });

  test.each([
    ['type', 'types: [SUBSCRIPTION_PAUSED, ORDER_SKIPPED]', ['pause-subscription.paused', 'skip']],
    ['one type', 'types: ORDER_SKIPPED', ['skip']],
    ['actor', 'actor: UNKNOWN', ['skip']],
    [
      'time',
      `recordedFrom: "${new Date(NOW_MS + 2000).toISOString()}", recordedBefore: "${new Date(NOW_MS + 3000).toISOString()}"`,
      ['skip'],
    ],
  ])('are filtered by %s', async (_filter, args, ids) => {
    expect(await idsOf(`(first: 10, ${args})`)).toEqual(ids);
  });

  test('name a cursor behind the events that a filter left out, so that reading goes on there', async () => {
    const { page } = await ask('(first: 10, actor: SERVICE)');
    expect(page).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    for (let index = 0; index < 1100; index++) await happen(`more-${index}`, { changes: paused });
    const { page: first } = await ask('(first: 10, actor: SERVICE)');
    expect(first).toMatchObject({
      edges: [],
      pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
    });
    const { page: second } = await ask(`(first: 10, actor: SERVICE, after: "${first.pageInfo.endCursor}")`);
    expect(second).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
  });

  test('are listed for 30 days', async () => {
    nowMs += 30 * DAY_MS;
    expect(await idsOf('(first: 10)')).toEqual([]);
  });

  test('are refused to a key without READ', async () => {
    const { page, errors } = await ask('(first: 10)', ['WRITE']);
    expect(page ?? null).toBeNull();
    expect(errors[0]?.extensions?.code).toBe('KEY_SCOPE_MISSING');
  });
});

holdsRights();
