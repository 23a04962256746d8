/**
 * An open intent is judged by what can be seen afterwards: what later changes through the service found before them,
 * else the contract's real state.
 */

import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import type { EventFacts } from '../event-record.ts';
import { type ChangedFact, changeOf, comparableFacts, haveSameEnd, isSameText } from '../facts.ts';
import { IN_FLIGHT_MS } from '../intent.ts';
import { CONTRACT_CONTENT, type ContractContent, contentText } from './contract-content.ts';

export type Verdict = 'done' | 'not done' | 'unknown';

export type Evidence = {
  /** Undefined: it could not be read, or there is no such contract. */
  readonly state: RealState | undefined;
  /** Changes of the contract that were begun after the intent, entries and intents alike, oldest first. */
  readonly later: readonly Pick<EventFacts, 'createdAtMs' | 'changes'>[];
  /** Changes that were made and were begun up to `IN_FLIGHT_MS` before the intent, oldest first. */
  readonly earlier: readonly Pick<EventFacts, 'changes'>[];
};

/**
 * Done: all facts show what was to be, and nothing but this explains it. Not done: all show what was. Else unknown.
 */
export function resolveIntent(
  intent: Pick<EventFacts, 'createdAtMs' | 'changes'>,
  evidence: Evidence,
): Verdict {
  const seen = comparableFacts(intent).map((fact) => evaluate(fact, intent.createdAtMs, evidence));
  const [first, ...others] = seen;
  if (first === undefined || others.some((other) => other.shows !== first.shows)) return 'unknown';
  if (first.shows === 'before') return 'not done';
  if (first.shows !== 'after') return 'unknown';
  const isForeign = seen.some(({ isState }) => isState) && isChangedExternally(intent, evidence);
  return isForeign ? 'unknown' : 'done';
}

/** Whether what was to be is so, or was told, though not by this intent: whoever asked for it has it. */
export function isMadeByAnother(
  intent: Pick<EventFacts, 'changes'>,
  { state, later, earlier }: Evidence,
): boolean {
  const facts = comparableFacts(intent);
  const isInEffect = facts.every(({ field, after }) => {
    const text = state?.textOf(field);
    return text !== undefined && isSameText(field, text, after);
  });
  const recorded = [...earlier, ...later].filter((one) => 'outcome' in one && one.outcome === 'DONE');
  return facts.length > 0 && (isInEffect || recorded.some((one) => haveSameEnd(intent, one)));
}

/** Whether this fact of an intent is, or was until a later change, as it was to be. */
export function isSeen(
  fact: ChangedFact,
  { createdAtMs }: Pick<EventFacts, 'createdAtMs'>,
  evidence: Evidence,
): boolean {
  return evaluate(fact, createdAtMs, evidence).shows === 'after';
}

type FieldState = { readonly shows: 'before' | 'after' | 'neither'; readonly isState: boolean };

function evaluate(fact: ChangedFact, createdAtMs: number, evidence: Evidence): FieldState {
  const seen = evaluateLater(fact, createdAtMs, evidence);
  if (seen.shows !== 'after') return seen;
  const ofFact = evidence.earlier.flatMap(({ changes }) => changeOf(changes, fact.field) ?? []);
  const last = ofFact.at(-1);
  // The earlier change came in between, after the contract was read for this one: its entry tells the change.
  const isRecorded = last !== undefined && isSameText(fact.field, last.after, fact.after);
  return isRecorded ? { shows: 'before', isState: false } : seen;
}

function evaluateLater(fact: ChangedFact, createdAtMs: number, { state, later }: Evidence): FieldState {
  for (const { changes, createdAtMs: laterAtMs } of later) {
    const found = changeOf(changes, fact.field);
    if (found === undefined) continue;
    const shows = compare(fact, found.before);
    // The later change had the same to do, so whichever of them came first, this is the one that is told.
    const isSame = shows === 'before' && isSameText(fact.field, found.after, fact.after);
    const isTooSoon = laterAtMs - createdAtMs < IN_FLIGHT_MS && shows === 'before' && !isSame;
    return { shows: isTooSoon ? 'neither' : shows, isState: false };
  }
  const text = state?.textOf(fact.field);
  return { shows: text === undefined ? 'neither' : compare(fact, text), isState: true };
}

function compare({ field, before, after }: ChangedFact, text: string | null): FieldState['shows'] {
  if (isSameText(field, text, after)) return 'after';
  return isSameText(field, text, before) ? 'before' : 'neither';
}

/** Whether the contract was changed when none of ours was under way. */
function isChangedExternally(
  { createdAtMs }: Pick<EventFacts, 'createdAtMs'>,
  { state, later }: Evidence,
): boolean {
  const lastOwnAtMs = later.reduce((lastMs, one) => Math.max(lastMs, one.createdAtMs), createdAtMs);
  return state !== undefined && state.updatedAtMs > lastOwnAtMs + IN_FLIGHT_MS;
}

export type RealState = {
  /** When the contract was last changed, by the platform's clock. */
  readonly updatedAtMs: number;
  /** A fact as it is now, null if there is none; undefined: this cannot be told. */
  readonly textOf: (field: string) => string | null | undefined;
};

/** The end of a pause is kept by this service, not by the platform. */
export const PAUSE_END = 'currentPause.resumesAt';
const CYCLE = /^billingCycles\.(\d{1,9})\.(skipped|billingAttemptExpectedDate|status)$/;
const CYCLE_FIELDS = 'skipped billingAttemptExpectedDate status';

/** The document that reads a contract, and the billing cycles that these fields name. Variable: `id`. */
export function realStateDocument(fields: Iterable<string>): string {
  const named = [...fields];
  const indices = new Set(named.flatMap((field) => CYCLE.exec(field)?.[1] ?? []));
  const cycles = [...indices].sort().map(
    (index) => `cycle${index}: subscriptionBillingCycle(billingCycleInput: { contractId: $id,
      selector: { index: ${index} } }) { ${CYCLE_FIELDS} }`,
  );
  const contract = `contract: subscriptionContract(id: $id) { id updatedAt ${CONTRACT_CONTENT} }`;
  return `query($id: ID!) { ${contract} ${cycles.join(' ')} }`;
}

type Data = Readonly<Record<string, unknown>>;

type Answer = {
  readonly data: Data;
  /** Errors beside the data: what they name cannot be told, though null stands there. */
  readonly errors?: readonly PlatformError[];
  /** When the contract's pause ends by itself. */
  readonly pauseEnd?: string | null;
};

/** The state in the answer to `realStateDocument`; undefined: there is no such contract. */
export function toRealState({ data, errors = [], pauseEnd = null }: Answer): RealState | undefined {
  const contract = (data.contract ?? undefined) as (ContractContent & { updatedAt: string }) | undefined;
  if (contract === undefined) return undefined;
  const unknownFields = new Set(errors.flatMap(({ path = [] }) => (path[0] === 'contract' ? [path[1]] : [])));
  return {
    updatedAtMs: Date.parse(contract.updatedAt),
    textOf(field) {
      if (field === PAUSE_END) return pauseEnd;
      const cycle = CYCLE.exec(field);
      if (cycle === null) return unknownFields.has(partOf(field)) ? undefined : contentText(contract, field);
      return cycleText(data[`cycle${cycle[1]}`], cycle[2]);
    },
  };
}

/** The field of the contract that a fact is read from. */
function partOf(field: string): string | undefined {
  return field.split('.')[0];
}

function cycleText(cycle: unknown, name: string | undefined): string | undefined {
  const value = (cycle as Data | null | undefined)?.[name ?? ''];
  return value === undefined || value === null ? undefined : String(value);
}
