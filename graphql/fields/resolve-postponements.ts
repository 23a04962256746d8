/** `postponement` of a contract: the dates that a postponement gave its orders, from the service's record. */

import { formatPlatformDate } from '../../lib/domain/instant.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import type { PostponementRecord } from '../../lib/subscriptions/order-dates/postponements.ts';
import { createPostponementRepository } from '../../lib/subscriptions/order-dates/postponements.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** Returns the dates of each contract, or null if its orders are on the ends of their cycles. One table read for 100 contracts. */
export async function resolvePostponements(
  { store, table, now }: RunContext,
  tasks: readonly ServiceTask[],
): Promise<unknown[]> {
  const { shopId } = store;
  const refs = tasks.map(({ parent }) => parseContractRef(shopId, String(parent._svcContract)));
  const known = refs.filter((ref) => ref !== undefined);
  const records = await createPostponementRepository({ table, now }).readMany(known);
  return refs.map((ref) =>
    ref === undefined ? null : toPostponementValue(records[known.indexOf(ref)], now()),
  );
}

function toPostponementValue(record: PostponementRecord | undefined, nowMs: number) {
  const { dates, latest } = record ?? {};
  if (dates === undefined) return null;
  const { revertableUntilMs = 0 } = latest ?? {};
  const revertableUntil = revertableUntilMs > nowMs ? formatPlatformDate(revertableUntilMs) : null;
  return { since: formatPlatformDate(dates.sinceMs), laidUntil: dates.laidUntil, revertableUntil };
}
