/**
 * Reads contracts and compares them with their recorded states. A contract that differs is enqueued as an observation; the
 * append step decides which differences are external changes.
 */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Tombstones } from '../../storage/privacy/tombstones.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import { customerSnapshotKey } from '../../storage/stream/snapshot-key.ts';
import type { Table } from '../../storage/table.ts';
import { listChangedCycles, withObservedOrders } from '../../subscriptions/order-dates/postponed-orders.ts';
import type { PostponementDeps } from '../../subscriptions/order-dates/postponements.ts';
import type { TimedPauses } from '../../subscriptions/pause/timed-pauses.ts';
import { isObservationOutdated, MAX_CLOCK_DIFFERENCE_MS } from '../../timeline/append/apply-observation.ts';
import {
  compareObservation,
  isFactStoredByPlatform,
  isPaymentInstrumentReplaced,
} from '../../timeline/append/compare-observation.ts';
import type { ContractReading, Observation } from '../../timeline/append/observation.ts';
import { enqueueObservation } from '../../timeline/append/queue-item.ts';
import {
  type RecordedState,
  readRecordedStates,
  recordedFactText,
} from '../../timeline/append/recorded-state.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import type { OpenIntent } from '../../timeline/intent.ts';
import { type QueuedChanges, readQueuedChanges } from './queued-changes.ts';
import {
  type ReadContractsDeps,
  readContractsWithBillingCycles,
  type StoreReadRun,
} from './read-contracts.ts';

export type ObserveContractsDeps = ReadContractsDeps &
  PostponementDeps & {
    readonly table: Table;
    readonly scheduledTasks: ScheduledTasks;
    readonly tombstones: Pick<Tombstones, 'find' | 'hashOf'>;
    readonly timedPauses: Pick<TimedPauses, 'read' | 'end'>;
  };

export type ObserveContractsRun = StoreReadRun & {
  /** Contracts that were created later are reported; undefined before the store's first reconciliation. */
  readonly baselineAtMs: number | undefined;
};

/** `wait`: not compared, because a change of the service is in progress. `gone`: the contract does not exist. */
export type ObservationOutcome = 'done' | 'wait' | 'gone';

/** How long a contract waits for open changes of the service. */
const MAX_WAIT_FOR_OPEN_CHANGES_MS = 900_000;

/**
 * Observes contracts, at most CONTRACTS_PER_DOCUMENT, and returns each outcome.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function observeContracts(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  contracts: readonly ContractNumber[],
): Promise<ObservationOutcome[]> {
  const queuedByContract = await readQueuedChanges(deps, run.store.shopId, contracts);
  const readableContracts = contracts.filter(
    (contract) => !queuedByContract.get(contract)?.open.some(createIsRecentIntent(deps)),
  );
  const contractReadings =
    readableContracts.length === 0 ? [] : await readContractsWithBillingCycles(deps, run, readableContracts);
  const usableReadings = contractReadings.filter((reading) => reading !== undefined);
  const comparedReadings = await observeContractReadings(deps, run, usableReadings);
  const outcomeByContract = new Map(
    usableReadings.map(({ contract }, index) => [contract, comparedReadings[index]]),
  );
  return contracts.map(
    (contract) => outcomeByContract.get(contract) ?? (readableContracts.includes(contract) ? 'gone' : 'wait'),
  );
}

/**
 * Observes contracts that were just read, at most 100.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function observeContractReadings(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  readings: readonly ContractReading[],
): Promise<Exclude<ObservationOutcome, 'gone'>[]> {
  const { shopId } = run.store;
  const contracts = readings.map(({ contract }) => contract);
  // Read changes before states: a change that is appended in between is in the state.
  const queuedByContract = await readQueuedChanges(deps, shopId, contracts);
  const recordedStates = await readRecordedStates(deps, shopId, contracts);
  return awaitAll(
    readings.map(async (reading, index) => {
      const recordedState = recordedStates[index];
      const queuedChanges = queuedByContract.get(reading.contract);
      if (recordedState === undefined || queuedChanges?.open.some(createIsRecentIntent(deps))) return 'wait';
      await enqueueContractIfDifferent(deps, run, { reading, state: recordedState, changes: queuedChanges });
      return 'done';
    }),
  );
}

function createIsRecentIntent({ now }: ObserveContractsDeps) {
  return ({ createdAtMs }: OpenIntent) => now() - createdAtMs < MAX_WAIT_FOR_OPEN_CHANGES_MS;
}

type ContractToCompare = {
  readonly reading: ContractReading;
  readonly state: RecordedState;
  readonly changes: QueuedChanges | undefined;
};

async function enqueueContractIfDifferent(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  { reading, state, changes }: ContractToCompare,
): Promise<void> {
  const { shopId } = run.store;
  const isChangeQueued = changes?.isAnyQueued === true;
  // If a queued change was undone externally, the contract equals the recorded state until the change is appended. So a
  // contract with a queued change is always observed.
  if (!isChangeQueued && !differsFromRecordedState(state, reading)) return;
  const hasAllFacts = isChangeQueued || !state.isComplete || hasNewlyKnownFacts(state, reading);
  const observation = await toObservation(deps, run, { reading, state, isWhole: hasAllFacts });
  const { contract, customerId, startedAtMs } = observation;
  // Written before the observation: an erasure finds the customer's contracts by it.
  if (customerId !== undefined && customerId !== state.customerId) {
    const note = { shopId, contract, customerId, readAtMs: startedAtMs };
    await deps.table.put({ ...customerSnapshotKey(note), ...note });
  }
  await removeExternallyEndedPause(deps, shopId, reading);
  // The orders of a queued change are not as the postponement left them either.
  if (!isChangeQueued && !isObservationOutdated(state, observation, [])) {
    await recordExternallyChangedOrders(deps, shopId, reading);
  }
  await enqueueObservation(deps, shopId, observation);
}

/** Whether the reading differs from the state, apart from the platform's counters, which no event reports. */
export function differsFromRecordedState(state: RecordedState, reading: ContractReading): boolean {
  if (state.customerId !== reading.customerId && !(state.isForgotten && reading.customerId === undefined))
    return true;
  if (state.isForgotten) return false;
  const { id, goodUntil, isRevoked, instrument } = reading.paymentMethod ?? {};
  const methodBefore = state.paymentMethod;
  const isMethodReplaced =
    methodBefore?.id !== id ||
    methodBefore?.goodUntil !== goodUntil ||
    (methodBefore?.isRevoked ?? false) !== (isRevoked ?? false) ||
    (methodBefore?.instrument === undefined) !== (instrument === undefined);
  if (!state.isComplete || isMethodReplaced || isPaymentInstrumentReplaced(state, reading)) return true;
  // From this reading on, differences are no longer attributed to earlier changes of the service.
  if (state.uncertain.some(({ endedAtMs }) => endedAtMs < reading.startedAtMs - MAX_CLOCK_DIFFERENCE_MS))
    return true;
  return (
    hasNewlyKnownFacts(state, reading) ||
    reading.unrecorded?.some((field) => recordedFactText(state, field) !== undefined) === true ||
    compareObservation(state, { ...reading, isWhole: true }).steps.length > 0
  );
}

/** Whether the reading has values of facts that the recorded state names as unknown. */
function hasNewlyKnownFacts(
  { unknown, areCyclesKnown }: RecordedState,
  { withheld, unrecorded = [], cyclesUntil }: ContractReading,
): boolean {
  const unreadableFields = new Set([...withheld, ...unrecorded]);
  const isFieldReadable = (pattern: string) => !unreadableFields.has(pattern.split(/[.*]/)[0] ?? '');
  return unknown.some(isFieldReadable) || (!areCyclesKnown && cyclesUntil > 0);
}

type ReadingToObserve = Pick<ContractToCompare, 'reading' | 'state'> & { readonly isWhole: boolean };

/** Nothing is recorded about an erased customer's contracts while the tombstone exists: the platform may still name the customer. */
async function toObservation(
  { tombstones }: ObserveContractsDeps,
  { store: { shopId }, baselineAtMs }: ObserveContractsRun,
  { reading, state, isWhole }: ReadingToObserve,
): Promise<Observation> {
  const isNewContract = baselineAtMs !== undefined && reading.createdAtMs >= baselineAtMs && !state.isKnown;
  const newContractField = { ...(isNewContract && { isNew: true as const }) };
  const { customerId } = reading;
  const tombstone =
    customerId === undefined
      ? undefined
      : await tombstones.find(await tombstones.hashOf({ shopId, customerId }));
  if (tombstone === undefined) {
    if (isWhole || state.isForgotten) return { ...reading, ...newContractField, isWhole: true };
    return { ...pickDifferingFacts(state, reading), ...newContractField, isWhole: false };
  }
  const { liftedAtMs: namesSinceMs } = tombstone;
  if (namesSinceMs !== undefined) return { ...reading, ...newContractField, isWhole: true, namesSinceMs };
  const { customerId: _customer, paymentMethod: _method, ...bare } = reading;
  return {
    ...bare,
    ...newContractField,
    facts: {},
    cycles: {},
    cyclesUntil: 0,
    isWhole: false,
    isForgotten: true,
  };
}

/** Returns the reading with only the facts that differ from the recorded state. */
function pickDifferingFacts(state: RecordedState, reading: ContractReading): ContractReading {
  const { steps, state: nextState } = compareObservation(state, { ...reading, isWhole: true });
  const storedFields = steps.map(({ field }) => field).filter(isFactStoredByPlatform);
  const silentFields = Object.keys(nextState.facts).filter(
    (field) => state.facts[field] !== nextState.facts[field],
  );
  const differingFields = [...new Set([...storedFields, ...silentFields])];
  return {
    ...reading,
    facts: Object.fromEntries(differingFields.map((field) => [field, reading.facts[field] ?? null])),
  };
}

/** Ends a timed pause that was ended externally; a pause that started after the reading is a new one. */
async function removeExternallyEndedPause(
  deps: ObserveContractsDeps,
  shopId: ShopId,
  reading: ContractReading,
): Promise<void> {
  if (reading.facts.status === 'PAUSED' || reading.withheld.includes('status')) return;
  const pause = await deps.timedPauses.read({ shopId, contractNumber: reading.contract });
  if (pause !== undefined && pause.setAtMs < reading.startedAtMs) await deps.timedPauses.end(pause);
}

/** A postponement cannot be reverted once an external change has moved, skipped or edited one of its orders. */
async function recordExternallyChangedOrders(
  { postponements }: PostponementDeps,
  shopId: ShopId,
  { contract, cycles }: ContractReading,
): Promise<void> {
  const postponementRecord = await postponements.read({ shopId, contractNumber: contract });
  const { dates, latest, pendingChange } = postponementRecord ?? {};
  if (postponementRecord === undefined || latest === undefined || pendingChange !== undefined) return;
  const orders = Object.entries(cycles).map(([index, { isSkipped: skipped, date, editedAt }]) => {
    const order = { skipped, dateMs: date * 1000, hasContent: editedAt !== undefined };
    return [Number(index), order] as const;
  });
  const observedState = withObservedOrders({ ...postponementRecord, latest }, orders);
  if (String(listChangedCycles(observedState)) !== String(listChangedCycles(latest)))
    await postponements.end(postponementRecord, { dates, latest: observedState });
}
