/** What an app does with the files beside this one. Call `startApp` at every start, before anything else. */
import { ask } from './ask.ts';
import { type Device, readStored } from './device.ts';
import type { Session } from './session.ts';
import { finishExchange } from './sign-in.ts';
import { finishRevocation } from './sign-out.ts';

/** Ends a sign-in and a sign-out in which the app was killed. True: somebody is signed in. */
export async function startApp(device: Device): Promise<boolean> {
  // An app without a connection starts too: what could not be sent now is sent at its next start.
  await Promise.allSettled([finishExchange(device), finishRevocation(device)]);
  return (await readStored<Session>(device, 'session')) !== null;
}

const SUBSCRIPTIONS = `query Subscriptions($customer: ID!) {
  serviceInfo { storeTimeZone }
  customer(id: $customer) {
    subscriptionContracts(first: 10) {
      nodes { id status nextOrder { date cycleIndex total { amount currencyCode } } }
    }
  }
}`;

/** The customer's subscriptions, each with what is charged next. */
export async function listSubscriptions(device: Device) {
  const session = await readStored<Session>(device, 'session');
  const customer = `gid://platform/Customer/${session?.customerId}`;
  return ask(device, { query: SUBSCRIPTIONS, variables: { customer } });
}

const SKIP = `mutation Skip($contract: ID!, $index: Int!, $date: DateTime!) {
  subscriptionBillingCycleSkip(contractId: $contract, billingCycleIndex: $index, expectedDate: $date) {
    billingCycle { skipped }
    userErrors { message code }
  }
}`;

/**
 * Skips the order that `listSubscriptions` has shown. Nothing was skipped if the answer has `userErrors`: show them. It is
 * not sent again by itself; after NETWORK call it again, because a repeat skips nothing else.
 */
export function skipOrder(device: Device, contract: string, order: { cycleIndex: number; date: string }) {
  const variables = { contract, index: order.cycleIndex, date: order.date };
  return ask(device, { query: SKIP, variables });
}
