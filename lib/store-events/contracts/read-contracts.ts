/** Reads contracts for a comparison, within the store's budget. */
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { isNotFoundError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget, type SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { ContractReading } from '../../timeline/append/observation.ts';
import { type ContractNumber, contractGid, contractNumberOfGid } from '../../timeline/event-record.ts';
import {
  CONTRACT_CONTENT_SELECTION,
  DELIVERY_METHOD_SELECTION,
} from '../../timeline/settle/contract-content.ts';
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

export type StoreReadRun = { readonly store: StoreRecord; readonly endAtMs: number };

const YEAR_MS = 365 * 86_400_000;
/** The maximum cost of a document that is sent for the first time. */
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
  const times = { startedAtMs, endedAtMs: deps.now() };
  if (data === null) throw failedReadError('contracts', errors);
  const found = contracts.map((contract, index) => {
    const one = data[`contract${index}`] as ObservedContract | null | undefined;
    const contractErrors = errors.filter(({ path = [] }) => path[0] === `contract${index}`);
    const observed = { contract, errors: contractErrors, pathLength: 1, ...times };
    if (one) return toContractReading(deps.platformGidNamespace, { response: one, ...observed });
    if (contractErrors.every(isNotFoundError)) return undefined;
    throw failedReadError('contract', contractErrors);
  });
  const readings = found.filter((reading) => reading !== undefined);
  const whole = await addBillingCyclesToContracts(deps, run, { readings, extent: 'all' });
  return found.map((reading) => reading && whole[readings.indexOf(reading)]);
}

/** Reads a page of the store's contracts. `after`: the cursor of the previous page. */
export async function readContractPage(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  after: string | null,
): Promise<{ readonly readings: readonly ContractReading[]; readonly next: string | null }> {
  const startedAtMs = deps.now();
  const { data, errors } = await sendContractQuery(deps, run, CONTRACTS_PAGE_DOCUMENT, { after });
  const times = { startedAtMs, endedAtMs: deps.now() };
  const page = data?.subscriptionContracts as ContractsPage | null | undefined;
  if (!page) throw failedReadError('contracts', errors);
  const readings = page.nodes.flatMap((response, index) => {
    const contract = contractNumberOfGid(response?.id ?? '');
    if (contract === undefined) return [];
    const contractErrors = errors.filter(({ path = [] }) => path[1] === 'nodes' && path[2] === index);
    return [
      toContractReading(deps.platformGidNamespace, {
        contract,
        response,
        errors: contractErrors,
        pathLength: 3,
        ...times,
      }),
    ];
  });
  return { readings, next: page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null };
}

/**
 * Adds the contracts' billing cycles of a year, or only the next ones.
 * @throws the errors of the platform's client
 */
export async function addBillingCyclesToContracts(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { readings, extent }: { readonly readings: readonly ContractReading[]; readonly extent: 'all' | 'next' },
): Promise<ContractReading[]> {
  const scheduled = readings.filter(({ facts }) => isContractEnded(facts));
  const live = readings.filter(({ facts }) => !isContractEnded(facts));
  for (const batch of splitIntoBatches(live, CONTRACTS_PER_CYCLES_DOCUMENT)) {
    scheduled.push(...(await readBillingCyclesOfBatch(deps, run, { readings: batch, extent })));
  }
  const byContract = new Map(scheduled.map((reading) => [reading.contract, reading]));
  return readings.map((reading) => byContract.get(reading.contract) ?? reading);
}

const ENDED_STATUSES: ReadonlySet<string | undefined> = new Set(['CANCELLED', 'EXPIRED']);

/** Whether the contract has ended, so that it has no upcoming orders. */
export function isContractEnded({ status }: ContractReading['facts']): boolean {
  return ENDED_STATUSES.has(status ?? undefined);
}

type CyclesBatch = { readonly readings: readonly ContractReading[]; readonly extent: 'all' | 'next' };

/** A contract whose cycles cannot be read stays without cycles: each contract is then read alone. */
async function readBillingCyclesOfBatch(
  deps: ReadContractsDeps,
  run: StoreReadRun,
  { readings, extent }: CyclesBatch,
): Promise<ContractReading[]> {
  const contracts = readings.map(({ contract }) => contract);
  const from = new Date(deps.now()).toISOString();
  const to = new Date(deps.now() + YEAR_MS).toISOString();
  const document = buildBillingCyclesDocument(readings.length, extent);
  const { data } = await sendContractQuery(deps, run, document, {
    ...contractIdVariables(deps, contracts),
    from,
    to,
  });
  if (data !== null) {
    const endedAtMs = deps.now();
    return readings.map((reading, index) => ({
      ...{ ...reading, endedAtMs },
      ...toUnbilledCycles(data[`cycles${index}`] as CyclesPage | null | undefined),
    }));
  }
  if (readings.length === 1) return [...readings];
  const alone: ContractReading[] = [];
  for (const reading of readings)
    alone.push(...(await readBillingCyclesOfBatch(deps, run, { readings: [reading], extent })));
  return alone;
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
  method: string,
): Promise<ContractNumber[]> {
  const variables = { id: `gid://${deps.platformGidNamespace}/CustomerPaymentMethod/${method}` };
  const { data, errors } = await readWithinBudget(deps, run, {
    document: PAYMENT_METHOD_CONTRACTS_DOCUMENT,
    variables,
  });
  const found = data?.customerPaymentMethod as PaymentMethodContracts | null | undefined;
  if (!found && errors.length > 0) throw failedReadError('payment method', errors);
  return (found?.subscriptionContracts.nodes ?? []).flatMap(({ id }) => contractNumberOfGid(id) ?? []);
}

const CARD_FIELDS = 'lastDigits expiryMonth expiryYear';
const PAYMENT_METHOD_SELECTION = `paymentMethod: customerPaymentMethod(showRevoked: true) { id revokedAt instrument { __typename
  ... on CustomerCreditCard { ${CARD_FIELDS} } ... on CustomerShopPayAgreement { ${CARD_FIELDS} }
  ... on CustomerPaypalBillingAgreement { inactive } } }`;
const CONTRACT_SELECTION = `id createdAt updatedAt revisionId customer { id } ${CONTRACT_CONTENT_SELECTION} ${DELIVERY_METHOD_SELECTION} ${PAYMENT_METHOD_SELECTION}`;
const CYCLE_FIELDS =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped status editedContract { updatedAt }';
const CYCLE_RANGE_ARGUMENT = '{ startDate: $from, endDate: $to }';

/** Contracts of one page; so many cost less than a quarter of the smallest bucket. */
const CONTRACTS_PER_PAGE = 40;
/** Contracts that are named in one document. */
export const CONTRACTS_PER_DOCUMENT = 10;
/**
 * The maximum number of contracts whose billing cycles one document reads.
 *
 * @internal A test measures the points of the largest document.
 */
export const CONTRACTS_PER_CYCLES_DOCUMENT = 20;
/** The number of billing cycles that are read for a contract that is read by its id, and for one in a page. */
const CYCLES_PER_NAMED_CONTRACT = 50;
const CYCLES_PER_CONTRACT_IN_PAGE = 8;

/** Variables: `after`, null for the first page. */
const CONTRACTS_PAGE_DOCUMENT = `query ContractsOfStore($after: String) {
  subscriptionContracts(first: ${CONTRACTS_PER_PAGE}, after: $after) {
    nodes { ${CONTRACT_SELECTION} } pageInfo { hasNextPage endCursor } } }`;

/** Builds the document that reads `count` contracts. Variables: `id0`…. Response keys: `contract0`…. */
function buildContractsDocument(count: number): string {
  return buildAliasedDocument(
    'Contracts',
    count,
    (index) => `contract${index}: subscriptionContract(id: $id${index}) { ${CONTRACT_SELECTION} }`,
  );
}

/**
 * Builds the document that reads the billing cycles of `count` contracts: all, or the next. Variables: `id0`…, `from`, `to`.
 * Response keys: `cycles0`…. If one of the contracts does not exist, the platform returns no data at all.
 */
function buildBillingCyclesDocument(count: number, extent: 'all' | 'next'): string {
  const first = extent === 'all' ? CYCLES_PER_NAMED_CONTRACT : CYCLES_PER_CONTRACT_IN_PAGE;
  const name = 'Schedules($from: DateTime! $to: DateTime! ';
  return buildAliasedDocument(
    name,
    count,
    (index) => `cycles${index}: subscriptionBillingCycles(contractId: $id${index}, first: ${first},
    billingCyclesDateRangeSelector: ${CYCLE_RANGE_ARGUMENT}) { nodes { ${CYCLE_FIELDS} } pageInfo { hasNextPage } }`,
  );
}

function buildAliasedDocument(name: string, count: number, root: (index: number) => string): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const ids = indexes.map((index) => `$id${index}: ID!`).join(' ');
  const head = name.includes('(') ? `${name}${ids})` : `${name}(${ids})`;
  return `query ${head} { ${indexes.map(root).join(' ')} }`;
}
