/** What a step changes at the shop: written down before it is done, and put back in the opposite order. */
import { failureWords } from '../../../lib/stores/checks/failure-words.ts';

/**
 * Brings a thing back to what it was. May be repeated, and finds nothing to do where nothing was changed. Resolves with a
 * sentence if something of it has to stay.
 */
export type Undo = () => Promise<string | undefined>;

type LedgerEntry = { readonly what: string; readonly undo: Undo | undefined };

export type Ledger = {
  /** Writes a change down before its request is sent. Without `undo` it cannot be put back. */
  note(what: string, undo?: Undo): LedgerEntry;
  /** Strikes a change that was certainly not made. */
  strike(entry: LedgerEntry): void;
  /** Puts everything back that can be. Never rejects. */
  putBack(): Promise<void>;
  /** What is changed now, in words for who reads the report. */
  readonly open: () => readonly string[];
  readonly wasPutBack: () => readonly string[];
  /** What could not be put back though it should, and why. */
  readonly failed: () => readonly string[];
};

/** An empty one; `changed` is called after each line. */
export function createLedger(changed: () => void): Ledger {
  let entries: LedgerEntry[] = [];
  const done: string[] = [];
  const stays: string[] = [];
  const failures = new Map<LedgerEntry, string>();
  const remove = (entry: LedgerEntry) => {
    entries = entries.filter((each) => each !== entry);
    changed();
  };
  return {
    note(what, undo) {
      const entry = { what, undo };
      entries.push(entry);
      changed();
      return entry;
    },
    strike: remove,
    async putBack() {
      for (const entry of entries.toReversed()) {
        if (entry.undo === undefined) continue;
        try {
          // An undo looks at what is there, so that a second try goes on where the answer to the first was lost.
          const left = await entry.undo().catch(() => entry.undo?.());
          if (left === undefined) done.push(entry.what);
          else stays.push(`${entry.what} ${left}`);
          remove(entry);
        } catch (error) {
          failures.set(entry, `${entry.what} Not put back: ${failureWords(error)}.`);
          changed();
        }
      }
    },
    open: () => [...stays, ...entries.map((entry) => failures.get(entry) ?? wordsNow(entry))],
    wasPutBack: () => done,
    failed: () => [...failures.values()],
  };
}

/** Until it was tried. */
function wordsNow({ what, undo }: LedgerEntry): string {
  return undo === undefined ? what : `${what} Not put back yet.`;
}
