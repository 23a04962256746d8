/**
 * Two readings of a contract are compared. What the service's own changes between them do not explain was changed
 * elsewhere, and is told with them in the order in which it happened.
 */
import { type ChangedFact, deliveryMethodFact, factOf } from '../../timeline/changed-fact.ts';
import type { EventNumber } from '../../timeline/event-number.ts';
import type { EventFacts } from '../../timeline/event-record.ts';
import { isContentField } from '../../timeline/settle/contract-content.ts';
import type { ContractReading, CycleFacts } from './contract-reading.ts';
import { explainFact, type Touch } from './explain-fact.ts';
import { touchedFact } from './touched-fact.ts';

/** A change of the service's own that was begun between the readings, or was open at the first. */
export type OwnChange = Pick<
  EventFacts,
  'number' | 'createdAtMs' | 'readAtMs' | 'endedAtMs' | 'action' | 'details' | 'changes'
> & {
  /** Whether it was certainly made, and between the two readings. */
  readonly isSure: boolean;
  /** Whether it was begun between them. */
  readonly isSince: boolean;
  /** Whether a night after it found the contract as it was at the first: made or not, it explains nothing of what that read. */
  readonly isPast: boolean;
};

/** What was changed elsewhere ahead of that change of the service's own; undefined: after all of them. */
export type ForeignChange = {
  readonly ahead: EventNumber | undefined;
  readonly changes: readonly ChangedFact[];
};

type Readings = {
  readonly before: Pick<ContractReading, 'readAtMs' | 'facts' | 'untold' | 'cycles'>;
  readonly now: Pick<ContractReading, 'facts' | 'untold' | 'cycles'>;
};

/** The changes made elsewhere, oldest first. `own`: in the order of their numbers. */
export function compareContract(readings: Readings, own: readonly OwnChange[]): ForeignChange[] {
  const groups = new Map<EventNumber | undefined, ChangedFact[]>();
  for (const { field, before, after } of factsOf(readings, own)) {
    // A night reads the next orders alone.
    const present = own.filter(({ isPast }) => !isPast || field.startsWith('billingCycles.'));
    const touches = present.flatMap((change) => {
      const made = touchedFact(change, field);
      return made === undefined ? [] : [toTouch(change, made, readings.before.readAtMs)];
    });
    for (const step of explainFact({ field, before, after }, touches)) {
      groups.set(step.ahead, [...(groups.get(step.ahead) ?? []), toChangedFact(field, step)]);
    }
  }
  const order = ({ ahead }: ForeignChange) => ahead ?? '~';
  return [...groups]
    .map(([ahead, changes]) => ({ ahead, changes }))
    .sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** No request lives longer. */
const LIFE_MS = 30_000;

function toTouch(change: OwnChange, made: Touch['made'], lookedAtMs: number): Touch {
  const { number, createdAtMs, readAtMs, endedAtMs, isSure, isSince } = change;
  const latestMs = createdAtMs + LIFE_MS;
  return {
    ...{ number, made, createdAtMs, isSure },
    readAtMs: readAtMs ?? createdAtMs - LIFE_MS,
    endedAtMs: Math.min(endedAtMs ?? latestMs, latestMs),
    isSince: isSince && (readAtMs ?? createdAtMs) >= lookedAtMs,
  };
}

type Fact = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** All facts that both readings know. What was not there at either may have been there in between. */
function factsOf({ before, now }: Readings, own: readonly OwnChange[]): Fact[] {
  const untold = new Set([...before.untold, ...now.untold]);
  const between = own.flatMap(({ changes }) => changes.map(({ field }) => field)).filter(isContentField);
  const fields = new Set([...Object.keys(before.facts), ...Object.keys(now.facts), ...between]);
  const ofContract = [...fields]
    .filter((field) => !untold.has(field.split('.')[0] ?? ''))
    .map((field) => ({ field, before: before.facts[field] ?? null, after: now.facts[field] ?? null }));
  const ofCycles = Object.entries(now.cycles).flatMap(([index, after]) => {
    const known = before.cycles[index];
    // With another rhythm the same number stands for another time.
    const isSame = known !== undefined && known.start === after.start && known.end === after.end;
    return isSame ? cycleFacts(index, known, after) : [];
  });
  return [...ofContract, ...ofCycles];
}

function cycleFacts(index: string, before: CycleFacts, after: CycleFacts): Fact[] {
  const fact = (name: string, read: (cycle: CycleFacts) => string | null) => ({
    field: `billingCycles.${index}.${name}`,
    before: read(before),
    after: read(after),
  });
  return [
    fact('skipped', ({ isSkipped }) => String(isSkipped)),
    fact('billingAttemptExpectedDate', ({ date }) => instantOf(date)),
    fact('editedContract', ({ editedAt }) => (editedAt === undefined ? null : instantOf(editedAt))),
  ];
}

/** Epoch seconds as the platform writes dates. */
function instantOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function toChangedFact(field: string, { before, after }: Omit<Fact, 'field'>): ChangedFact {
  return field === 'deliveryMethod' ? deliveryMethodFact() : factOf(field, { before, after });
}
