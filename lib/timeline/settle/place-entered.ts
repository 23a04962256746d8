/**
 * An intent that has its entry is not judged any more: only the entry's place in the store's stream is missing. Its
 * process died in between, or it waited for an older change of the contract.
 */
import { type EndDeps, findEntry, placeEntry } from '../end-intent.ts';
import type { OpenIntent } from '../open-intent.ts';

/** Places the entries that are there; those that still wait stay open. */
export async function placeEntered(
  deps: EndDeps,
  intents: readonly OpenIntent[],
): Promise<{ readonly placed: readonly OpenIntent[]; readonly without: readonly OpenIntent[] }> {
  const placed: OpenIntent[] = [];
  const without: OpenIntent[] = [];
  for (const intent of intents) {
    const entry = await findEntry(deps, intent);
    if (entry === undefined) without.push(intent);
    else if ((await placeEntry(deps, intent, entry)) === 'placed') placed.push(intent);
  }
  return { placed, without };
}
