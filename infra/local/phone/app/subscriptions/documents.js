/** The GraphQL documents the app sends, all of them; each is one request to the platform. */

const LINES = `lines(first: 10) { nodes {
  id title variantTitle quantity
  variantImage { url }
  lineDiscountedPrice { amount currencyCode }
} }`;

const CYCLES = `nodes { cycleIndex skipped status billingAttemptExpectedDate }`;

export const LIST = `query Subscriptions($customer: ID!, $first: Int!, $after: String) {
  customer(id: $customer) {
    firstName
    subscriptionContracts(first: $first, after: $after) {
      nodes {
        id status lastPaymentStatus
        deliveryPolicy { interval intervalCount }
        ${LINES}
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/**
 * The next orders of several contracts, root by root in one document. They come from the billing cycles:
 * `nextBillingDate` does not follow skips.
 * @param {number} count
 */
export function nextOrdersDocument(count) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return `query NextOrders($from: DateTime!, $to: DateTime!, ${numbers.map((n) => `$c${n}: ID!`).join(', ')}) {
    ${numbers.map((n) => `c${n}: subscriptionBillingCycles(contractId: $c${n}, first: 6, ${RANGE}) { ${CYCLES} }`).join('\n')}
  }`;
}

const RANGE = 'billingCyclesDateRangeSelector: { startDate: $from, endDate: $to }';

export const ONE = `query Subscription($id: ID!, $from: DateTime!, $to: DateTime!) {
  subscriptionContract(id: $id) {
    id status lastPaymentStatus
    deliveryPolicy { interval intervalCount }
    deliveryPrice { amount currencyCode }
    ${LINES}
  }
  subscriptionBillingCycles(contractId: $id, first: 6, ${RANGE}) { ${CYCLES} }
}`;

export const ORDERS = `query Orders($id: ID!, $from: DateTime!, $to: DateTime!) {
  subscriptionBillingCycles(contractId: $id, first: 6, ${RANGE}) { ${CYCLES} }
}`;

export const SKIP = `mutation Skip($id: ID!, $index: Int!, $skip: Boolean!, $date: DateTime!) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index, skip: $skip, expectedDate: $date) {
    billingCycle { cycleIndex skipped billingAttemptExpectedDate }
    userErrors { field message }
  }
}`;

export const WHO = `query Who($customer: ID!) {
  customer(id: $customer) { displayName defaultEmailAddress { emailAddress } }
}`;
