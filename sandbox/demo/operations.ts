/** The GraphQL operations of the demo. */
import type { DemoRun } from './demo-run.ts';

export const CUSTOMER_PATH = '/api/storefront/unstable/graphql.json';
export const ADMIN_PATH = '/api/admin/unstable/graphql.json';

export const SUBSCRIPTIONS_QUERY = `query ($id: ID!) {
  serviceInfo { storeTimeZone }
  customer(id: $id) { subscriptionContracts(first: 5) { nodes {
    id status nextOrder { date cycleIndex total { amount currencyCode } } lines(first: 2) { nodes { title quantity } }
  } } }
}`;

export const CONTRACT_QUERY = `query ($id: ID!) { subscriptionContract(id: $id) { id status } }`;

export const NOTE_QUERY = `query ($id: ID!) { subscriptionContract(id: $id) { id note } }`;

export const SESSIONS_QUERY = `query ($id: ID!) {
  customer(id: $id) { sessions { id deviceLabel createdAt lastUsedAt isCurrent } }
}`;

export const CYCLES_QUERY = `query ($id: ID!) {
  subscriptionBillingCycles(contractId: $id, first: 250) {
    nodes { cycleIndex skipped billingAttemptExpectedDate }
  }
}`;

export const SKIP_MUTATION = `mutation ($key: String!, $id: ID!, $index: Int!, $skip: Boolean!, $date: DateTime) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index, skip: $skip, expectedDate: $date) @idempotent(key: $key) {
    billingCycle { cycleIndex skipped billingAttemptExpectedDate } userErrors { field message }
  }
}`;

/** Returns the global ID of the customer at this position of the seed's list. */
export function customerGidByPosition({ stack }: DemoRun, position: number): string {
  return `gid://platform/Customer/${stack.customers[position]?.id}`;
}
