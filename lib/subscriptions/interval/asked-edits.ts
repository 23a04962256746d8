/**
 * Before its interval changes, the skips and moves that lie ahead of a contract are found at the dates that were asked
 * for.
 */

import { contractRef } from '../contract-ref.ts';
import type { BillingCycle } from '../cycles/billing-cycle.ts';
import { type EditAhead, editsAhead } from '../cycles/edits-ahead.ts';
import type { OperationDeps } from '../operation.ts';
import { isSameRhythm } from '../selling-plans/rhythm.ts';
import { mergeConcurrent } from './concurrent-edits.ts';
import { eventsDuring, originalDates } from './events-during.ts';
import type { IntervalContract } from './interval-state.ts';
import type { IntervalDeps, UnfinishedInterval } from './unfinished-intervals.ts';

type Request = { readonly contract: IntervalContract; readonly cycles: readonly BillingCycle[] };

/**
 * The edits as the platform shows them; or as they were asked for, where a change of the interval has broken off before
 * they were put back. TEMPORARILY_UNAVAILABLE: the table.
 */
export async function askedEdits(deps: IntervalDeps, request: Request): Promise<EditAhead[]> {
  const { contract } = request;
  const ref = contractRef(deps.store.shopId, contract.id);
  const unfinished = ref && (await deps.unfinishedIntervals.read(ref));
  return unfinished !== undefined && isSameRhythm(unfinished.interval, contract.billingPolicy)
    ? unfinishedEdits(deps, request, unfinished)
    : shownEdits(deps, request);
}

async function shownEdits(deps: OperationDeps, { contract, cycles }: Request): Promise<EditAhead[]> {
  const nowMs = deps.now();
  const found = editsAhead(cycles, { nowMs, originalDates: new Map() });
  if (!found.some(({ moved }) => moved)) return found;
  const of = { shopId: deps.store.shopId, contractId: contract.id };
  return editsAhead(cycles, { nowMs, originalDates: await originalDates(deps, of) });
}

async function unfinishedEdits(
  deps: OperationDeps,
  { contract, cycles }: Request,
  { edits, beganAtMs }: UnfinishedInterval,
): Promise<EditAhead[]> {
  const of = { shopId: deps.store.shopId, contractId: contract.id };
  const entries = await eventsDuring(deps, of, beganAtMs);
  const { before, editedSince } = mergeConcurrent({ edits, entries, beganAtMs }, cycles);
  const shown = await shownEdits(deps, { contract, cycles });
  return [...before, ...shown.filter(({ cycleIndex }) => editedSince.has(cycleIndex))];
}
