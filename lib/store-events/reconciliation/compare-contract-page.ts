/**
 * Compares a page of a store's contracts with their recorded states. Contracts that differ are read completely and
 * observed. Announces upcoming orders and expiring cards, which no webhook of the platform reports.
 */
import { endOfMonthMs } from '../../billing/preview/count-orders.ts';
import { formatPlatformDate } from '../../domain/instant.ts';
import { type StoreRecord, upcomingOrderNoticeDays } from '../../storage/stores.ts';
import type { StoreEvent } from '../../storage/stream/stream-record.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import { type EventNotice, enqueueEventNotice } from '../../timeline/append/queue-item.ts';
import { type RecordedState, readRecordedStates } from '../../timeline/append/recorded-state.ts';
import type { ContractNumber } from '../../timeline/event-record.ts';
import {
  differsFromRecordedState,
  type ObserveContractsDeps,
  type ObserveContractsRun,
  observeContractReadings,
} from '../contracts/observe-contracts.ts';
import { addBillingCyclesToContracts, isContractEnded } from '../contracts/read-contracts.ts';

const DAY_MS = 86_400_000;
/** The days after which a contract's orders of a whole year are read again, although nothing differs. */
const FULL_CONTRACT_READ_INTERVAL_DAYS = 30;
const PAYMENT_METHOD_EXPIRY_NOTICE_DAYS = 30;

type ComparisonOutcome = {
  /** The contracts with their next orders. */
  readonly readings: readonly ContractReading[];
  /** The contracts that could not be compared, because a change of the service is in progress. */
  readonly waitingContracts: readonly ContractNumber[];
};

/**
 * Compares the contracts of a page. Returns their readings with the next orders, and those that have to wait. Idempotent.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function compareContractPage(
  deps: ObserveContractsDeps,
  run: ObserveContractsRun,
  page: readonly ContractReading[],
): Promise<ComparisonOutcome> {
  const contracts = page.map(({ contract }) => contract);
  const recordedStates = await readRecordedStates(deps, run.store.shopId, contracts);
  const stateByContract = new Map(recordedStates.map((state) => [state.contract, state]));
  const isCompletelyRecorded = ({ contract }: ContractReading) =>
    stateByContract.get(contract)?.isComplete === true;
  const nextCycleReadings = await addBillingCyclesToContracts(deps, run, {
    readings: page.filter(isCompletelyRecorded),
    extent: 'next',
  });
  const differingReadings = nextCycleReadings.filter((reading) =>
    needsFullContractReading(deps, stateByContract.get(reading.contract), reading),
  );
  const newReadings = page.filter((reading) => !isCompletelyRecorded(reading));
  const completeReadings = await addBillingCyclesToContracts(deps, run, {
    readings: [...differingReadings, ...newReadings],
    extent: 'all',
  });
  const observationOutcomes = await observeContractReadings(deps, run, completeReadings);
  const readingByContract = new Map(
    [...nextCycleReadings, ...completeReadings].map((reading) => [reading.contract, reading]),
  );
  await enqueueUpcomingNotices(deps, run.store, {
    readings: [...readingByContract.values()],
    stateByContract,
  });
  const waitingContracts = completeReadings.flatMap(({ contract }, index) =>
    observationOutcomes[index] === 'wait' ? [contract] : [],
  );
  return { readings: [...readingByContract.values()], waitingContracts };
}

type ComparedPage = {
  readonly readings: readonly ContractReading[];
  readonly stateByContract: ReadonlyMap<ContractNumber, RecordedState>;
};

/** Enqueues notices of upcoming orders and expiring cards. The append step drops those that it has announced before. */
async function enqueueUpcomingNotices(
  deps: ObserveContractsDeps,
  store: StoreRecord,
  { readings, stateByContract }: ComparedPage,
): Promise<void> {
  for (const reading of readings) {
    const recordedState = stateByContract.get(reading.contract);
    if (recordedState === undefined || (await isCustomerErased(deps, store, { reading, recordedState })))
      continue;
    for (const notice of buildContractNotices({
      ...deps,
      store,
      reading,
      recordedState,
      nowMs: deps.now(),
    })) {
      await enqueueEventNotice(deps, notice);
    }
  }
}

type ComparedContract = { readonly reading: ContractReading; readonly recordedState: RecordedState };

/** Whether the contract's customer was erased. The recorded state has that, but not for a new contract or a new customer. */
async function isCustomerErased(
  { tombstones }: ObserveContractsDeps,
  { shopId }: StoreRecord,
  { reading: { customerId }, recordedState }: ComparedContract,
): Promise<boolean> {
  if (recordedState.isForgotten) return true;
  if (customerId === undefined || customerId === recordedState.customerId) return false;
  const customerTombstone = await tombstones.find(await tombstones.hashOf({ shopId, customerId }));
  return customerTombstone !== undefined && customerTombstone.liftedAtMs === undefined;
}

/** Whether the contract is read completely: it differs from the recorded state, or its orders of a year were read long ago. */
function needsFullContractReading(
  { now }: ObserveContractsDeps,
  recordedState: RecordedState | undefined,
  reading: ContractReading,
): boolean {
  if (recordedState === undefined || differsFromRecordedState(recordedState, reading)) return true;
  return (
    !recordedState.isForgotten &&
    now() - recordedState.observedFromMs > FULL_CONTRACT_READ_INTERVAL_DAYS * DAY_MS &&
    !isContractEnded(reading.facts)
  );
}

type NoticeContext = {
  readonly store: Pick<StoreRecord, 'shopId' | 'upcomingDays'>;
  readonly reading: ContractReading;
  readonly recordedState: Pick<RecordedState, 'upcomingTold' | 'expiringTold'>;
  readonly platformGidNamespace: string;
  readonly nowMs: number;
};

function buildContractNotices(context: NoticeContext): EventNotice[] {
  const { status } = context.reading.facts;
  const orderNotices = status === 'ACTIVE' ? buildUpcomingOrderNotice(context) : [];
  const methodNotices =
    status === 'ACTIVE' || status === 'PAUSED' ? buildExpiringPaymentMethodNotice(context) : [];
  return [...orderNotices, ...methodNotices];
}

/** Returns a notice of the next order if it is due soon and was not announced; otherwise none. */
function buildUpcomingOrderNotice(context: NoticeContext): EventNotice[] {
  const { store, reading, recordedState, nowMs } = context;
  const untilMs = nowMs + upcomingOrderNoticeDays(store) * DAY_MS;
  const upcomingOrders = Object.entries(reading.cycles)
    .map(([index, cycle]) => ({ ...cycle, cycleIndex: Number(index), dateMs: cycle.date * 1000 }))
    .filter(({ isSkipped, dateMs }) => !isSkipped && dateMs > nowMs && dateMs <= untilMs)
    .filter(({ cycleIndex }) => cycleIndex > (recordedState.upcomingTold ?? -1))
    .sort((one, other) => one.cycleIndex - other.cycleIndex);
  const [nextOrder] = upcomingOrders;
  if (nextOrder === undefined) return [];
  const { cycleIndex, dateMs } = nextOrder;
  const date = formatPlatformDate(dateMs);
  const event = buildContractStoreEvent(context, { type: 'order.upcoming', order: { cycleIndex, date } });
  const id = `upcoming-${reading.contract}-${cycleIndex}`;
  return [{ shopId: store.shopId, contract: reading.contract, id, event, upcomingTold: cycleIndex }];
}

function buildExpiringPaymentMethodNotice(context: NoticeContext): EventNotice[] {
  const { store, reading, recordedState, nowMs, platformGidNamespace } = context;
  const { contract } = reading;
  const { id: methodNumber, goodUntil, isRevoked } = reading.paymentMethod ?? {};
  if (methodNumber === undefined || goodUntil === undefined || isRevoked === true) return [];
  const expiringTold = `${methodNumber} ${goodUntil}`;
  if (
    endOfMonthMs(goodUntil) - nowMs > PAYMENT_METHOD_EXPIRY_NOTICE_DAYS * DAY_MS ||
    recordedState.expiringTold === expiringTold
  )
    return [];
  const paymentMethodId = `gid://${platformGidNamespace}/CustomerPaymentMethod/${methodNumber}`;
  const event = buildContractStoreEvent(context, { type: 'payment_method.expiring', paymentMethodId });
  const id = `expiring-${contract}-${methodNumber}-${goodUntil}`;
  return [{ shopId: store.shopId, contract, id, event, expiringTold }];
}

function buildContractStoreEvent(
  { reading: { customerId }, nowMs }: NoticeContext,
  event: Omit<StoreEvent, 'atMs' | 'customerId'>,
): StoreEvent {
  return { ...event, atMs: nowMs, ...(customerId !== undefined && { customerId }) };
}
