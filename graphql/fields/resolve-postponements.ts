/** `postponement` of a contract: the dates that a postponement gave its orders, from the service's record. */

import { formatPlatformDate } from '../../lib/domain/instant.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { isRevertable } from '../../lib/subscriptions/order-dates/postponed-orders.ts';
import type { PostponementRecord } from '../../lib/subscriptions/order-dates/postponements.ts';
import { createPostponementRepository } from '../../lib/subscriptions/order-dates/postponements.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/**
 * Returns the dates of each contract, or null if its orders are on the ends of their cycles and no postponement can be
 * reverted. One table read for 100 contracts.
 */
export async function resolvePostponements(
  { store, table, now }: RunContext,
  tasks: readonly ServiceTask[],
): Promise<unknown[]> {
  const { shopId } = store;
  const refs = tasks.map(({ parent }) => parseContractRef(shopId, String(parent._svcContract)));
  const validRefs = refs.filter((ref) => ref !== undefined);
  const postponements = await createPostponementRepository({ table, now }).readMany(validRefs);
  return refs.map((ref) =>
    ref === undefined ? null : toPostponementValue(postponements[validRefs.indexOf(ref)], now()),
  );
}

function toPostponementValue(record: PostponementRecord | undefined, nowMs: number) {
  const { dates, latest } = record ?? {};
  const revertableUntil =
    latest !== undefined && isRevertable(latest, nowMs) ? formatPlatformDate(latest.revertableUntilMs) : null;
  // A postponement by a whole interval leaves no dates.
  const sinceMs = dates?.sinceMs ?? latest?.madeAtMs;
  const laidUntil = dates?.laidUntil ?? latest?.date;
  if (sinceMs === undefined || laidUntil === undefined) return null;
  if (dates === undefined && revertableUntil === null) return null;
  return { since: formatPlatformDate(sinceMs), laidUntil, revertableUntil };
}
