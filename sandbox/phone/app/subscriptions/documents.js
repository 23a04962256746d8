/** All GraphQL documents of the app. */

/** The time zone for displayed days. */
const STORE = 'serviceInfo { storeTimeZone }';

/** Accounts for skips, moves and discounts; `nextBillingDate` does not. */
const NEXT_ORDER = 'nextOrder { date cycleIndex total { amount currencyCode } }';

const CYCLES = `nodes { cycleIndex skipped status billingAttemptExpectedDate cycleEndAt }`;

const FULL_LINES = `lines(first: 50) { nodes {
  id title variantTitle quantity variantId
  variantImage { url }
  currentPrice { amount currencyCode }
  lineDiscountedPrice { amount currencyCode }
} }`;

const INSTRUMENT = `instrument {
  __typename
  ... on CustomerCreditCard { brand lastDigits expiryMonth expiryYear }
}`;

/** All data for the page of one subscription, including its newest history. */
export const ONE = `query Subscription($id: ID!, $events: Int!) {
  ${STORE}
  subscriptionContract(id: $id) {
    id status lastPaymentStatus
    currentPause { resumesAt reason }
    deliveryPolicy { interval intervalCount }
    deliveryPrice { amount currencyCode }
    deliveryMethod {
      __typename
      ... on SubscriptionDeliveryMethodShipping {
        address { firstName lastName address1 address2 city zip provinceCode countryCodeV2 phone formatted }
        shippingOption { title }
      }
    }
    customerPaymentMethod { id ${INSTRUMENT} }
    ${NEXT_ORDER}
    ${FULL_LINES}
    events(first: $events, reverse: true) {
      nodes { id message createdAt ... on SubscriptionEvent { outcome } }
      pageInfo { hasNextPage }
    }
  }
  subscriptionBillingCycles(contractId: $id, first: 6) { ${CYCLES} }
}`;

export const WHO = `query Who($customer: ID!) {
  customer(id: $customer) {
    displayName defaultEmailAddress { emailAddress }
    sessions { id deviceLabel createdAt lastUsedAt isCurrent }
  }
}`;

export const REVOKE_SESSION = `mutation RevokeSession($key: String!, $id: ID!) {
  customerSessionRevoke(sessionId: $id) @idempotent(key: $key) { revokedSessionId userErrors { field message } }
}`;

export const REVOKE_OTHERS = `mutation RevokeOthers($key: String!) {
  customerSessionsRevokeOthers @idempotent(key: $key) { revokedCount userErrors { field message } }
}`;

export const PAYMENT_METHODS = `query PaymentMethods($customer: ID!) {
  customer(id: $customer) { paymentMethods(first: 20) { nodes { id ${INSTRUMENT} } } }
}`;

const FREQUENCY = (/** @type {string} */ type) => `... on ${type} { interval intervalCount }`;

const ADJUSTMENT = `adjustmentType adjustmentValue {
  ... on MoneyV2 { amount currencyCode }
  ... on SellingPlanPricingPolicyPercentageValue { percentage }
}`;

/** The available intervals, and the data that determines their prices. */
export const INTERVALS = `query Intervals($id: ID!, $start: DateTime!, $now: DateTime!) {
  subscriptionContract(id: $id) {
    originOrder { id }
    currencyCode
    billingPolicy { interval intervalCount }
    deliveryPolicy { interval intervalCount }
    deliveryPrice { amount currencyCode }
    discounts(first: 1) { nodes { id } }
    lines(first: 20) {
      nodes {
        quantity sellingPlanId
        currentPrice { amount currencyCode }
        lineDiscountedPrice { amount currencyCode }
        pricingPolicy { basePrice { amount currencyCode } }
      }
      pageInfo { hasNextPage }
    }
  }
  subscriptionIntervalInfo(contractId: $id) {
    sellingPlanGroups(first: 10) { nodes { sellingPlans(first: 10) { nodes {
      id
      billingPolicy { ${FREQUENCY('SellingPlanRecurringBillingPolicy')} }
      deliveryPolicy { ${FREQUENCY('SellingPlanRecurringDeliveryPolicy')} }
      pricingPolicies {
        ... on SellingPlanFixedPricingPolicy { ${ADJUSTMENT} }
        ... on SellingPlanRecurringPricingPolicy { ${ADJUSTMENT} afterCycle }
      }
    } } } }
  }
  subscriptionBillingCycles(contractId: $id, first: 250, billingCyclesDateRangeSelector: { startDate: $start, endDate: $now }) {
    nodes { status }
  }
}`;

export const LINE_OPTIONS = `query LineOptions($id: ID!, $line: ID, $after: String) {
  subscriptionLineOptions(contractId: $id, lineId: $line, first: 50, after: $after) {
    nodes {
      productVariant { id title }
      product { title featuredMedia { preview { image { url } } } }
      sellingPlan { id }
      currentPrice { amount currencyCode }
      availableForSale
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
