/**
 * What is asked of contracts: their content, the payment method's end, and the orders of a year ahead. By the
 * platform's formula a page costs less for each contract than contracts that are named one by one.
 */
import { CONTRACT_CONTENT, DELIVERY_METHOD } from '../../timeline/settle/contract-content.ts';

const CARD = 'lastDigits expiryMonth expiryYear';
const METHOD = `paymentMethod: customerPaymentMethod(showRevoked: true) { id revokedAt instrument { __typename
  ... on CustomerCreditCard { ${CARD} } ... on CustomerShopPayAgreement { ${CARD} }
  ... on CustomerPaypalBillingAgreement { inactive } } }`;
const CONTRACT = `id createdAt updatedAt revisionId customer { id } ${CONTRACT_CONTENT} ${DELIVERY_METHOD} ${METHOD}`;
const CYCLE =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped status editedContract { updatedAt }';
const RANGE = '{ startDate: $from, endDate: $to }';

/** Contracts of one page; so many cost less than a quarter of the smallest bucket. */
const CONTRACTS_A_PAGE = 40;
/** Contracts that are named in one document. */
export const CONTRACTS_PER_DOCUMENT = 10;
/** The maximum number of contracts whose orders one document reads. */
export const SCHEDULES_PER_DOCUMENT = 20;
/** Orders that are read of a contract: of one that is named, and of one in a page. */
const CYCLES = 50;
const CYCLES_OF_A_PAGE = 8;

/** Variables: `after`, null for the first page. */
export const PAGE_DOCUMENT = `query ContractsOfStore($after: String) {
  subscriptionContracts(first: ${CONTRACTS_A_PAGE}, after: $after) {
    nodes { ${CONTRACT} } pageInfo { hasNextPage endCursor } } }`;

/** Reads `count` contracts. Variables: `id0`…. Answers: `contract0`… */
export function contractsDocument(count: number): string {
  return documentOf(
    'Contracts',
    count,
    (index) => `contract${index}: subscriptionContract(id: $id${index}) { ${CONTRACT} }`,
  );
}

/**
 * Reads the orders of `count` contracts: all, or the next. Variables: `id0`…, `from`, `to`. Answers: `cycles0`…. The
 * platform answers nothing at all if one of the contracts is not there.
 */
export function schedulesDocument(count: number, extent: 'all' | 'next'): string {
  const first = extent === 'all' ? CYCLES : CYCLES_OF_A_PAGE;
  const name = 'Schedules($from: DateTime! $to: DateTime! ';
  return documentOf(
    name,
    count,
    (index) => `cycles${index}: subscriptionBillingCycles(contractId: $id${index}, first: ${first},
    billingCyclesDateRangeSelector: ${RANGE}) { nodes { ${CYCLE} } pageInfo { hasNextPage } }`,
  );
}

function documentOf(name: string, count: number, root: (index: number) => string): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const ids = indexes.map((index) => `$id${index}: ID!`).join(' ');
  const head = name.includes('(') ? `${name}${ids})` : `${name}(${ids})`;
  return `query ${head} { ${indexes.map(root).join(' ')} }`;
}
