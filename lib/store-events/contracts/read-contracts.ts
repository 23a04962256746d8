/** Reads contracts and their billing cycles, within the store's budget, to compare them with their recorded states. */
import { computeOrderAmounts } from '../../billing/preview/compute-order-amounts.ts';
import type { OrderAmounts } from '../../billing/preview/count-orders.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { isNotFoundError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget, type SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import { type ContractNumber, contractGid, contractNumberOfGid } from '../../timeline/event-record.ts';
import {
  buildBillingCyclesDocument,
  buildContractsDocument,
  CONTRACTS_PAGE_DOCUMENT,
  CONTRACTS_PER_CYCLES_DOCUMENT,
  PRICED_CONTRACTS_PAGE_DOCUMENT,
} from './contract-documents.ts';
import {
  type ContractsPage,
  type CyclesPage,
  type ObservedContract,
  toContractReading,
  toUnbilledCycles,
} from './to-contract-reading.ts';

export type ReadContractsDeps = {
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
  readonly now: () => number;
};

export type StoreReadRun = {
  readonly store: StoreRecord;
  readonly endAtMs: number;
  /** Whether the service bills the store: then `nextBillingDate` is neither compared nor reported. */
  readonly isBilled?: boolean;
};
/** A page of a store's contracts, and the amounts of their next orders if the service bills the store. */
export type ContractPage = {
  readonly readings: readonly ContractReading[];
  readonly amountsByContract: ReadonlyMap<ContractNumber, OrderAmounts>;
  /** The cursor of the next page; null after the last page. */
  readonly nextCursor: string | null;
};

const YEAR_MS = 365 * 86_400_000;
/** The cost to reserve for a document whose actual cost is not known yet, because it is sent for the first time. */
const UNMEASURED_DOCUMENT_COST_POINTS = 400;

/**
 * Reads contracts with their billing cycles, at most CONTRACTS_PER_DOCUMENT; undefined for a contract that does not exist.
 * @throws the errors of the platform's client, STORE_ACCESS_MISSING, PLATFORM_UNAVAILABLE
 */
export async function readContractsWithBillingCycles(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  contracts: readonly ContractNumber[],
): Promise<(ContractReading | undefined)[]> {
  const startedAtMs = deps.now();
  const document = buildContractsDocument(contracts.length);
  const { data, errors } = await sendContractQuery(deps, run, document, contractIdVariables(deps, contracts));
  const readTimes = { startedAtMs, endedAtMs: deps.now() };
  if (data === null) throw failedReadError('contracts', errors);
  const contractReadings = contracts.map((contract, index) => {
    const contractResponse = data[`contract${index}`] as ObservedContract | null | undefined;
    const contractErrors = errors.filter(({ path = [] }) => path[0] === `contract${index}`);
    const readingContext = {
      contract,
      errors: contractErrors,
      pathLength: 1,
      isBilled: run.isBilled,
      ...readTimes,
    };
    if (contractResponse)
      return toContractReading(deps.platformGidNamespace, {
        response: contractResponse,
        ...readingContext,
      });
    if (contractErrors.every(isNotFoundError)) return undefined;
    throw failedReadError('contract', contractErrors);
  });
  const readings = contractReadings.filter((reading) => reading !== undefined);
  const completeReadings = await addBillingCyclesToContracts(deps, run, { readings, extent: 'all' });
  return contractReadings.map((reading) => reading && completeReadings[readings.indexOf(reading)]);
}

/** Reads a page of the store's contracts. `after`: the cursor of the previous page. */
export async function readContractPage(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  after: string | null,
): Promise<ContractPage> {
  const startedAtMs = deps.now();
  const document = run.isBilled === true ? PRICED_CONTRACTS_PAGE_DOCUMENT : CONTRACTS_PAGE_DOCUMENT;
  const { data, errors } = await sendContractQuery(deps, run, document, { after });
  const readTimes = { startedAtMs, endedAtMs: deps.now() };
  const contractsPage = data?.subscriptionContracts as ContractsPage | null | undefined;
  if (!contractsPage) throw failedReadError('contracts', errors);
  const amountsByContract = new Map<ContractNumber, OrderAmounts>();
  const contractReadings = contractsPage.nodes.flatMap((response, index) => {
    const contract = contractNumberOfGid(response?.id ?? '');
    if (contract === undefined) return [];
    if (run.isBilled === true) amountsByContract.set(contract, computeOrderAmounts(response));
    const contractErrors = errors.filter(({ path = [] }) => path[1] === 'nodes' && path[2] === index);
    return [
      toContractReading(deps.platformGidNamespace, {
        contract,
        response,
        errors: contractErrors,
        pathLength: 3,
        isBilled: run.isBilled,
        ...readTimes,
      }),
    ];
  });
  return {
    readings: contractReadings,
    amountsByContract,
    nextCursor: contractsPage.pageInfo.hasNextPage ? contractsPage.pageInfo.endCursor : null,
  };
}

/**
 * Adds to the readings their billing cycles: all of the next year, or only the next few. Ended contracts get none.
 * @throws the errors of the platform's client
 */
export async function addBillingCyclesToContracts(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { readings, extent }: { readonly readings: readonly ContractReading[]; readonly extent: 'all' | 'next' },
): Promise<ContractReading[]> {
  const endedReadings = readings.filter(({ facts }) => isContractEnded(facts));
  const unendedReadings = readings.filter(({ facts }) => !isContractEnded(facts));
  for (const readingBatch of splitIntoBatches(unendedReadings, CONTRACTS_PER_CYCLES_DOCUMENT)) {
    endedReadings.push(...(await readBillingCyclesOfBatch(deps, run, { readings: readingBatch, extent })));
  }
  const readingByContract = new Map(endedReadings.map((reading) => [reading.contract, reading]));
  return readings.map((reading) => readingByContract.get(reading.contract) ?? reading);
}

const ENDED_STATUSES: ReadonlySet<string | undefined> = new Set(['CANCELLED', 'EXPIRED']);

/** Whether the contract has ended, so that it has no upcoming orders. */
export function isContractEnded({ status }: ContractReading['facts']): boolean {
  return ENDED_STATUSES.has(status ?? undefined);
}

type CyclesBatch = { readonly readings: readonly ContractReading[]; readonly extent: 'all' | 'next' };

/** Reads the cycles of contracts together, or one by one if the platform returns no data: then unreadable ones get none. */
async function readBillingCyclesOfBatch(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { readings, extent }: CyclesBatch,
): Promise<ContractReading[]> {
  const contracts = readings.map(({ contract }) => contract);
  const fromDate = new Date(deps.now()).toISOString();
  const toDate = new Date(deps.now() + YEAR_MS).toISOString();
  const document = buildBillingCyclesDocument(readings.length, extent);
  const { data } = await sendContractQuery(deps, run, document, {
    ...contractIdVariables(deps, contracts),
    from: fromDate,
    to: toDate,
  });
  if (data !== null) {
    const endedAtMs = deps.now();
    return readings.map((reading, index) => ({
      ...{ ...reading, endedAtMs },
      ...toUnbilledCycles(data[`cycles${index}`] as CyclesPage | null | undefined),
    }));
  }
  if (readings.length === 1) return [...readings];
  const separateReadings: ContractReading[] = [];
  for (const reading of readings)
    separateReadings.push(...(await readBillingCyclesOfBatch(deps, run, { readings: [reading], extent })));
  return separateReadings;
}

type GraphqlVariables = Readonly<Record<string, unknown>>;

function contractIdVariables(
  { platformGidNamespace }: ReadContractsDeps,
  contracts: readonly ContractNumber[],
) {
  const ids = contracts.map((contract, index) => [`id${index}`, contractGid(contract, platformGidNamespace)]);
  return Object.fromEntries(ids) as Readonly<Record<string, string>>;
}

function sendContractQuery(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  document: string,
  variables: GraphqlVariables,
) {
  return readWithinBudget(deps, run, { document, variables, expectedCost: UNMEASURED_DOCUMENT_COST_POINTS });
}

const MAX_CONTRACTS_PER_PAYMENT_METHOD = 25;
const PAYMENT_METHOD_CONTRACTS_DOCUMENT = `query ContractsOfMethod($id: ID!) { customerPaymentMethod(id: $id, showRevoked: true) {
  subscriptionContracts(first: ${MAX_CONTRACTS_PER_PAYMENT_METHOD}, reverse: true) { nodes { id } } } }`;

type PaymentMethodContracts = {
  readonly subscriptionContracts: { readonly nodes: readonly { readonly id: string }[] };
};

/**
 * Finds the contracts that use a payment method, at most 25, newest first.
 * @throws the errors of the platform's client
 */
export async function findContractsByPaymentMethod(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  methodNumber: string,
): Promise<ContractNumber[]> {
  const variables = { id: `gid://${deps.platformGidNamespace}/CustomerPaymentMethod/${methodNumber}` };
  const { data, errors } = await readWithinBudget(deps, run, {
    document: PAYMENT_METHOD_CONTRACTS_DOCUMENT,
    variables,
  });
  const paymentMethod = data?.customerPaymentMethod as PaymentMethodContracts | null | undefined;
  if (!paymentMethod && errors.length > 0) throw failedReadError('payment method', errors);
  return (paymentMethod?.subscriptionContracts.nodes ?? []).flatMap(
    ({ id }) => contractNumberOfGid(id) ?? [],
  );
}
