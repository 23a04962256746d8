/** Counts the events of a soak, and stores the first messages about forbidden ones. */

/** These counts must be zero. */
export const failures = [
  'sessions lost',
  'false 401',
  'thefts missed',
  'pairs that differ',
  'second sessions',
  'revoked sessions that live',
  'expired sessions that live',
  'unexpected answers',
] as const;
type Failure = (typeof failures)[number];

export type Ledger = {
  count(what: string, by?: number): void;
  fail(what: Failure, details: string): void;
  of(what: string): number;
  all(): Readonly<Record<string, number>>;
  details(): readonly string[];
};

const MAX_DETAILS = 20;

export function createLedger(): Ledger {
  const counts = new Map<string, number>(failures.map((name) => [name, 0]));
  const details: string[] = [];
  const count = (what: string, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by);
  return {
    count,
    fail(what, text) {
      count(what);
      if (details.length < MAX_DETAILS) details.push(`${what}: ${text}`);
    },
    of: (what) => counts.get(what) ?? 0,
    all: () => Object.fromEntries(counts),
    details: () => details,
  };
}
