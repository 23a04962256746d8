/** Two changes in the same millisecond have separate entries, for any actors. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FunctionName } from '../../../infra/definition/function-definitions.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { readStream } from '../../../lib/storage/stream/read-stream.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { appendNow } from '../../appending.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights, tableOf } from '../../rights/guarded-table.ts';
import { START_MS, timelineOver } from './timeline-world.ts';

const shopId = 82000000003 as ShopId;
const contractNoteFact = (before: string, after: string) => ({
  action: 'subscription_note_updated',
  contractId: 'gid://shopify/SubscriptionContract/9101001',
  details: {},
  changes: [{ coordinate: 'SubscriptionContract.note', field: 'note', before, after }],
});

describe.each<FunctionName>(['customer-graphql', 'admin-graphql'])('in %s', (name) => {
  test('one that was made, and one that was only seen to be there', async () => {
    const { timeline, begin } = timelineOver(tableOf(name, createMemoryTable()), shopId, { nowMs: START_MS });
    await (await begin(contractNoteFact('a', 'b'))).settleAsDone();
    await (await begin(contractNoteFact('b', 'c'))).settleAsObserved();
    const contracts = ['9101001' as ContractNumber];
    const [page] = await timeline.readEvents({ shopId, contracts, args: { first: 5 } });
    expect(page?.edges.map(({ record }) => record.changes[0]?.after)).toEqual(['b', 'c']);
  });
});

const statusFact = (before: string, after: string) => ({
  action: 'subscription_updated',
  contractId: 'gid://shopify/SubscriptionContract/9101001',
  details: {},
  changes: [{ coordinate: 'SubscriptionContract.status', field: 'status', before, after }],
});

test('reports a change once if an appended change of another process had its number', async () => {
  const table = createMemoryTable();
  const clock = { nowMs: START_MS };
  const append = () => appendNow({ table, now: () => START_MS + 1000 });
  // A process whose clock is behind starts its change in the same millisecond, after the first one was appended.
  for (const [before, after] of [
    ['ACTIVE', 'PAUSED'],
    ['PAUSED', 'ACTIVE'],
  ] as const) {
    const { begin } = timelineOver(table, shopId, clock);
    await (await begin(statusFact(before, after))).settleAsDone();
    await append();
  }
  await append();
  const { timeline } = timelineOver(table, shopId, clock);
  const [page] = await timeline.readEvents({
    ...{ shopId, contracts: ['9101001' as ContractNumber], args: { first: 5 } },
  });
  const stream = await readStream({ table, now: () => START_MS + 1000 }, shopId, {
    fromNumber: 0,
    limit: 10,
  });
  expect(stream.map(({ entry }) => entry?.number)).toEqual(page?.edges.map(({ record }) => record.number));
  expect(stream).toHaveLength(2);
});

/**
 * Changes that each start from the result of the one before; `late`: the number of changes before the outcome is
 * recorded.
 */
const turns = fc.array(fc.record({ after: fc.constantFrom('ACTIVE', 'PAUSED', 'FAILED'), late: fc.nat(3) }), {
  minLength: 1,
  maxLength: 7,
});

test('changes one after another are all told, in whatever order they are', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (script) => {
      const clock = { nowMs: START_MS };
      const table = tableOf('customer-graphql', createMemoryTable());
      const { timeline, begin } = timelineOver(table, shopId, clock);
      const made: string[] = [];
      let waiting: { readonly done: () => Promise<unknown>; late: number }[] = [];
      let status = 'ACTIVE';
      for (const { after, late } of script) {
        clock.nowMs += 1000;
        for (const one of waiting) one.late--;
        if (after === status) continue;
        const { settleAsDone: done } = await begin(statusFact(status, after));
        made.push(`${status} → ${after}`);
        status = after;
        waiting.push({ done, late });
        for (const one of waiting.filter((each) => each.late <= 0)) await one.done();
        waiting = waiting.filter((each) => each.late > 0);
      }
      for (const { done } of waiting) await done();
      const contracts = ['9101001' as ContractNumber];
      const [page] = await timeline.readEvents({ shopId, contracts, args: { first: 20 } });
      const recorded = (page?.edges ?? []).flatMap(({ record }) => record.changes);
      expect(recorded.map(({ before, after }) => `${before} → ${after}`)).toEqual(made);
    }),
    { numRuns: 100, seed: 1 },
  );
});

holdsRights();
