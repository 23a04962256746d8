/**
 * Reads from the timeline what became of a declined order since the service last read it at the platform: the customer may have
 * moved it, so that it is tried on its new day, or skipped it.
 */
import { parseInstant } from '../../domain/instant.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import { readEventsSince } from '../records/read-events-since.ts';

/** `movedToMs`: the order's new date, epoch milliseconds; undefined when it has the date of its charge. */
export type OrderChange = { readonly movedToMs: number | undefined; readonly isSkipped: boolean };

/**
 * Returns the changes of the order of a charge. One table read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readOrderChange(
  deps: { readonly timeline: Pick<Timeline, 'readEvents'> },
  charge: BillingCharge,
): Promise<OrderChange> {
  const { cycleIndex, expectedAtMs, foundAtMs = charge.updatedAtMs } = charge;
  const events = await readEventsSince(deps, charge, foundAtMs);
  // The newest entry comes first.
  const findNewValue = (fact: string) =>
    events
      .flatMap(({ changes }) => changes)
      .find(({ field }) => field === `billingCycles.${cycleIndex}.${fact}`)?.after;
  const dateMs = parseInstant(findNewValue('billingAttemptExpectedDate'));
  return {
    movedToMs: dateMs === expectedAtMs ? undefined : dateMs,
    isSkipped: findNewValue('skipped') === 'true',
  };
}
