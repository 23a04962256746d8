/**
 * Gives the orders of a postponed contract new dates after its interval has changed: the next order keeps its date, and
 * the orders after it follow by the new interval.
 */
import { isoDayIn, localTimeIn } from '../../domain/time-zone.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { RecordAlso } from '../../timeline/run-change.ts';
import { dueMs, editReason } from '../cycles/billing-cycle.ts';
import type { PostponementRecord } from '../order-dates/postponements.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import type { PostponeDeps } from './apply-order-edits.ts';
import { extendOrders, extensionDueMs, laidUntilOf } from './extend-orders.ts';
import type { LaidCycle } from './lay-orders.ts';
import { readOrders, USUAL_CYCLES } from './read-orders.ts';
import { fromNextOrder } from './refuse-postponement.ts';
import { factsOf, sendOrderEdits } from './send-order-edits.ts';

type Relaying = {
  readonly contractId: string;
  readonly record: PostponementRecord;
  /** The new interval. */
  readonly frequency: Frequency;
  readonly recordAlso: RecordAlso;
};

/**
 * Replaces the dates. They end if the cycles do not follow the new interval. Sends two platform requests.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function relayOrders(deps: PostponeDeps, relaying: Relaying): Promise<void> {
  const { contractId, record, frequency, recordAlso } = relaying;
  const { contract, cycles } = await readOrders(deps, { contractId, count: USUAL_CYCLES });
  const [next] = fromNextOrder({ cycles }, deps.now());
  const { dates } = record;
  const isRegular =
    contract !== undefined &&
    contract.billingPolicy.anchors.length === 0 &&
    isSameFrequency(frequency, contract.billingPolicy);
  const timeZone = timeZoneOf(deps.store);
  const extension =
    isRegular && next !== undefined
      ? extendOrders({ ...firstDate(deps, next, frequency), cycles })
      : undefined;
  if (dates === undefined || extension === undefined || extension.kind === 'ended') {
    await deps.postponements.end(record, {});
    return;
  }
  const { laid, edits } = extension;
  if (edits.length > 0) await recordAlso(factsOf(edits));
  await sendOrderEdits(deps, { contractId, reason: editReason(deps) }, edits);
  await deps.postponements.end(record, {
    dates: {
      ...dates,
      laid,
      laidUntil: laidUntilOf(laid, cycles, timeZone) ?? dates.laidUntil,
      extendAtMs: extensionDueMs(laid, laid.fromCycle, timeZone),
    },
  });
}

/** The next order is the first one that has a date. */
function firstDate(deps: PostponeDeps, next: LaidCycle, { interval, intervalCount }: Frequency) {
  const timeZone = timeZoneOf(deps.store);
  const { cycleIndex: fromCycle } = next;
  const day = isoDayIn(timeZone, dueMs(next));
  const { secondOfDay } = localTimeIn(timeZone, dueMs(next));
  const laid = { interval, intervalCount, fromCycle, day, secondOfDay, laidThrough: fromCycle };
  return { laid, timeZone, nowMs: deps.now() };
}
