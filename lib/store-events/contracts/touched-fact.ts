/** A change of the service's own names the facts that it changes; a few others follow from them. */
import { changeOf } from '../../timeline/changed-fact.ts';
import type { EventFacts } from '../../timeline/event-record.ts';
import type { Touch } from './explain-fact.ts';

type OwnChange = Pick<EventFacts, 'action' | 'details' | 'changes'> & {
  /** Whether it was certainly made. */
  readonly isSure: boolean;
};

const LINE = /^lines\.([^.]+)\./;
const CYCLE = /^billingCycles\.(\d+)\./;
/** What a new variant brings along. */
const OF_A_VARIANT = /\.(?:currentPrice|sellingPlanId)$/;
/** What other lines bring along; their entry names it once it is known. */
const OF_DELIVERY = /^delivery(?:Price|Method)$/;
/** What a new rhythm brings along, beside what its entry names. */
const OF_A_RHYTHM =
  /^(?:billingCycles\.|lines\..+\.(?:currentPrice|sellingPlanId)$|nextBillingDate$|deliveryPrice$)/;

/** What the change did to a fact; undefined: nothing. */
export function touchedFact(change: OwnChange, field: string): Touch['made'] | undefined {
  // With a date it names orders as the new rhythm made them: how they were before it, nobody tells.
  if (change.action === 'subscription_interval_updated' && CYCLE.test(field)) return 'any';
  const named = changeOf(change.changes, field);
  if (named !== undefined) return { before: named.before, after: named.after };
  // What is recorded without its values, or without its name: which discount it is, is known when it is there.
  const mute = change.changes.filter(({ before, after }) => before === after);
  if (mute.some((one) => one.field === field || field.startsWith(`${one.field}.`))) return 'any';
  return follows(change, field) ? 'any' : undefined;
}

function follows(change: OwnChange, field: string): boolean {
  const { action, details, changes, isSure } = change;
  // What another way of delivery costs is known when it was made, and named then.
  if (action === 'subscription_delivery_updated') return field === 'deliveryPrice' && !isSure;
  if (action === 'subscription_interval_updated') return OF_A_RHYTHM.test(field);
  if (action === 'subscription_lines_updated' && OF_DELIVERY.test(field)) return !isSure;
  const line = LINE.exec(field)?.[1];
  if (line !== undefined) {
    const count = changeOf(changes, `lines.${line}.quantity`);
    const isNewOrGone = count?.before === null || count?.after === null;
    return (
      isNewOrGone || (OF_A_VARIANT.test(field) && changeOf(changes, `lines.${line}.variantId`) !== undefined)
    );
  }
  const cycle = CYCLE.exec(field)?.[1];
  if (cycle === undefined) return false;
  // The orders before the one that is moved are skipped.
  if (details.movesOrder === true) return Number(cycle) <= movedIndex(changes);
  if (!/^billing_cycle_edit/.test(action)) return false;
  const { billingCycleIndex: index } = details;
  return typeof index !== 'number' || String(index) === cycle;
}

/** Which order was moved; Infinity: the entry does not tell. */
function movedIndex(changes: OwnChange['changes']): number {
  const moved = changes.find(({ field }) => field.endsWith('.billingAttemptExpectedDate'));
  return moved === undefined ? Infinity : Number(CYCLE.exec(moved.field)?.[1]);
}
