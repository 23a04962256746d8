/** The timeline tells where a contract's orders were before a move, and what was done to them meanwhile. */
import { type Instant, parseInstant } from '../../domain/instant.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { contractNumberOf } from '../../timeline/event-number.ts';
import type { EventRecord } from '../../timeline/event-record.ts';
import type { Timeline } from '../../timeline/timeline.ts';

type Deps = { readonly readEvents: Timeline['readEvents'] };
type Of = { readonly shopId: ShopId; readonly contractId: string };

const MOST = 250;
const DUE_DATE = /^billingCycles\.\d+\.billingAttemptExpectedDate$/;

/** The date that orders were moved to, in epoch milliseconds → the date before all moves; from the last 250 entries. */
export async function originalDates(deps: Deps, of: Of): Promise<ReadonlyMap<number, string>> {
  const dates = new Map<number, string>();
  for (const { changes } of await entriesOf(deps, of, { last: MOST })) {
    for (const { field, before, after } of changes) {
      if (!DUE_DATE.test(field) || before === null || after === null) continue;
      dates.set(Date.parse(after), dates.get(Date.parse(before)) ?? before);
    }
  }
  return dates;
}

/** A request that began so much earlier may make its edit only now; clocks differ a little, too. */
const UNDER_WAY_MS = 30_000;

/** The entries of all that may have been done since then, oldest first; 250 at most. */
export function eventsDuring(deps: Deps, of: Of, beganAtMs: number): Promise<EventRecord[]> {
  const sinceMs = beganAtMs - UNDER_WAY_MS;
  return entriesOf(deps, of, { first: MOST, query: `created_at:>=${new Date(sinceMs).toISOString()}` });
}

/** Whether the last date that a client of this service gave for the next order is this one. */
export async function isDateChosen(deps: Deps, of: Of, dateMs: Instant): Promise<boolean> {
  return lastChosenDate(await entriesOf(deps, of, { last: MOST })) === dateMs;
}

/** Entries are oldest first. Undefined: no client gave a date. */
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
