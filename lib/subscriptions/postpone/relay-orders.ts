/**
 * Gives the orders of a postponed contract their dates after its interval was set: the next order keeps its date, and
 * the orders after it follow by the new interval. The platform resets moved orders when it counts the cycles again.
 */
import { isoDayIn, localTimeIn, type TimeZone } from '../../domain/time-zone.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import { type EditReason, orderDueAtMs } from '../cycles/billing-cycle.ts';
import type { OperationDeps } from '../operation.ts';
import type { LaidDates } from '../order-dates/order-dates.ts';
import type {
  OrderEdit,
  PostponedDates,
  PostponementDeps,
  PostponementRecord,
} from '../order-dates/postponements.ts';
import { type Frequency, isSameFrequency } from '../selling-plans/frequency.ts';
import { extensionDueMs, laidUntilOf, layAfter } from './extend-orders.ts';
import type { LaidCycle } from './lay-orders.ts';
import { readOrders, USUAL_CYCLES } from './read-orders.ts';
import { fromNextOrder } from './refuse-postponement.ts';
import { factsOf, sendOrderEdits } from './send-order-edits.ts';

type RelayDeps = Pick<OperationDeps, 'ask' | 'now'> & PostponementDeps & Pick<OpenChange, 'recordAlso'>;

type Relaying = {
  readonly contractId: string;
  readonly record: PostponementRecord;
  /** The interval that was set. */
  readonly frequency: Frequency;
  readonly timeZone: TimeZone;
  readonly reason: EditReason;
};

/**
 * Lays the dates. They end if the cycles do not follow the interval. Does nothing for a contract that has another
 * interval now. Sends two platform requests. May run twice.
 * @throws OUTCOME_UNKNOWN when some edits may have been made
 */
export async function relayOrders(deps: RelayDeps, relaying: Relaying): Promise<void> {
  const { contractId, record, frequency, reason } = relaying;
  const { contract, cycles } = await readOrders(deps, { contractId, count: USUAL_CYCLES });
  if (contract !== undefined && !isSameFrequency(frequency, contract.billingPolicy)) return;
  const isRegular = contract !== undefined && contract.billingPolicy.anchors.length === 0;
  const plan = isRegular ? planDates(deps, relaying, cycles) : undefined;
  if (plan === undefined) {
    await deps.postponements.end(record, {});
    return;
  }
  const { edits, dates } = plan;
  if (edits.length > 0) await deps.recordAlso(factsOf(edits));
  await sendOrderEdits(deps, { contractId, reason }, edits);
  if (dates !== undefined) await deps.postponements.end(record, { dates });
}

/** `dates`: what replaces the dates of the record. Undefined if these stay. */
type DatesPlan = { readonly edits: readonly OrderEdit[]; readonly dates: PostponedDates | undefined };

/** Returns undefined when no order can have a date. */
function planDates(
  { now }: Pick<RelayDeps, 'now'>,
  { record: { dates }, frequency, timeZone }: Relaying,
  cycles: readonly LaidCycle[],
): DatesPlan | undefined {
  const nowMs = now();
  const [next] = fromNextOrder({ cycles }, nowMs);
  if (dates === undefined || next === undefined) return undefined;
  const isSame = isSameFrequency(dates.laid, frequency);
  const first = isSame ? dates.laid : firstDate(next, frequency, timeZone);
  const extension = layAfter({
    cycles: isSame ? cycles.filter(({ cycleIndex }) => cycleIndex <= dates.laid.laidThrough) : cycles,
    laid: { ...first, laidThrough: next.cycleIndex },
    ...{ timeZone, nowMs },
  });
  if (extension.kind === 'ended') return undefined;
  const { laid, edits } = extension;
  if (isSame) return { edits, dates: undefined };
  const laidUntil = laidUntilOf(laid, cycles, timeZone) ?? dates.laidUntil;
  const extendAtMs = extensionDueMs(laid, laid.fromCycle, timeZone);
  return { edits, dates: { ...dates, laid, laidUntil, extendAtMs } };
}

/** The next order is the first one that has a date. */
function firstDate(
  next: LaidCycle,
  { interval, intervalCount }: Frequency,
  timeZone: TimeZone,
): Omit<LaidDates, 'laidThrough'> {
  const { cycleIndex: fromCycle } = next;
  const { secondOfDay } = localTimeIn(timeZone, orderDueAtMs(next));
  return { interval, intervalCount, fromCycle, day: isoDayIn(timeZone, orderDueAtMs(next)), secondOfDay };
}
