/**
 * The use cases of the production template: each is a test of journey.test.ts, and must fail in
 * tests/rights/each-right.scale.test.ts without a right that it needs.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import {
  type OneTimeLinkSecret,
  oneTimeLinkProofOf,
  openSealedAdminKey,
} from '../../../lib/domain/tokens/one-time-link-secret.ts';
import { customerSteps } from '../../../sandbox/demo/customer-steps.ts';
import { type DemoRun, runSteps, valueAtPath } from '../../../sandbox/demo/demo-run.ts';
import { merchantSteps, preparationSteps } from '../../../sandbox/demo/merchant-steps.ts';
import type { DemoStore } from '../../../sandbox/local/install-demo-stores.ts';
import { again } from '../../contract/world/service-client.ts';
import {
  enterPage,
  eraseCustomerAsOperator,
  giveClientSecret,
  giveEndingGrant,
  giveEndpoint,
  issueLink,
  leaveOpenIntent,
  switchBillingOn,
} from './as-operator.ts';
import { asCustomer, asMerchant, sendContractWebhook, silent } from './as-people.ts';
import { changeSteps, resumedSteps } from './change-steps.ts';
import type { RunningTemplate } from './start-template.ts';

/** `title`: of its test. */
export type UseCase = { readonly title: string; readonly run: (running: RunningTemplate) => Promise<void> };

export const useCases: readonly UseCase[] = [
  { title: 'plays the journey of a customer and of a merchant through its own routes', run: runWholeJourney },
  { title: 'gives a token for the storefront', run: readStorefrontToken },
  { title: 'lets a page that a store has entered send requests', run: allowPage },
  { title: 'opens a one-time link to an admin key, and the key makes an endpoint', run: claimKey },
  { title: 'renews a grant that is about to end, in whichever function it is needed', run: renewGrants },
  {
    title: 'tells customer and merchant what was changed, whole, by action and one by one',
    run: recordChanges,
  },
  // Before any clock is ahead: a lease would be, too.
  { title: 'takes a webhook that the app signed, and looks at the store', run: takeWebhook },
  { title: 'finds the orders of a store that the service bills', run: findDueOrders },
  {
    title: 'keeps timeline and pauses; the scheduled work ends what is due, and settles what was left open',
    run: runScheduledWork,
  },
  { title: "tells a merchant's endpoint what happened", run: deliverWebhooks },
];

/** Runs the use case: all expected results occur, and no call of a function is rejected. */
export async function runUseCase(running: RunningTemplate, { run }: UseCase): Promise<void> {
  const { length } = running.calls;
  await run(running);
  for (const { action, resource, leadingKeys = [], allowed } of running.calls.slice(length))
    if (!allowed) throw new Error(`refused: ${action} on ${leadingKeys.join() || resource}`);
}

/** The store with the customers. */
export function firstStore({ stores: [store] }: RunningTemplate): DemoStore {
  if (store === undefined) throw new Error('There is no store.');
  return store;
}

function journeyOf(running: RunningTemplate): DemoRun {
  const { baseUrl, platform } = running;
  const stack = { baseUrl, platformUrl: platform.url, ...firstStore(running), customers: platform.customers };
  return { stack, show: silent, saved: new Map() };
}

function post({ baseUrl }: RunningTemplate, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return again(() => fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

function runWholeJourney(running: RunningTemplate): Promise<void> {
  return runSteps([...preparationSteps, ...customerSteps, ...merchantSteps], journeyOf(running));
}

async function readStorefrontToken(running: RunningTemplate): Promise<void> {
  const { shop } = firstStore(running);
  const answer = await post(running, '/headless-auth/storefront-token', { shop });
  expect([answer.status, await answer.json()]).toEqual([200, expect.any(Object)]);
}

/** The other store than that of the test for a store without pages. */
async function allowPage(running: RunningTemplate): Promise<void> {
  const { shop, shopId } = running.stores[1] ?? firstStore(running);
  const origin = 'https://page.example.com';
  await enterPage(running, shopId, `${origin}/signed-in`);
  for (const path of ['/headless-auth/start', '/api/storefront/unstable/graphql.json']) {
    const preflight = { method: 'OPTIONS', headers: { origin } };
    const answer = await again(() => fetch(`${running.baseUrl}${path}?shop=${shop}`, preflight));
    expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
  }
}

/** An endpoint on a port without a listener. */
const MAKE_ENDPOINT = `mutation {
  webhookEndpointCreate(url: "http://127.0.0.1:9/", types: [ENDPOINT_TEST]) { endpoint { status } secret }
}`;

async function claimKey(running: RunningTemplate): Promise<void> {
  const { shop, shopId } = firstStore(running);
  const { linkId, fragment } = await issueLink(running, shopId);
  const path = `/admin-keys/claim/${linkId}`;
  expect((await fetch(running.baseUrl + path)).status).toBe(200);
  const secret = fragment as OneTimeLinkSecret;
  const claimId = randomBytes(16).toString('base64url');
  const claimed = await post(running, path, { proof: oneTimeLinkProofOf(secret), claimId, domain: shop });
  expect(claimed.status).toBe(200);
  const { sealedKey } = (await claimed.json()) as { sealedKey: string };
  const answer = await fetch(`${running.baseUrl}/api/admin/unstable/graphql.json`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${openSealedAdminKey(sealedKey, secret)}`,
    },
    body: JSON.stringify({ query: MAKE_ENDPOINT }),
  });
  const made = { endpoint: { status: 'ENABLED' }, secret: expect.stringContaining('whsec_') };
  expect(await answer.json()).toMatchObject({ data: { webhookEndpointCreate: made } });
}

async function renewGrants(running: RunningTemplate): Promise<void> {
  const journey = journeyOf(running);
  const store = firstStore(running);
  await runSteps(customerSteps.slice(0, 1), journey);
  await giveEndingGrant(running, store, 'public');
  await runSteps(customerSteps.slice(1, 2), journey);
  await giveEndingGrant(running, store, 'own-store');
  await runSteps(preparationSteps, journey);
}

const EVENTS = `query($id: ID!) { subscriptionContract(id: $id) { currentPause { pausedAt }
  events(first: 1, reverse: true) { nodes { id action } }
  paused: events(first: 1, reverse: true, query: "action:subscription_paused") { nodes { id } } } }`;
const EVENT = 'query($id: ID!) { event(id: $id) { action } }';
const PAUSE = `mutation($id: ID!) {
  subscriptionContractPause(subscriptionContractId: $id) { userErrors { message } } }`;
const RESUME = PAUSE.replace('Pause', 'Activate');

async function recordChanges(running: RunningTemplate): Promise<void> {
  const journey = journeyOf(running);
  await runSteps([...preparationSteps, ...customerSteps.slice(0, 2)], journey);
  const id = journey.saved.get('contract') ?? '';
  const paused = await asMerchant(journey, { query: PAUSE, variables: { id } });
  expect(paused.body).toMatchObject({ data: { subscriptionContractPause: { userErrors: [] } } });
  for (const ask of [asCustomer, asMerchant]) {
    const { body } = await ask(journey, { query: EVENTS, variables: { id } });
    const [event] = valueAtPath(body, 'data.subscriptionContract.paused.nodes') as { id: string }[];
    const newest = valueAtPath(body, 'data.subscriptionContract.events.nodes.0');
    expect(newest).toEqual({ id: event?.id, action: 'subscription_paused' });
    const { body: one } = await asMerchant(journey, { query: EVENT, variables: { id: event?.id } });
    expect(one).toMatchObject({ data: { event: { action: 'subscription_paused' } } });
  }
  await asMerchant(journey, { query: RESUME, variables: { id } });
}

async function runScheduledWork(running: RunningTemplate): Promise<void> {
  const journey = journeyOf(running);
  await runSteps([...preparationSteps, ...customerSteps.slice(0, 2), ...changeSteps], journey);
  const contractId = journey.saved.get('contract') ?? '';
  const store = firstStore(running);
  await leaveOpenIntent(running, { shopId: store.shopId, contractId });
  await giveEndingGrant(running, store, 'own-store');
  await eraseCustomerAsOperator(running, store.shopId);
  const event = { source: 'aws.scheduler' };
  await expect(running.runSchedule(event)).resolves.toBeNull();
  await expect(running.runSchedule(event, 2 * 24 * 3600 * 1000)).resolves.toBeNull();
  await expect(running.runSchedule(event, 2 * 3600 * 1000, 'store-events')).resolves.toBeNull();
  await runSteps(resumedSteps, journey);
}

/** Sends a webhook of the store with few contracts, because all of them are read. */
async function takeWebhook(running: RunningTemplate): Promise<void> {
  const store = running.stores[1] ?? firstStore(running);
  const { shop, shopId } = store;
  const clientSecret = randomBytes(16).toString('hex');
  await giveClientSecret(running, shopId, clientSecret);
  const answer = await again(() =>
    sendContractWebhook(running.baseUrl, { shop, clientSecret, contract: 11 }),
  );
  expect(answer.status).toBe(200);
  await giveEndingGrant(running, store, 'own-store');
  const event = { source: 'aws.scheduler' };
  await expect(running.runSchedule(event, undefined, 'store-events')).resolves.toBeNull();
}

/** There is no preview of the day: the run is put on hold, and charges nothing. */
async function findDueOrders(running: RunningTemplate): Promise<void> {
  const store = running.stores[1] ?? firstStore(running);
  await giveEndingGrant(running, store, 'own-store');
  await switchBillingOn(running, store.shopId, firstStore(running).shopId);
  await expect(running.runSchedule({}, undefined, 'billing')).resolves.toBeNull();
  // The second visit of a store without billing takes it out of the queue.
  await expect(running.runSchedule({}, 2 * 60_000, 'billing')).resolves.toBeNull();
}

async function deliverWebhooks(running: RunningTemplate): Promise<void> {
  const ids: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    ids.push(headers['webhook-id']);
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const journey = journeyOf(running);
  await runSteps([...preparationSteps, ...customerSteps.slice(0, 2)], journey);
  await giveEndpoint(running, firstStore(running).shopId, `http://127.0.0.1:${port}/`);
  const variables = { id: journey.saved.get('contract') ?? '' };
  for (const query of [PAUSE, RESUME]) await asMerchant(journey, { query, variables });
  await running.runSchedule({}, undefined, 'webhook-deliveries');
  server.close();
  expect(ids.length).toBeGreaterThan(0);
}
