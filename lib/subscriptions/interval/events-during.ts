/** Reads the timeline for an interval change: the dates of orders before a move, and concurrent changes of orders. */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { contractNumberOf } from '../../timeline/event-number.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';

type Deps = { readonly readEvents: Timeline['readEvents'] };
type Of = { readonly shopId: ShopId; readonly contractId: string };

const MAX_EVENTS = 250;
const DUE_DATE = /^billingCycles\.\d+\.billingAttemptExpectedDate$/;

/**
 * Maps the date that orders were moved to, in epoch milliseconds, to the date before all moves. Reads the last 250
 * entries.
 */
export async function originalDates(deps: Deps, of: Of): Promise<ReadonlyMap<number, string>> {
  const dates = new Map<number, string>();
  for (const { changes } of await entriesOf(deps, of, { last: MAX_EVENTS })) {
    for (const { field, before, after } of changes) {
      if (!DUE_DATE.test(field) || before === null || after === null) continue;
      dates.set(Date.parse(after), dates.get(Date.parse(before)) ?? before);
    }
  }
  return dates;
}

/** A request that started up to this much earlier may make its edit only now; this includes clock differences. */
const UNDER_WAY_MS = 30_000;

/** Returns the entries of all changes that may have been made since then, oldest first; at most 250. */
export function eventsDuring(deps: Deps, of: Of, beganAtMs: number): Promise<EventRecord[]> {
  const sinceMs = beganAtMs - UNDER_WAY_MS;
  return entriesOf(deps, of, { first: MAX_EVENTS, query: `created_at:>=${new Date(sinceMs).toISOString()}` });
}

/** Whether this is the last date that a client of this service set for the next order. */
export async function isDateChosen(deps: Deps, of: Of, dateMs: Instant): Promise<boolean> {
  return lastChosenDate(await entriesOf(deps, of, { last: MAX_EVENTS })) === dateMs;
}

/**
 * Reads the last date from entries, oldest first.
 * @returns undefined when no client set a date
 */
export function lastChosenDate(entries: readonly EventRecord[]): Instant | undefined {
  return parseInstant(
    entries.findLast(({ details }) => details.movesOrder === true)?.details.nextBillingDate,
  );
}

type Args = Parameters<Timeline['readEvents']>[0]['args'];

async function entriesOf(
  { readEvents }: Deps,
  { shopId, contractId }: Of,
  args: Args,
): Promise<EventRecord[]> {
  const contract = contractNumberOf(contractId);
  if (contract === undefined) return [];
  const [page] = await readEvents({ shopId, contracts: [contract], args });
  return (page?.edges ?? []).map(({ record }) => record);
}
