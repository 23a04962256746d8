/**
 * Applies what is queued of one contract to its recorded state, in the order of the numbers. It stops at what has to wait: a change
 * that is under way, or changes at the same time whose order nobody knows yet.
 */
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import { isQueued } from '../actions.ts';
import type { ChangedFact } from '../changed-fact.ts';
import type { Entry } from '../end-intent.ts';
import { formatEventNumber } from '../event-number.ts';
import { GIVE_UP_AFTER_MS, PLACE_WAITS_MS } from '../open-intent.ts';
import { applyChange } from './apply-change.ts';
import { applyObservation, factsOf, isDiscarded, isFromBeforeErasure } from './apply-observation.ts';
import { createdFacts, externalEntries } from './external-entry.ts';
import type { Observation } from './observation.ts';
import { type Change, groupOf, type Later, orderGroup } from './order-group.ts';
import type { Notice, QueuedItem } from './queue-item.ts';
import type { Batch, RecordedState } from './recorded-state.ts';
import { isCharge, splitEntry } from './split-events.ts';

export type AppliedItems = Omit<Batch, 'sources'> & {
  readonly state: RecordedState;
  /** What is done with, and leaves the queue. */
  readonly done: readonly QueuedItem[];
  /** The contract has to be observed again. */
  readonly isObservedAgain: boolean;
  /** Whether the rest has to wait. */
  readonly waits: boolean;
};

/** Changes that are under way for longer than anybody waits: the rest went on without them. */
type Applying = AppliedItems & { readonly passed: readonly Change[] };

/** `items`: all of the contract that are queued, in the order of their numbers. */
export function applyItems(state: RecordedState, items: readonly QueuedItem[], nowMs: number): AppliedItems {
  let applied: Applying = {
    ...{ state, entries: [], corrections: [], records: [], done: [], isObservedAgain: false, waits: false },
    passed: [],
  };
  let left = items;
  while (left[0] !== undefined && !applied.waits) {
    const [first, ...later] = left;
    const next = applyOne(applied, first, { later, nowMs });
    const gone = new Set(next.done);
    applied = next;
    left = left.filter((one) => one !== first && !gone.has(one));
  }
  const { passed: _passed, ...result } = applied;
  return result;
}

type Around = { readonly later: readonly QueuedItem[]; readonly nowMs: number };

function applyOne(applied: Applying, item: QueuedItem, around: Around): Applying {
  const { entry, observation, notice } = item;
  if (notice !== undefined) return withNotice(applied, item, notice);
  if (observation !== undefined) return withObservation(applied, item, { ...around, observation });
  if (entry === undefined) return withOpen(applied, item, around);
  if (entry.action === 'subscription_created' && entry.actor.kind !== 'UNKNOWN') {
    return withCreated(applied, item, { ...around, entry });
  }
  return isCharge(entry)
    ? reported(done(applied, item), { entry })
    : withGroup(applied, { ...item, entry }, around);
}

function done(applied: Applying, ...items: readonly QueuedItem[]): Applying {
  return { ...applied, done: [...applied.done, ...items] };
}

function withNotice(applied: Applying, item: QueuedItem, notice: Notice): Applying {
  const { state } = applied;
  const { shopId, id, contract, event, upcomingTold, expiringTold } = notice;
  const isUpcoming = upcomingTold !== undefined;
  const isAnnounced = isUpcoming
    ? upcomingTold <= (state.upcomingTold ?? -1)
    : expiringTold !== undefined && expiringTold === state.expiringTold;
  const isAhead = isUpcoming || expiringTold !== undefined;
  if (isAnnounced || (isAhead && state.isForgotten)) return done(applied, item);
  const told = { ...(isUpcoming && { upcomingTold }), ...(expiringTold !== undefined && { expiringTold }) };
  return {
    ...done(applied, item),
    state: isAhead ? { ...state, ...told } : state,
    records: [...applied.records, { shopId, id, contract, event }],
  };
}

/** A change that is under way is waited for. An older one is passed over: it is appended when it is settled. */
function withOpen(applied: Applying, item: QueuedItem, { nowMs }: Around): Applying {
  const { intent } = item;
  if (isYoung(intent, nowMs)) return isQueued(intent) ? { ...applied, waits: true } : applied;
  // A place that was held for an entry that was never written.
  if (intent.isPlace) return done(applied, item);
  return { ...applied, passed: [...applied.passed, intent] };
}

function isYoung({ createdAtMs }: { readonly createdAtMs: number }, nowMs: number): boolean {
  return nowMs - createdAtMs < PLACE_WAITS_MS;
}

/** Changes of the service's own in the queue, open ones among them. */
function changesOf(items: readonly QueuedItem[]): Change[] {
  return items.flatMap(({ intent, entry }): Change[] => {
    if (entry === undefined) return intent.isPlace || !isQueued(intent) ? [] : [intent];
    return isQueued(entry) && entry.actor.kind !== 'UNKNOWN' ? [entry] : [];
  });
}

type WithObservation = Around & { readonly observation: Observation };

function withObservation(
  applied: Applying,
  item: QueuedItem,
  { later, observation, nowMs }: WithObservation,
): Applying {
  const { state, passed } = applied;
  if (isFromBeforeErasure(state, observation)) return done(applied, item);
  const changes = changesOf(later).filter((one) => one.endedAtMs !== undefined || isYoung(one, nowMs));
  if (isDiscarded(state, observation, changes)) return { ...done(applied, item), isObservedAgain: true };
  const isMadeHere = later.some(({ intent }) => intent.action === 'subscription_created');
  const found = applyObservation(state, without(observation, passed), isMadeHere);
  const next = found.entries.reduce(
    (all, entry) => reported(all, { entry, isExternal: true }),
    done({ ...applied, state: found.state }, item),
  );
  return found.areOrdersKnownAgain ? withOrdersKnown(next, observation) : next;
}

/** The observation without what changes under way may have made. */
function without(observation: Observation, passed: readonly Change[]): Observation {
  const roots = passed.flatMap(({ changes }) => changes.map(({ field }) => field.split('.')[0] ?? ''));
  if (roots.length === 0) return observation;
  const withheld = [...new Set([...observation.withheld, ...roots])];
  return { ...observation, withheld, ...(roots.includes('billingCycles') && { cycles: {}, cyclesUntil: 0 }) };
}

/** Receivers that queried the orders before they were observed query them once more. */
function withOrdersKnown(applied: Applying, { startedAtMs, contract }: Observation): Applying {
  const { shopId } = applied.state;
  const event = { type: 'subscription.updated', atMs: startedAtMs, ordersChanged: true } as const;
  return {
    ...applied,
    records: [...applied.records, { shopId, contract, id: `orders-${contract}-${startedAtMs}`, event }],
  };
}

type WithEntry = Around & { readonly entry: Entry };

/** A contract that was made here is reported with all its facts, as they are observed first. It waits for that a week at most. */
function withCreated(applied: Applying, item: QueuedItem, { entry, later, nowMs }: WithEntry): Applying {
  const first = later.find(({ observation }) => observation !== undefined);
  const { observation } = first ?? {};
  const { state } = applied;
  const others = changesOf(later);
  if (
    first === undefined ||
    observation === undefined ||
    isDiscarded(state, observation, [entry, ...others])
  ) {
    const discarded = first === undefined ? applied : done(applied, first);
    if (!state.isKnown && nowMs - entry.createdAtMs < GIVE_UP_AFTER_MS) {
      // The inbox keeps the contract while it cannot be read.
      return { ...discarded, waits: true, isObservedAgain: first !== undefined || isYoung(entry, nowMs) };
    }
    const known = { ...discarded, state: state.isKnown ? state : withoutFacts(state, entry) };
    return reported(done(known, item), { entry });
  }
  const found = applyObservation(state, observation, true);
  const corrected = { ...entry, changes: createdFacts(factsOf(state, found.state)) };
  return reported(done({ ...applied, state: found.state }, item, first), {
    entry: corrected,
    isCorrected: true,
  });
}

/** The contract is reported before it was observed: the first observation reports its facts as effects of this entry. */
function withoutFacts(state: RecordedState, { number, actor, createdAtMs, endedAtMs = createdAtMs }: Entry) {
  const uncertain = [{ pattern: '*', number, actor, endedAtMs }];
  return { ...state, isKnown: true as const, isComplete: true, uncertain };
}

type WithChange = QueuedItem & { readonly entry: Entry };

/** The change, with those that happened at the same time. */
function withGroup(applied: Applying, item: WithChange, { later, nowMs }: Around): Applying {
  const concurrent = changesOf(later).filter((one) => one.endedAtMs !== undefined || isYoung(one, nowMs));
  const group = groupOf(item.entry, concurrent);
  const members = group.flatMap((one) => [item, ...later].find(({ intent }) => intent.id === one.id) ?? []);
  if (members.some(({ entry }) => entry === undefined)) return { ...applied, waits: true };
  const behind = later.filter((one) => !members.includes(one)).flatMap(toLater);
  const order = orderGroup(group, { state: applied.state, later: behind, nowMs });
  if (order === undefined) return { ...applied, waits: true, isObservedAgain: true };
  let next = applied;
  for (const change of order) {
    const member = members.find(({ entry }) => entry?.id === change.id);
    if (member?.entry !== undefined) next = withOwn(done(next, member), member.entry, group);
  }
  return next;
}

function toLater({ intent, entry, observation }: QueuedItem): Later[] {
  if (observation !== undefined) return [{ observation }];
  return intent.isPlace ? [] : [{ change: entry ?? intent }];
}

function withOwn(applied: Applying, entry: Entry, group: readonly Change[]): Applying {
  const before = applied.state;
  const { state, external, changes, isReported } = applyChange(before, entry, group);
  const atMs = Math.min(entry.readAtMs ?? entry.createdAtMs, entry.createdAtMs - 1);
  const found =
    external.length === 0 ? [] : externalEntries(before, { id: `before-${entry.id}`, atMs, steps: external });
  const next = found.reduce((all, one) => reported(all, { entry: one, isExternal: true }), {
    ...applied,
    state,
  });
  const isCorrected = !areSame(changes, entry.changes);
  const isLate = (entry.endedAtMs ?? 0) - entry.createdAtMs >= PLACE_WAITS_MS;
  return reported(isLate ? { ...next, isObservedAgain: true } : next, {
    entry: { ...entry, changes },
    isCorrected,
    isReported,
  });
}

function areSame(one: readonly ChangedFact[], other: readonly ChangedFact[]): boolean {
  return one.length === other.length && one.every((fact, index) => fact.before === other[index]?.before);
}

type Reporting = {
  readonly entry: Entry;
  readonly isExternal?: boolean;
  readonly isCorrected?: boolean;
  readonly isReported?: boolean;
};

/** The entry's events, and what has to be written of it. */
function reported(
  applied: Applying,
  { entry, isExternal = false, isCorrected = false, isReported = true }: Reporting,
): Applying {
  const own = isExternal ? withFreeNumber(entry, applied.entries) : entry;
  const records: readonly NewStreamRecord[] = isReported ? splitEntry(own) : [];
  const { number, changes } = own;
  return {
    ...applied,
    records: [...applied.records, ...records],
    entries: isExternal ? [...applied.entries, own] : applied.entries,
    corrections: isCorrected ? [...applied.corrections, { number, changes }] : applied.corrections,
  };
}

/** Of several external entries of one millisecond each has a number of its own. */
function withFreeNumber(entry: Entry, others: readonly Entry[]): Entry {
  const taken = new Set(others.map(({ number }) => number));
  let { number } = entry;
  for (let sequence = 0; taken.has(number); sequence++) number = formatEventNumber({ ...entry, sequence });
  return { ...entry, number };
}
