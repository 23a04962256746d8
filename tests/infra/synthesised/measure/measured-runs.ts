/** The runs of measure.ts: each kind of work of tools/capacity/measured.ts, caused by its real callers. */

import { randomUUID } from 'node:crypto';
import { SubscriptionsDocument } from '../../../../clients/typescript/src/operations/generated/reads/subscriptions.ts';
import type { FunctionName } from '../../../../infra/definition/function-definitions.ts';
import { customerSteps } from '../../../../sandbox/demo/customer-steps.ts';
import {
  type DemoRun,
  expectEqualValues,
  runSteps,
  savedValue,
  sendAndExpectStatus,
  textAtPath,
  valueAtPath,
} from '../../../../sandbox/demo/demo-run.ts';
import { preparationSteps } from '../../../../sandbox/demo/merchant-steps.ts';
import { createDemoMerchantClient } from '../../../../sandbox/demo/run-client.ts';
import { asCustomer, asMerchant, sendContractWebhook, silent } from '../as-people.ts';

/** `play` returns the amount of work. */
type MeasuredRun = { readonly function: FunctionName; readonly run: () => Promise<number> };
type MeasuredWorkName =
  | 'signIn'
  | 'refresh'
  | 'customerQuery'
  | 'customerChange'
  | 'pauseChange'
  | 'merchantQuery'
  | 'dueOrders'
  | 'charge'
  | 'webhookIn';

type Guest = DemoRun['stack']['customers'][number];

/** The client secret of the store's app, set before the runs. */
export const CLIENT_SECRET = 'shpss_0123456789abcdef0123456789abcdef';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const [CARLA, WEEKLY, HOUSE] = [7001003, 830100101, 810100101];
/** The first contract with a due order. */
export const FIRST_DUE = 9_600_000;
/** The platform's search finds 12 a page. */
const DUE_PAGE = 12;
const merchantPage = `query ($after: String) { subscriptionContracts(first: 50, after: $after) {
  nodes { id status nextBillingDate customer { id } lines(first: 5) { nodes { id title quantity variantId } } }
  pageInfo { hasNextPage endCursor }
} }`;
const ERRORS = 'contract { status nextBillingDate } userErrors { message }';
const PAUSE = `mutation ($key: String!, $id: ID!, $date: DateTime!) {
  change: subscriptionContractPause(subscriptionContractId: $id, until: $date) @idempotent(key: $key) { ${ERRORS} }
}`;
const RESUME = `mutation ($key: String!, $id: ID!, $date: DateTime!) {
  change: subscriptionContractActivate(subscriptionContractId: $id, nextBillingDate: $date) @idempotent(key: $key) { ${ERRORS} }
}`;

/** The runs of a journey after `prepare`, in their required order. */
export function runsOf(
  journey: DemoRun,
  guests: readonly Guest[],
): Readonly<Record<MeasuredWorkName, MeasuredRun>> {
  const customer = `gid://platform/Customer/${journey.stack.customers[0]?.id}`;
  const list = { query: String(SubscriptionsDocument), variables: { customerId: customer, first: 10 } };
  const page = { query: merchantPage, variables: { after: null } };
  const strangers = [...guests];
  let charged = 0;
  let reportedAtMs = FIRST_DUE;
  let resumed = 0;
  return {
    signIn: {
      function: 'headless-auth',
      async run() {
        // Each is a customer without any other sign-in.
        const customers = strangers.splice(0, 1);
        const stack = { ...journey.stack, customers };
        await runSteps(customerSteps.slice(0, 1), { stack, show: silent, saved: new Map() });
        return 1;
      },
    },
    refresh: { function: 'headless-auth', run: once(() => refreshTokens(journey)) },
    customerQuery: { function: 'customer-graphql', run: once(() => asCustomer(journey, list)) },
    // Skips an order, and restores it.
    customerChange: {
      function: 'customer-graphql',
      run: async () => {
        await runSteps(customerSteps.slice(3, 5), journey);
        return 2;
      },
    },
    // The order is moved with it, each time to another day.
    pauseChange: {
      function: 'customer-graphql',
      run: async () => {
        await changeContract(journey, PAUSE, 30);
        await changeContract(journey, RESUME, 10 + (resumed++ % 5));
        return 2;
      },
    },
    merchantQuery: { function: 'admin-graphql', run: once(() => asMerchant(journey, page)) },
    dueOrders: { function: 'admin-graphql', run: () => findDue(journey) },
    charge: {
      function: 'admin-graphql',
      run: once(() => {
        const contractId = `gid://platform/SubscriptionContract/${FIRST_DUE + charged++}`;
        return createDemoMerchantClient(journey).orders.charge({ contractId, cycleIndex: 1 });
      }),
    },
    webhookIn: { function: 'platform-webhooks', run: once(() => recordOf(journey, reportedAtMs++)) },
  };
}

/** The customer sends a mutation with a date, so many days ahead. */
async function changeContract(journey: DemoRun, query: string, days: number): Promise<void> {
  const date = new Date(Date.now() + days * DAY_MS).toISOString();
  const variables = { key: randomUUID(), id: savedValue(journey, 'contract'), date };
  const { body } = await asCustomer(journey, { query, variables });
  expectEqualValues('userErrors', [], valueAtPath(body, 'data.change.userErrors'));
}

/** Sends the platform's webhook of a changed contract. */
async function recordOf({ stack }: DemoRun, contract: number): Promise<void> {
  const answer = await sendContractWebhook(stack.baseUrl, {
    shop: stack.shop,
    clientSecret: CLIENT_SECRET,
    contract,
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

function once(run: () => Promise<unknown>): MeasuredRun['run'] {
  return async () => {
    await run();
    return 1;
  };
}

/** The number of pages of due orders. */
async function findDue(journey: DemoRun): Promise<number> {
  let found = 0;
  for await (const _order of createDemoMerchantClient(journey).orders.due()) found++;
  if (found === 0) throw new Error('No order is due.');
  return found / DUE_PAGE;
}

/** Creates the preconditions of the runs: a recorded subscription, and this many due orders and customers. */
export async function prepare(journey: DemoRun, count: number): Promise<readonly Guest[]> {
  const { shop, platformUrl } = journey.stack;
  const createdMs = Date.now() - 7 * DAY_MS - 2 * HOUR_MS;
  const subscriptions = Array.from({ length: count }, (_, index) => ({
    ...{ id: FIRST_DUE + index, customerId: CARLA, planId: WEEKLY, createdMs },
    lines: [[HOUSE, 1]],
  }));
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${platformUrl}/_control/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  const { customers } = await control('seed', { shop, subscriptions, customers: count });
  // Charges take a second, as at a bank. The bucket refills immediately, so no request waits for points and no
  // customer's points are claimed.
  const throttle = { maximumAvailable: 2e9, restoreRate: 2e9 };
  await control('settings', { shop, throttle, chargeDelaySeconds: 1 });
  await runSteps(preparationSteps, journey);
  await runSteps(customerSteps.slice(0, 3), journey);
  return customers;
}

/** Each time to the next pair; the app's own access token stays good. */
async function refreshTokens(journey: DemoRun): Promise<void> {
  const { shop, customers, baseUrl } = journey.stack;
  const session = { shop, customerId: customers[0]?.id, refreshToken: savedValue(journey, 'refreshToken') };
  const url = `${baseUrl}/headless-auth/refresh`;
  const { body } = await sendAndExpectStatus(journey, { method: 'POST', url, body: session }, 200);
  for (const name of ['accessToken', 'refreshToken']) journey.saved.set(name, textAtPath(body, name));
}
