/** What the timeline tells about a contract's orders: where they were before a move, and what was done meanwhile. */
import type { ShopId } from '../domain/shop-id.ts';
import { contractNumberOf } from '../timeline/event-number.ts';
import type { EventRecord } from '../timeline/event-record.ts';
import type { Timeline } from '../timeline/timeline.ts';

type Deps = { readonly readEvents: Timeline['readEvents'] };
type Of = { readonly shopId: ShopId; readonly contractId: string };

const MOST = 250;
const DUE_DATE = /^billingCycles\.\d+\.billingAttemptExpectedDate$/;

/** The date that orders were moved to → the date before, in epoch milliseconds; of the last 250 moves. */
export async function originalDates(deps: Deps, of: Of): Promise<ReadonlyMap<number, string>> {
  const moves = await entriesOf(deps, of, { last: MOST, query: 'action:billing_cycle_rescheduled' });
  const dates = moves
    .flatMap(({ changes }) => changes)
    .filter(({ field, before, after }) => DUE_DATE.test(field) && before !== null && after !== null)
    .map(({ before, after }): [number, string] => [Date.parse(after ?? ''), before ?? '']);
  return new Map(dates);
}

/** The first 250 entries since then, oldest first. */
export function entriesSince(deps: Deps, of: Of, sinceMs: number): Promise<EventRecord[]> {
  return entriesOf(deps, of, { first: MOST, query: `created_at:>=${new Date(sinceMs).toISOString()}` });
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
