/**
 * Applies the queued items of one contract to its recorded state, in the order of their numbers. It stops at an item that
 * has to wait: a change in progress, or concurrent changes whose order is not known yet.
 */
import { isAppendedToStream } from '../actions.ts';
import { type CommonEventFields, type EventRecord, formatEventNumber } from '../event-record.ts';
import { INTENT_GIVE_UP_AFTER_MS, MAX_WAIT_FOR_EARLIER_ENTRY_MS } from '../intent.ts';
import { applyChange } from './apply-change.ts';
import {
  applyObservation,
  isFromBeforeErasure,
  isObservationOutdated,
  listCreationFacts,
} from './apply-observation.ts';
import { createExternalEntries, listCreatedFacts } from './create-external-entries.ts';
import type { Observation } from './observation.ts';
import {
  findConcurrentChanges,
  type LaterQueueItem,
  orderConcurrentChanges,
} from './order-concurrent-changes.ts';
import { type EventNotice, type QueuedTimelineItem, toNoticeStreamRecord } from './queue-item.ts';
import type { AppendBatch, RecordedState } from './recorded-state.ts';
import { isChargeEntry, splitEntryIntoRecords } from './split-entry-into-records.ts';

export type AppliedItems = Omit<AppendBatch, 'sources'> & {
  readonly state: RecordedState;
  /** The applied items, which leave the queue. */
  readonly done: readonly QueuedTimelineItem[];
  /** Whether the contract has to be observed again. */
  readonly isObservedAgain: boolean;
  /** Whether the remaining items have to wait. */
  readonly waits: boolean;
};

/** `passed`: changes in progress for so long that later items do not wait for them. */
type ApplyProgress = AppliedItems & { readonly passed: readonly CommonEventFields[] };

/** `later`: the items behind the applied one. */
type FollowingItems = { readonly later: readonly QueuedTimelineItem[]; readonly nowMs: number };

/** Applies the items: all queued ones of the contract, in the order of their numbers. */
export function applyQueuedItems(
  state: RecordedState,
  items: readonly QueuedTimelineItem[],
  nowMs: number,
): AppliedItems {
  let applyProgress: ApplyProgress = {
    ...{ state, entries: [], corrections: [], records: [], done: [], isObservedAgain: false, waits: false },
    passed: [],
  };
  for (let remainingItems = items; remainingItems[0] !== undefined && !applyProgress.waits; ) {
    const [first, ...later] = remainingItems;
    applyProgress = applyQueuedItem(applyProgress, first, { later, nowMs });
    const done = new Set(applyProgress.done);
    remainingItems = later.filter((one) => !done.has(one));
  }
  return applyProgress;
}

function applyQueuedItem(
  applied: ApplyProgress,
  item: QueuedTimelineItem,
  following: FollowingItems,
): ApplyProgress {
  const { entry, observation, notice } = item;
  if (notice !== undefined) return withEventNotice(withAppliedItems(applied, item), notice);
  if (observation !== undefined)
    return withAppliedObservation(withAppliedItems(applied, item), observation, following);
  if (entry === undefined) return withOpenIntent(applied, item, following);
  if (isChargeEntry(entry)) return withEventRecords(withAppliedItems(applied, item), entry);
  const isCreatedByService = entry.action === 'subscription_created' && entry.actor.kind !== 'UNKNOWN';
  return isCreatedByService
    ? withCreatedContract(applied, item, { ...following, entry })
    : withConcurrentChanges(applied, item, { ...following, entry });
}

function withAppliedItems(applied: ApplyProgress, ...items: readonly QueuedTimelineItem[]): ApplyProgress {
  return { ...applied, done: [...applied.done, ...items] };
}

/** Adds the stream records of the entry's events. */
function withEventRecords(applied: ApplyProgress, entry: EventRecord): ApplyProgress {
  return { ...applied, records: [...applied.records, ...splitEntryIntoRecords(entry)] };
}

/** Adds external entries and their events. Entries of the same millisecond get different numbers. */
function withExternalEntries(applied: ApplyProgress, found: readonly EventRecord[]): ApplyProgress {
  let progressAfter = applied;
  for (const eventRecord of found) {
    const takenNumbers = new Set(progressAfter.entries.map(({ number }) => number));
    let { number } = eventRecord;
    for (let sequence = 0; takenNumbers.has(number); sequence++)
      number = formatEventNumber({ ...eventRecord, sequence });
    progressAfter = withEventRecords(
      { ...progressAfter, entries: [...progressAfter.entries, { ...eventRecord, number }] },
      { ...eventRecord, number },
    );
  }
  return progressAfter;
}

/** Adds the correction of a service entry's changes. */
function withEntryCorrection(applied: ApplyProgress, { number, changes }: EventRecord): ApplyProgress {
  return { ...applied, corrections: [...applied.corrections, { number, changes }] };
}

/** An upcoming order or an expiring payment method is announced once, and not for an erased customer. */
function withEventNotice(applied: ApplyProgress, notice: EventNotice): ApplyProgress {
  const { state } = applied;
  const { upcomingTold, expiringTold } = notice;
  const progressAfter = { ...applied, records: [...applied.records, toNoticeStreamRecord(notice)] };
  if (upcomingTold === undefined && expiringTold === undefined) return progressAfter;
  const isAlreadyAnnounced = upcomingTold !== undefined && upcomingTold <= (state.upcomingTold ?? -1);
  if (isAlreadyAnnounced || state.isForgotten) return applied;
  if (upcomingTold !== undefined) return { ...progressAfter, state: { ...state, upcomingTold } };
  return expiringTold === undefined || expiringTold === state.expiringTold
    ? applied
    : { ...progressAfter, state: { ...state, expiringTold } };
}

/** Later items wait for a change in progress. An old one is passed over: it is appended when it is settled. */
function withOpenIntent(
  applied: ApplyProgress,
  item: QueuedTimelineItem,
  { nowMs }: FollowingItems,
): ApplyProgress {
  const { intent } = item;
  if (mayStillBlockLaterItems(intent, nowMs))
    return isAppendedToStream(intent) ? { ...applied, waits: true } : applied;
  // This item reserved the order of an entry that was never written, so it is dropped.
  return intent.isPlace
    ? withAppliedItems(applied, item)
    : { ...applied, passed: [...applied.passed, intent] };
}

function mayStillBlockLaterItems({ createdAtMs }: { readonly createdAtMs: number }, nowMs: number): boolean {
  return nowMs - createdAtMs < MAX_WAIT_FOR_EARLIER_ENTRY_MS;
}

/** Returns the service's later changes, without open ones that are passed over. */
function laterServiceChanges({ later, nowMs }: FollowingItems): CommonEventFields[] {
  return later.flatMap(({ intent, entry }): CommonEventFields[] => {
    const laterChange = entry ?? intent;
    const isServiceChange = entry ? entry.actor.kind !== 'UNKNOWN' : !intent.isPlace;
    const mayStillAppear = laterChange.endedAtMs !== undefined || mayStillBlockLaterItems(laterChange, nowMs);
    return isServiceChange && isAppendedToStream(laterChange) && mayStillAppear ? [laterChange] : [];
  });
}

function withAppliedObservation(
  applied: ApplyProgress,
  observation: Observation,
  following: FollowingItems,
): ApplyProgress {
  const { state, passed } = applied;
  if (isFromBeforeErasure(state, observation)) return applied;
  if (isObservationOutdated(state, observation, laterServiceChanges(following)))
    return { ...applied, isObservedAgain: true };
  const isCreated = following.later.some(({ intent }) => intent.action === 'subscription_created');
  const observationResult = applyObservation(state, withoutFactsOfChanges(observation, passed), isCreated);
  const progressAfter = withExternalEntries(
    { ...applied, state: observationResult.state },
    observationResult.entries,
  );
  const areOrdersKnownAgain =
    !state.areCyclesKnown && observationResult.state.areCyclesKnown && state.observedFromMs > 0;
  if (!areOrdersKnownAgain || state.isForgotten) return progressAfter;
  // Receivers that queried the orders before they were observed query them again.
  const { startedAtMs, contract } = observation;
  const event = { type: 'subscription.updated', atMs: startedAtMs, ordersChanged: true } as const;
  const ordersRecord = { shopId: state.shopId, contract, id: `orders-${contract}-${startedAtMs}`, event };
  return { ...progressAfter, records: [...progressAfter.records, ordersRecord] };
}

/** Returns the observation without facts that the passed changes may have set. */
function withoutFactsOfChanges(observation: Observation, passed: readonly CommonEventFields[]): Observation {
  const roots = passed.flatMap(({ changes }) => changes.map(({ field }) => field.split('.')[0] ?? ''));
  const withheld = [...new Set([...observation.withheld, ...roots])];
  return { ...observation, withheld, ...(roots.includes('billingCycles') && { cycles: {}, cyclesUntil: 0 }) };
}

type EntryWithFollowing = FollowingItems & { readonly entry: EventRecord };

/**
 * Applies the creation of a contract by the service. It is reported with all facts of the first observation, for which
 * it waits up to a week.
 */
function withCreatedContract(
  applied: ApplyProgress,
  item: QueuedTimelineItem,
  { entry, ...around }: EntryWithFollowing,
): ApplyProgress {
  const { state } = applied;
  const firstObservation = around.later.find(({ observation }) => observation !== undefined);
  const progressAfter =
    firstObservation === undefined ? applied : withAppliedItems(applied, firstObservation);
  if (
    firstObservation?.observation !== undefined &&
    !isObservationOutdated(state, firstObservation.observation, [entry, ...laterServiceChanges(around)])
  ) {
    const observedState = applyObservation(state, firstObservation.observation, true).state;
    const correctedEntry = { ...entry, changes: listCreatedFacts(listCreationFacts(state, observedState)) };
    return withEventRecords(
      withEntryCorrection(withAppliedItems({ ...progressAfter, state: observedState }, item), correctedEntry),
      correctedEntry,
    );
  }
  if (state.isKnown) return withEventRecords(withAppliedItems(progressAfter, item), entry);
  if (around.nowMs - entry.createdAtMs < INTENT_GIVE_UP_AFTER_MS) {
    // Ask for another observation: the contract's inbox item stays while the contract cannot be read.
    return {
      ...progressAfter,
      waits: true,
      isObservedAgain: firstObservation !== undefined || mayStillBlockLaterItems(entry, around.nowMs),
    };
  }
  return withEventRecords(
    withAppliedItems({ ...progressAfter, state: withAllFactsUnknown(state, entry) }, item),
    entry,
  );
}

/** The contract is reported without facts: the first observation reports them as effects of this entry. */
function withAllFactsUnknown(
  state: RecordedState,
  { number, actor, createdAtMs, endedAtMs = createdAtMs }: EventRecord,
) {
  const unobservedEffects = [{ pattern: '*', number, actor, endedAtMs }];
  return { ...state, isKnown: true as const, isComplete: true, uncertain: unobservedEffects };
}

/**
 * Applies a change and the changes concurrent with it, in the order that a later reading shows. Waits while that order
 * is unknown.
 */
function withConcurrentChanges(
  applied: ApplyProgress,
  item: QueuedTimelineItem,
  { entry, ...around }: EntryWithFollowing,
): ApplyProgress {
  const { later, nowMs } = around;
  const concurrentChanges = findConcurrentChanges(entry, laterServiceChanges(around));
  const concurrentItems = [item, ...later].filter(({ intent }) =>
    concurrentChanges.some(({ id }) => id === intent.id),
  );
  if (concurrentItems.some((member) => member.entry === undefined)) return { ...applied, waits: true };
  const laterQueueItems = later.filter((one) => !concurrentItems.includes(one)).flatMap(toLaterQueueItems);
  const order = orderConcurrentChanges(concurrentChanges, {
    state: applied.state,
    later: laterQueueItems,
    nowMs,
  });
  if (order === undefined) return { ...applied, waits: true, isObservedAgain: true };
  return order.reduce((next, { id }) => {
    const queuedItem = concurrentItems.find((one) => one.entry?.id === id);
    return queuedItem?.entry === undefined
      ? next
      : withServiceChange(withAppliedItems(next, queuedItem), queuedItem.entry, concurrentChanges);
  }, applied);
}

function toLaterQueueItems({ intent, entry, observation }: QueuedTimelineItem): LaterQueueItem[] {
  if (observation !== undefined) return [{ observation }];
  return intent.isPlace ? [] : [{ change: entry ?? intent }];
}

function withServiceChange(
  applied: ApplyProgress,
  entry: EventRecord,
  group: readonly CommonEventFields[],
): ApplyProgress {
  const stateBefore = applied.state;
  const { state, external, changes, isReported } = applyChange(stateBefore, entry, group);
  const atMs = Math.min(entry.readAtMs ?? entry.createdAtMs, entry.createdAtMs - 1);
  const externalEntries = createExternalEntries(stateBefore, {
    id: `before-${entry.id}`,
    atMs,
    steps: external,
  });
  const isSettledLate = (entry.endedAtMs ?? 0) - entry.createdAtMs >= MAX_WAIT_FOR_EARLIER_ENTRY_MS;
  const progressAfter = withExternalEntries(
    { ...applied, state, isObservedAgain: applied.isObservedAgain || isSettledLate },
    externalEntries,
  );
  const correctedEntry = { ...entry, changes };
  const isUnchanged =
    changes.length === entry.changes.length &&
    changes.every((fact, index) => fact.before === entry.changes[index]?.before);
  const correctedProgress = isUnchanged ? progressAfter : withEntryCorrection(progressAfter, correctedEntry);
  return isReported ? withEventRecords(correctedProgress, correctedEntry) : correctedProgress;
}
