/** The GraphQL documents that read contracts and their billing cycles, to compare them with the recorded states. */
import { AMOUNT_FIELDS } from '../../billing/preview/compute-order-amounts.ts';
import {
  CONTRACT_CONTENT_SELECTION,
  DELIVERY_METHOD_SELECTION,
  selectContractContent,
} from '../../timeline/settle/contract-content.ts';

const CARD_FIELDS = 'lastDigits expiryMonth expiryYear';
const PAYMENT_METHOD_SELECTION = `paymentMethod: customerPaymentMethod(showRevoked: true) { id revokedAt instrument { __typename
  ... on CustomerCreditCard { ${CARD_FIELDS} } ... on CustomerShopPayAgreement { ${CARD_FIELDS} }
  ... on CustomerPaypalBillingAgreement { inactive } } }`;
const buildContractSelection = (content: string) =>
  `id createdAt updatedAt revisionId customer { id } ${content} ${DELIVERY_METHOD_SELECTION} ${PAYMENT_METHOD_SELECTION}`;
const CONTRACT_SELECTION = buildContractSelection(CONTRACT_CONTENT_SELECTION);
const CYCLE_FIELDS =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped status editedContract { updatedAt }';
const CYCLE_RANGE_ARGUMENT = '{ startDate: $from, endDate: $to }';

/** The contracts in one page, which cost less than a quarter of the smallest bucket of points. */
const CONTRACTS_PER_PAGE = 40;
/** The maximum number of contracts that one document reads by their ids. */
export const CONTRACTS_PER_DOCUMENT = 10;
/** The maximum number of contracts whose billing cycles one document reads. */
export const CONTRACTS_PER_CYCLES_DOCUMENT = 20;
/** The number of billing cycles that are read of each contract with the extent `all`. */
const CYCLES_PER_NAMED_CONTRACT = 50;
/** The number of billing cycles that are read of each contract with the extent `next`. */
const CYCLES_PER_CONTRACT_IN_PAGE = 8;

/** Reads a page of a store's contracts. Variable: `after`, null for the first page. */
export const CONTRACTS_PAGE_DOCUMENT = buildPageDocument(CONTRACT_SELECTION);
export const PRICED_CONTRACTS_PAGE_DOCUMENT = buildPageDocument(
  buildContractSelection(selectContractContent(AMOUNT_FIELDS)),
);

function buildPageDocument(selection: string): string {
  return `query ContractsOfStore($after: String) {
  subscriptionContracts(first: ${CONTRACTS_PER_PAGE}, after: $after) {
    nodes { ${selection} } pageInfo { hasNextPage endCursor } } }`;
}

/** Builds the document that reads `count` contracts. Variables: `id0`…. Response keys: `contract0`…. */
export function buildContractsDocument(count: number): string {
  return buildAliasedDocument(
    'Contracts',
    count,
    (index) => `contract${index}: subscriptionContract(id: $id${index}) { ${CONTRACT_SELECTION} }`,
  );
}

/**
 * Builds the document that reads the billing cycles of `count` contracts between two dates: all, or only the next ones.
 * Variables: `id0`…, `from`, `to`. Response keys: `cycles0`…. If a contract does not exist, the platform returns no data.
 */
export function buildBillingCyclesDocument(count: number, extent: 'all' | 'next'): string {
  const cycleCount = extent === 'all' ? CYCLES_PER_NAMED_CONTRACT : CYCLES_PER_CONTRACT_IN_PAGE;
  const nameAndVariables = 'Schedules($from: DateTime! $to: DateTime! ';
  return buildAliasedDocument(
    nameAndVariables,
    count,
    (index) => `cycles${index}: subscriptionBillingCycles(contractId: $id${index}, first: ${cycleCount},
    billingCyclesDateRangeSelector: ${CYCLE_RANGE_ARGUMENT}) { nodes { ${CYCLE_FIELDS} } pageInfo { hasNextPage } }`,
  );
}

function buildAliasedDocument(
  name: string,
  count: number,
  buildRootField: (index: number) => string,
): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const idDeclarations = indexes.map((index) => `$id${index}: ID!`).join(' ');
  const operationHeader = name.includes('(') ? `${name}${idDeclarations})` : `${name}(${idDeclarations})`;
  return `query ${operationHeader} { ${indexes.map(buildRootField).join(' ')} }`;
}
