import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventRecord } from '../../../lib/timeline/event-record.ts';
import { type ContractNumber, formatEventNumber } from '../../../lib/timeline/event-record.ts';
import type { EventsArguments } from '../../../lib/timeline/read-events.ts';
import { fullSize } from '../../full-size.ts';
import { createTimelineWorld, pause, START_MS, type TimelineStore } from './timeline-world.ts';

const SHORT = 10;
const LONG = fullSize(100_000);
const MINUTE_MS = 60_000;
const contract = '31' as ContractNumber;

let world: Awaited<ReturnType<typeof createTimelineWorld>>;
beforeAll(async () => {
  world = await createTimelineWorld();
});
afterAll(() => world.close());

/** Entries a minute apart up to the start, each fifth a pause. */
async function withEntries(count: number): Promise<TimelineStore> {
  const store = world.store();
  const records = Array.from({ length: count }, (_, index): EventRecord => {
    const createdAtMs = START_MS - (count - index) * MINUTE_MS;
    const action = index % 5 === 0 ? 'subscription_paused' : 'subscription_resumed';
    return {
      number: formatEventNumber({ createdAtMs, sequence: 0, contract }),
      shopId: store.shopId,
      contract,
      actor: { kind: 'SERVICE' },
      id: 'entry-1',
      requestId: 'request-1',
      createdAtMs,
      outcome: 'DONE',
      ...pause({ action, details: { index } }),
    };
  });
  await world.fill(records);
  return store;
}

test(`a page of ${LONG} entries costs as many table requests as one of ${SHORT}`, async () => {
  const stores = [await withEntries(SHORT), await withEntries(LONG)];
  const paused = 'action:subscription_paused';
  const recent = 'created_at:>=2026-11-21T11:50:00Z';
  const pages: readonly (EventsArguments & { readonly size: number })[] = [
    { first: 4, size: 4 },
    { last: 4, size: 4 },
    { first: 4, reverse: true, size: 4 },
    { first: 2, query: paused, size: 2 },
    { last: 2, query: paused, size: 2 },
    { last: 2, query: `${paused} ${recent}`, size: 2 },
    { first: 250, query: recent, size: SHORT },
    { first: 1, query: 'action:subscription_cancelled', size: 0 },
  ];
  for (const { size, ...args } of pages) {
    for (const { shopId, timeline, faults } of stores) {
      faults.calls.length = 0;
      const [page] = await timeline.readEvents({ shopId, contracts: [contract], args });
      expect([args, page?.edges.length, faults.calls.length]).toEqual([args, size, 1]);
    }
  }
});
