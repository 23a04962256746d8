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
import {
  listCyclesChangedSince,
  withObservedOrders,
} from '../../subscriptions/order-dates/postponed-orders.ts';
import type { PostponementDeps } from '../../subscriptions/order-dates/postponements.ts';
import type { TimedPauseRepository } from '../../subscriptions/pause/timed-pauses.ts';
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
    readonly timedPauses: Pick<TimedPauseRepository, 'read' | 'end'>;
  };

export type ObserveContractsRun = StoreReadRun & {
  /** When the store's first reconciliation started: contracts created later are reported as new. Undefined before it. */
  readonly baselineAtMs: number | undefined;
};

/** `wait`: not compared, because a change of the service is in progress. `gone`: the contract does not exist. */
export type ObservationOutcome = 'done' | 'wait' | 'gone';

/** How long a contract is not compared because a change of the service is open. */
const MAX_WAIT_FOR_OPEN_CHANGES_MS = 900_000;

/**
 * Reads contracts, at most CONTRACTS_PER_DOCUMENT, and enqueues those that differ. Returns the outcome of each contract.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function observeContracts(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  contracts: readonly ContractNumber[],
): Promise<ObservationOutcome[]> {
  const queuedByContract = await readQueuedChanges(deps, run.store.shopId, contracts);
  const readableContracts = contracts.filter(
    (contract) => !queuedByContract.get(contract)?.openIntents.some(createIsRecentIntent(deps)),
  );
  const contractReadings =
    readableContracts.length === 0 ? [] : await readContractsWithBillingCycles(deps, run, readableContracts);
  const usableReadings = contractReadings.filter((reading) => reading !== undefined);
  const readingOutcomes = await observeContractReadings(deps, run, usableReadings);
  const outcomeByContract = new Map(
    usableReadings.map(({ contract }, index) => [contract, readingOutcomes[index]]),
  );
  return contracts.map(
    (contract) => outcomeByContract.get(contract) ?? (readableContracts.includes(contract) ? 'gone' : 'wait'),
  );
}

/**
 * Enqueues those of the just read contracts that differ from their recorded states. At most 100.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function observeContractReadings(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  readings: readonly ContractReading[],
): Promise<Exclude<ObservationOutcome, 'gone'>[]> {
  const { shopId } = run.store;
  const contracts = readings.map(({ contract }) => contract);
  // Read the queued changes before the states: a change that is appended in between is then in the state, too.
  const queuedByContract = await readQueuedChanges(deps, shopId, contracts);
  const recordedStates = await readRecordedStates(deps, shopId, contracts);
  return awaitAll(
    readings.map(async (reading, index) => {
      const recordedState = recordedStates[index];
      const queuedChanges = queuedByContract.get(reading.contract);
      if (recordedState === undefined || queuedChanges?.openIntents.some(createIsRecentIntent(deps)))
        return 'wait';
      await enqueueContractIfDifferent(deps, run, { reading, recordedState, queuedChanges });
      return 'done';
    }),
  );
}

function createIsRecentIntent({ now }: ObserveContractsDeps) {
  return ({ createdAtMs }: OpenIntent) => now() - createdAtMs < MAX_WAIT_FOR_OPEN_CHANGES_MS;
}

type ContractToCompare = {
  readonly reading: ContractReading;
  readonly recordedState: RecordedState;
  readonly queuedChanges: QueuedChanges | undefined;
};

async function enqueueContractIfDifferent(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  { reading, recordedState, queuedChanges }: ContractToCompare,
): Promise<void> {
  const { shopId } = run.store;
  const isChangeQueued = queuedChanges?.isAnyQueued === true;
  // If a queued change was undone externally, the contract equals the recorded state until the change is appended. So a
  // contract with a queued change is always observed.
  if (!isChangeQueued && !differsFromRecordedState(recordedState, reading)) return;
  const hasAllFacts =
    isChangeQueued || !recordedState.isComplete || hasNewlyKnownFacts(recordedState, reading);
  const observation = await toObservation(deps, run, { reading, recordedState, isWhole: hasAllFacts });
  const { contract, customerId, startedAtMs } = observation;
  // Write the contract's item of its customer before the observation: an erasure finds the contract by that item.
  if (customerId !== undefined && customerId !== recordedState.customerId) {
    const customerSnapshot = { shopId, contract, customerId, readAtMs: startedAtMs };
    await deps.table.put({ ...customerSnapshotKey(customerSnapshot), ...customerSnapshot });
  }
  await removeExternallyEndedPause(deps, shopId, reading);
  // A queued change of the service may have changed the orders, too: then the difference proves no external change.
  if (!isChangeQueued && !isObservationOutdated(recordedState, observation, [])) {
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
  // An observation ends the time in which differences are attributed to earlier changes of the service, so enqueue it.
  if (state.uncertain.some(({ endedAtMs }) => endedAtMs < reading.startedAtMs - MAX_CLOCK_DIFFERENCE_MS))
    return true;
  return (
    hasNewlyKnownFacts(state, reading) ||
    reading.unrecorded?.some((field) => recordedFactText(state, field) !== undefined) === true ||
    compareObservation(state, { ...reading, isWhole: true }).steps.length > 0
  );
}

/** Whether the reading has values of facts that are unknown in the recorded state. */
function hasNewlyKnownFacts(
  { unknown, areCyclesKnown }: RecordedState,
  { withheld, unrecorded = [], cyclesUntil }: ContractReading,
): boolean {
  const unreadableFields = new Set([...withheld, ...unrecorded]);
  const isFieldReadable = (pattern: string) => !unreadableFields.has(pattern.split(/[.*]/)[0] ?? '');
  return unknown.some(isFieldReadable) || (!areCyclesKnown && cyclesUntil > 0);
}

type ReadingToObserve = Pick<ContractToCompare, 'reading' | 'recordedState'> & { readonly isWhole: boolean };

/**
 * Returns the observation of a contract. While the tombstone of an erased customer exists, it has no facts of the customer's
 * contracts, because the platform may still name the customer.
 */
async function toObservation(
  { tombstones }: ObserveContractsDeps,
  { store: { shopId }, baselineAtMs }: ObserveContractsRun,
  { reading, recordedState, isWhole }: ReadingToObserve,
): Promise<Observation> {
  const isNewContract =
    baselineAtMs !== undefined && reading.createdAtMs >= baselineAtMs && !recordedState.isKnown;
  const newContractField = { ...(isNewContract && { isNew: true as const }) };
  const { customerId } = reading;
  const tombstone =
    customerId === undefined
      ? undefined
      : await tombstones.find(await tombstones.hashOf({ shopId, customerId }));
  if (tombstone === undefined) {
    if (isWhole || recordedState.isForgotten) return { ...reading, ...newContractField, isWhole: true };
    return { ...pickDifferingFacts(recordedState, reading), ...newContractField, isWhole: false };
  }
  const { liftedAtMs: namesSinceMs } = tombstone;
  if (namesSinceMs !== undefined) return { ...reading, ...newContractField, isWhole: true, namesSinceMs };
  const { customerId: _customer, paymentMethod: _method, ...readingWithoutCustomer } = reading;
  return {
    ...readingWithoutCustomer,
    ...newContractField,
    facts: {},
    cycles: {},
    cyclesUntil: 0,
    isWhole: false,
    isForgotten: true,
  };
}

/** Returns the reading with only those facts that differ from the recorded state. */
function pickDifferingFacts(state: RecordedState, reading: ContractReading): ContractReading {
  const { steps, state: nextState } = compareObservation(state, { ...reading, isWhole: true });
  const storedFields = steps.map(({ field }) => field).filter(isFactStoredByPlatform);
  const fieldsSetSilently = Object.keys(nextState.facts).filter(
    (field) => state.facts[field] !== nextState.facts[field],
  );
  const differingFields = [...new Set([...storedFields, ...fieldsSetSilently])];
  return {
    ...reading,
    facts: Object.fromEntries(differingFields.map((field) => [field, reading.facts[field] ?? null])),
  };
}

/** Deletes the timed pause of a contract that was resumed externally. A pause that was set after the reading started stays. */
async function removeExternallyEndedPause(
  deps: ObserveContractsDeps,
  shopId: ShopId,
  reading: ContractReading,
): Promise<void> {
  if (reading.facts.status === 'PAUSED' || reading.withheld.includes('status')) return;
  const pause = await deps.timedPauses.read({ shopId, contractNumber: reading.contract });
  if (pause !== undefined && pause.setAtMs < reading.startedAtMs) await deps.timedPauses.end(pause);
}

/** Records orders of a postponement that an external change has moved, skipped or edited: it cannot be reverted then. */
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
  if (String(listCyclesChangedSince(observedState)) !== String(listCyclesChangedSince(latest)))
    await postponements.end(postponementRecord, { dates, latest: observedState });
}
