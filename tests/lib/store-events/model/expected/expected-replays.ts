/** The expected events of a replay, and their order. */
import type { Receipt } from './recorded-event.ts';

/** An endpoint's request to replay all events since then. */
export type Replay = { readonly url: string; readonly sinceMs: number; readonly atMs: number };

/** `all`: what any endpoint was sent. */
export function wronglyReplayed(
  { url, sinceMs, atMs }: Replay,
  receipts: readonly Receipt[],
  all: readonly Receipt[],
): string[] {
  const since = all.filter(({ recordedMs }) => recordedMs >= sinceMs && recordedMs <= atMs);
  const ids = receipts.filter((one) => one.atMs >= atMs).map(({ id }) => id);
  const expected = [...new Map(since.map((one) => [one.id, one])).values()];
  const missing = expected.filter(({ id }) => !ids.includes(id));
  return missing.map(({ id }) => `${url} did not get ${id} again, after a replay`);
}
