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
  readonly appliedItems: readonly QueuedTimelineItem[];
  /** Whether the contract has to be observed again. */
  readonly mustObserveAgain: boolean;
  /** Whether the remaining items have to wait. */
  readonly remainingItemsWait: boolean;
};

/** `passedChanges`: changes that have been in progress for so long that later items do not wait for them. */
type ApplyProgress = AppliedItems & { readonly passedChanges: readonly CommonEventFields[] };

/** `laterItems`: the queued items behind the item that is being applied. */
type FollowingItems = { readonly laterItems: readonly QueuedTimelineItem[]; readonly nowMs: number };

/** Applies the items of a contract to its recorded state. `items`: all queued items, in the order of their numbers. */
export function applyQueuedItems(
  state: RecordedState,
  items: readonly QueuedTimelineItem[],
  nowMs: number,
): AppliedItems {
  let applyProgress: ApplyProgress = {
    ...{
      state,
      entries: [],
      corrections: [],
      records: [],
      appliedItems: [],
      mustObserveAgain: false,
      remainingItemsWait: false,
    },
    passedChanges: [],
  };
  for (let remainingItems = items; remainingItems[0] !== undefined && !applyProgress.remainingItemsWait; ) {
    const [firstItem, ...laterItems] = remainingItems;
    applyProgress = applyQueuedItem(applyProgress, firstItem, { laterItems, nowMs });
    const appliedItems = new Set(applyProgress.appliedItems);
    remainingItems = laterItems.filter((item) => !appliedItems.has(item));
  }
  return applyProgress;
}

function applyQueuedItem(
  progress: ApplyProgress,
  item: QueuedTimelineItem,
  following: FollowingItems,
): ApplyProgress {
  const { entry, observation, notice } = item;
  if (notice !== undefined) return withEventNotice(withAppliedItems(progress, item), notice);
  if (observation !== undefined)
    return withAppliedObservation(withAppliedItems(progress, item), observation, following);
  if (entry === undefined) return withOpenIntent(progress, item, following);
  if (isChargeEntry(entry)) return withEventRecords(withAppliedItems(progress, item), entry);
  const isCreatedByService = entry.action === 'subscription_created' && entry.actor.kind !== 'UNKNOWN';
  return isCreatedByService
    ? withCreatedContract(progress, item, { ...following, entry })
    : withConcurrentChanges(progress, item, { ...following, entry });
}

function withAppliedItems(progress: ApplyProgress, ...items: readonly QueuedTimelineItem[]): ApplyProgress {
  return { ...progress, appliedItems: [...progress.appliedItems, ...items] };
}

/** Adds the stream records of the entry's events. */
function withEventRecords(progress: ApplyProgress, entry: EventRecord): ApplyProgress {
  return { ...progress, records: [...progress.records, ...splitEntryIntoRecords(entry)] };
}

/** Adds external entries and their events. Entries of the same millisecond get different numbers. */
function withExternalEntries(
  progress: ApplyProgress,
  externalEntries: readonly EventRecord[],
): ApplyProgress {
  let progressAfter = progress;
  for (const eventRecord of externalEntries) {
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
function withEntryCorrection(progress: ApplyProgress, { number, changes }: EventRecord): ApplyProgress {
  return { ...progress, corrections: [...progress.corrections, { number, changes }] };
}

/** Adds the event of a notice. Upcoming orders and expiring cards are announced once, and not for an erased customer. */
function withEventNotice(progress: ApplyProgress, notice: EventNotice): ApplyProgress {
  const { state } = progress;
  const { upcomingTold, expiringTold } = notice;
  const progressAfter = { ...progress, records: [...progress.records, toNoticeStreamRecord(notice)] };
  if (upcomingTold === undefined && expiringTold === undefined) return progressAfter;
  const isAlreadyAnnounced = upcomingTold !== undefined && upcomingTold <= (state.upcomingTold ?? -1);
  if (isAlreadyAnnounced || state.isForgotten) return progress;
  if (upcomingTold !== undefined) return { ...progressAfter, state: { ...state, upcomingTold } };
  return expiringTold === undefined || expiringTold === state.expiringTold
    ? progress
    : { ...progressAfter, state: { ...state, expiringTold } };
}

/** Stops at a change in progress, so that later items wait for it. An old one is passed over, and appended when settled. */
function withOpenIntent(
  progress: ApplyProgress,
  item: QueuedTimelineItem,
  { nowMs }: FollowingItems,
): ApplyProgress {
  const { intent } = item;
  if (mayStillBlockLaterItems(intent, nowMs))
    return isAppendedToStream(intent) ? { ...progress, remainingItemsWait: true } : progress;
  // This item reserved the order of an entry that was never written, so it is dropped.
  return intent.isPlace
    ? withAppliedItems(progress, item)
    : { ...progress, passedChanges: [...progress.passedChanges, intent] };
}

function mayStillBlockLaterItems({ createdAtMs }: { readonly createdAtMs: number }, nowMs: number): boolean {
  return nowMs - createdAtMs < MAX_WAIT_FOR_EARLIER_ENTRY_MS;
}

/** Returns the service's changes behind the applied item, without open changes that would be passed over. */
function laterServiceChanges({ laterItems, nowMs }: FollowingItems): CommonEventFields[] {
  return laterItems.flatMap(({ intent, entry }): CommonEventFields[] => {
    const laterChange = entry ?? intent;
    const isServiceChange = entry ? entry.actor.kind !== 'UNKNOWN' : !intent.isPlace;
    const mayStillAppear = laterChange.endedAtMs !== undefined || mayStillBlockLaterItems(laterChange, nowMs);
    return isServiceChange && isAppendedToStream(laterChange) && mayStillAppear ? [laterChange] : [];
  });
}

function withAppliedObservation(
  progress: ApplyProgress,
  observation: Observation,
  following: FollowingItems,
): ApplyProgress {
  const { state, passedChanges } = progress;
  if (isFromBeforeErasure(state, observation)) return progress;
  if (isObservationOutdated(state, observation, laterServiceChanges(following)))
    return { ...progress, mustObserveAgain: true };
  const isCreatedByService = following.laterItems.some(
    ({ intent }) => intent.action === 'subscription_created',
  );
  const observationResult = applyObservation(
    state,
    withoutFactsOfChanges(observation, passedChanges),
    isCreatedByService,
  );
  const progressAfter = withExternalEntries(
    { ...progress, state: observationResult.state },
    observationResult.entries,
  );
  const areOrdersKnownAgain =
    !state.areCyclesKnown && observationResult.state.areCyclesKnown && state.observedFromMs > 0;
  if (!areOrdersKnownAgain || state.isForgotten) return progressAfter;
  // Receivers may have queried the orders when they were not known: this event has them query the orders again.
  const { startedAtMs, contract } = observation;
  const event = { type: 'subscription.updated', atMs: startedAtMs, ordersChanged: true } as const;
  const ordersRecord = { shopId: state.shopId, contract, id: `orders-${contract}-${startedAtMs}`, event };
  return { ...progressAfter, records: [...progressAfter.records, ordersRecord] };
}

/** Returns the observation without the facts that the passed changes, which are still open, may have set. */
function withoutFactsOfChanges(
  observation: Observation,
  passedChanges: readonly CommonEventFields[],
): Observation {
  const changedRootFields = passedChanges.flatMap(({ changes }) =>
    changes.map(({ field }) => field.split('.')[0] ?? ''),
  );
  const withheld = [...new Set([...observation.withheld, ...changedRootFields])];
  return {
    ...observation,
    withheld,
    ...(changedRootFields.includes('billingCycles') && { cycles: {}, cyclesUntil: 0 }),
  };
}

type EntryWithFollowing = FollowingItems & { readonly entry: EventRecord };

/**
 * Applies the entry of a contract that the service created. The entry is reported with all facts of the contract's first
 * observation, for which it waits up to a week.
 */
function withCreatedContract(
  progress: ApplyProgress,
  item: QueuedTimelineItem,
  { entry, ...following }: EntryWithFollowing,
): ApplyProgress {
  const { state } = progress;
  const firstObservation = following.laterItems.find(({ observation }) => observation !== undefined);
  const progressAfter =
    firstObservation === undefined ? progress : withAppliedItems(progress, firstObservation);
  if (
    firstObservation?.observation !== undefined &&
    !isObservationOutdated(state, firstObservation.observation, [entry, ...laterServiceChanges(following)])
  ) {
    const observedState = applyObservation(state, firstObservation.observation, true).state;
    const correctedEntry = { ...entry, changes: listCreatedFacts(listCreationFacts(state, observedState)) };
    return withEventRecords(
      withEntryCorrection(withAppliedItems({ ...progressAfter, state: observedState }, item), correctedEntry),
      correctedEntry,
    );
  }
  if (state.isKnown) return withEventRecords(withAppliedItems(progressAfter, item), entry);
  if (following.nowMs - entry.createdAtMs < INTENT_GIVE_UP_AFTER_MS) {
    // Another observation is requested if the queued one is outdated, or if the entry is a few minutes old. Later no request is
    // needed: a contract that could not be read stays in the webhook inbox, and is read again from there.
    return {
      ...progressAfter,
      remainingItemsWait: true,
      mustObserveAgain: firstObservation !== undefined || mayStillBlockLaterItems(entry, following.nowMs),
    };
  }
  return withEventRecords(
    withAppliedItems({ ...progressAfter, state: withAllFactsUnknown(state, entry) }, item),
    entry,
  );
}

/** Returns the state of a created contract that is reported without facts: a later observation reports them as its effects. */
function withAllFactsUnknown(
  state: RecordedState,
  { number, actor, createdAtMs, endedAtMs = createdAtMs }: EventRecord,
) {
  const unobservedEffects = [{ pattern: '*', number, actor, endedAtMs }];
  return { ...state, isKnown: true as const, isComplete: true, uncertain: unobservedEffects };
}

/**
 * Applies a change and the changes that were concurrent with it, in the order that a later reading of the contract shows.
 * The items wait while that order is unknown.
 */
function withConcurrentChanges(
  progress: ApplyProgress,
  item: QueuedTimelineItem,
  { entry, ...following }: EntryWithFollowing,
): ApplyProgress {
  const { laterItems, nowMs } = following;
  const concurrentChanges = findConcurrentChanges(entry, laterServiceChanges(following));
  const concurrentItems = [item, ...laterItems].filter(({ intent }) =>
    concurrentChanges.some(({ id }) => id === intent.id),
  );
  if (concurrentItems.some((member) => member.entry === undefined))
    return { ...progress, remainingItemsWait: true };
  const laterQueueItems = laterItems
    .filter((one) => !concurrentItems.includes(one))
    .flatMap(toLaterQueueItems);
  const orderedChanges = orderConcurrentChanges(concurrentChanges, {
    state: progress.state,
    laterItems: laterQueueItems,
    nowMs,
  });
  if (orderedChanges === undefined) return { ...progress, remainingItemsWait: true, mustObserveAgain: true };
  return orderedChanges.reduce((progressSoFar, { id }) => {
    const queuedItem = concurrentItems.find((one) => one.entry?.id === id);
    return queuedItem?.entry === undefined
      ? progressSoFar
      : withServiceChange(withAppliedItems(progressSoFar, queuedItem), queuedItem.entry, concurrentChanges);
  }, progress);
}

function toLaterQueueItems({ intent, entry, observation }: QueuedTimelineItem): LaterQueueItem[] {
  if (observation !== undefined) return [{ observation }];
  return intent.isPlace ? [] : [{ change: entry ?? intent }];
}

function withServiceChange(
  progress: ApplyProgress,
  entry: EventRecord,
  concurrentChanges: readonly CommonEventFields[],
): ApplyProgress {
  const stateBefore = progress.state;
  const { state, externalSteps, changes, isReported } = applyChange(stateBefore, entry, concurrentChanges);
  const atMs = Math.min(entry.readAtMs ?? entry.createdAtMs, entry.createdAtMs - 1);
  const externalEntries = createExternalEntries(stateBefore, {
    id: `before-${entry.id}`,
    atMs,
    steps: externalSteps,
  });
  const isSettledLate = (entry.endedAtMs ?? 0) - entry.createdAtMs >= MAX_WAIT_FOR_EARLIER_ENTRY_MS;
  const progressAfter = withExternalEntries(
    { ...progress, state, mustObserveAgain: progress.mustObserveAgain || isSettledLate },
    externalEntries,
  );
  const correctedEntry = { ...entry, changes };
  const isUnchanged =
    changes.length === entry.changes.length &&
    changes.every((fact, index) => fact.before === entry.changes[index]?.before);
  const correctedProgress = isUnchanged ? progressAfter : withEntryCorrection(progressAfter, correctedEntry);
  return isReported ? withEventRecords(correctedProgress, correctedEntry) : correctedProgress;
}
