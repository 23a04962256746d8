/** A break, until a day or until the customer ends it; and its end. */
import { startOf } from '../messages/store-day.js';
import { change } from './change.js';

const PAUSE = `mutation Pause($key: String!, $id: ID!, $until: DateTime, $reason: String) {
  subscriptionContractPause(subscriptionContractId: $id, until: $until, reason: $reason) @idempotent(key: $key) {
    contract { id }
    userErrors { field message }
  }
}`;

const RESUME = `mutation Resume($key: String!, $id: ID!) {
  subscriptionContractActivate(subscriptionContractId: $id) @idempotent(key: $key) { contract { id } userErrors { field message } }
}`;

/** @param {string} id @param {{ until: string | undefined, reason: string | undefined }} pause `until`: 2027-01-31. */
export async function pause(id, { until, reason }) {
  // Midnight in the store: orders of that day are sent again.
  const date = until === undefined ? undefined : startOf(until);
  await change(PAUSE, { id, until: date, reason });
}

/** @param {string} id */
export async function resume(id) {
  await change(RESUME, { id });
}
