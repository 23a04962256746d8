import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';

const EVENTS_PER_READ = 100;

/**
 * Returns all timeline entries of the contract after `sinceMs` (epoch milliseconds), the newest first.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readEventsSince(
  { timeline }: { readonly timeline: Pick<Timeline, 'readEvents'> },
  { shopId, contractNumber }: ContractRef,
  sinceMs: number,
): Promise<EventRecord[]> {
  const args = {
    first: EVENTS_PER_READ,
    reverse: true,
    query: `created_at:>${new Date(sinceMs).toISOString()}`,
  };
  const events: EventRecord[] = [];
  for (let afterCursor: string | undefined; ; ) {
    const request = {
      shopId,
      contracts: [contractNumber],
      args: afterCursor === undefined ? args : { ...args, after: afterCursor },
    };
    const [page] = await timeline.readEvents(request);
    const { edges = [], hasNextPage = false } = page ?? {};
    events.push(...edges.map(({ record }) => record));
    afterCursor = edges.at(-1)?.cursor;
    if (!hasNextPage || afterCursor === undefined) return events;
  }
}

/**
 * Returns the status that a contract had at a time: the one before its first change since, or the first status that was read
 * if the contract was not known yet.
 * @param events the contract's timeline entries since then or before, the newest first
 * @returns undefined when the status has not changed since
 */
export function findStatusAt(events: readonly EventRecord[], atMs: number): string | null | undefined {
  const statusChanges = events
    .filter(({ createdAtMs }) => createdAtMs > atMs)
    .flatMap(({ changes }) => changes.filter(({ field }) => field === 'status'));
  const firstChange = statusChanges.at(-1);
  return firstChange?.before ?? firstChange?.after;
}
