/** What an endpoint that asked for a replay has to be sent again, and in which order. */
import { isOfCharge } from './held-charges.ts';
import type { Receipt, Told } from './held-told.ts';

/** The wish of an endpoint to be told all again since then. */
export type Replay = { readonly url: string; readonly sinceMs: number; readonly atMs: number };

export function wronglyReplayed(
  { url, sinceMs, atMs }: Replay,
  receipts: readonly Receipt[],
  all: readonly Told[],
): string[] {
  const told = all.filter((entry) => !isOfCharge(entry) && entry.createdAtMs >= sinceMs);
  const ids = receipts.filter((one) => one.atMs >= atMs).map(({ id }) => id);
  const missing = told.filter(({ id }) => !ids.includes(id));
  const orders = Map.groupBy(told, ({ contract }) => contract);
  const disordered = [...orders.values()].flatMap((entries) =>
    entries.slice(1).filter(({ id }, index) => ids.indexOf(id) < ids.indexOf(entries[index]?.id ?? '')),
  );
  return [
    ...missing.map(({ id }) => `${url} did not get ${id} again, after a replay`),
    ...disordered.map(({ id }) => `${url} got ${id} out of order, after a replay`),
  ];
}
