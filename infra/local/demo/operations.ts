/** The GraphQL operations of the demo, and how they are sent to the two endpoints. */

import { call, type Journey, recall } from './journey.ts';
import type { Answer } from './send-request.ts';

export const CUSTOMER_PATH = '/api/storefront/unstable/graphql.json';
export const ADMIN_PATH = '/api/admin/unstable/graphql.json';

export const LIST = `query ($id: ID!) {
  serviceInfo { storeTimeZone }
  customer(id: $id) { subscriptionContracts(first: 5) { nodes {
    id status nextOrder { date cycleIndex total { amount currencyCode } } lines(first: 2) { nodes { title quantity } }
  } } }
}`;

export const CONTRACT = `query ($id: ID!) { subscriptionContract(id: $id) { id status } }`;

export const NOTE = `query ($id: ID!) { subscriptionContract(id: $id) { id note } }`;

export const SESSIONS = `query ($id: ID!) {
  customer(id: $id) { sessions { id deviceLabel createdAt lastUsedAt isCurrent } }
}`;

export const CYCLES = `query ($id: ID!, $from: DateTime!, $to: DateTime!) {
  subscriptionBillingCycles(contractId: $id, first: 3, billingCyclesDateRangeSelector: { startDate: $from, endDate: $to }) {
    nodes { cycleIndex skipped billingAttemptExpectedDate }
  }
}`;

export const SKIP = `mutation ($id: ID!, $index: Int!, $skip: Boolean!, $date: DateTime) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: $index, skip: $skip, expectedDate: $date) {
    billingCycle { cycleIndex skipped billingAttemptExpectedDate } userErrors { field message }
  }
}`;

export type Operation = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/** Sends an operation as the signed-in customer. */
export function asCustomer(journey: Journey, body: Operation, status = 200): Promise<Answer> {
  const headers = { authorization: `Bearer ${recall(journey, 'accessToken')}` };
  return call(journey, { method: 'POST', url: journey.stack.baseUrl + CUSTOMER_PATH, headers, body }, status);
}

/** Sends an operation as the merchant's server; `actingFor` is the customer of the header, if any. */
export function asMerchant(journey: Journey, body: Operation, actingFor?: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${journey.stack.adminKey}`,
    ...(actingFor === undefined ? {} : { 'X-Platform-Customer-GID': actingFor }),
  };
  return call(journey, { method: 'POST', url: journey.stack.baseUrl + ADMIN_PATH, headers, body }, 200);
}

/** The global ID of the seed's customer with this place in the list. */
export function customerGid({ stack }: Journey, place: number): string {
  return `gid://platform/Customer/${stack.customers[place]?.id}`;
}
