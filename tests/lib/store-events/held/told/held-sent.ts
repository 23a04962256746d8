/** What merchants' endpoints have to be sent, from what the timeline tells: each entry, as it is, in order for each contract. */

import { isOfCharge } from './held-charges.ts';
import type { Receipt, Told } from './held-told.ts';

/** Each entry at least once, as it is; those of a contract first in the order of their numbers, whoever made the change. */
export function wronglySent(name: string, receipts: readonly Receipt[], all: readonly Told[]): string[] {
  // Charges change, and are told under an id for each state: see held-charges.ts.
  const told = all.filter((entry) => !isOfCharge(entry));
  const first = new Map<string, number>();
  for (const [index, { id }] of receipts.entries()) if (!first.has(id)) first.set(id, index);
  const missing = told.filter(({ id }) => !first.has(id)).map(({ id }) => `${name} never got ${id}`);
  const orders = Map.groupBy(told, ({ contract }) => contract);
  const disordered = [...orders.values()].flatMap((entries) =>
    entries.flatMap((entry, index) => {
      const next = entries[index + 1];
      const [at, nextAt] = [first.get(entry.id) ?? 0, first.get(next?.id ?? '') ?? Infinity];
      return nextAt < at ? [`${name} got ${next?.id} before ${entry.id}, of ${entry.contract}`] : [];
    }),
  );
  const entries = new Map(told.map((entry) => [entry.id, entry]));
  const garbled = receipts
    .filter((one) => entries.has(one.id) && contentOf(one) !== contentOf(entries.get(one.id)))
    .map(({ id }) => `${name} got ${id} with other changes`);
  return [...missing, ...disordered, ...garbled];
}

/** What people wrote, or may have written. */
const WRITTEN: ReadonlySet<string> = new Set(['note', 'customAttributes']);

/** Whose contract, and from what to what; of what people wrote only that it changed. */
function contentOf(
  one: (Pick<Told, 'changes'> & { readonly contract: number | string | null }) | undefined,
): string {
  const changes = one?.changes
    .filter(({ field }) => field !== 'currentPause.resumesAt')
    .map(({ field, before, after }) => (WRITTEN.has(field) ? [field] : [field, before, after]));
  return JSON.stringify([String(one?.contract).split('/').at(-1), changes]);
}
