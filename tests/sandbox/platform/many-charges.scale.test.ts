/**
 * A store of many subscriptions, all charged in one hour: each is created, polled, and sends its webhook, and the last
 * ones take no longer than the first ones.
 */
import { afterEach, expect, test } from '@jest/globals';
import { addRequestedSeeds } from '../../../sandbox/platform/state/seed/seed-from-request.ts';
import { KNOWN_TOPICS } from '../../../sandbox/platform/state/webhook-topics.ts';
import { NO_WEBHOOK_FAULTS } from '../../../sandbox/platform/webhooks/webhook-queue.ts';
import { createWebhooks } from '../../../sandbox/platform/webhooks/webhooks.ts';
import { fullSize, isFullSize } from '../../full-size.ts';
import { dayMs, harbor, type Json, newPlatform } from './admin/harness.ts';

const CHARGES = fullSize(100_000);
const CHARGES_PER_DOCUMENT = 10;
/** Other work of the machine makes single parts several times slower; a scan makes them slower by the store's size. */
const MAX_SLOWDOWN = 6;
const positions = Array.from({ length: CHARGES_PER_DOCUMENT }, (_, at) => at);

const cycleOf = (at: number) => `billingCycleInput: { contractId: $id${at}, selector: { index: 1 } }`;
const POLL = `query(${positions.map((at) => `$id${at}: ID!`)}) { ${positions.map(
  (at) =>
    `c${at}: subscriptionBillingCycle(${cycleOf(at)}) { status billingAttempts(first: 11) { nodes { state { __typename } } } }`,
)} }`;
const CHARGE = `mutation(${positions.map((at) => `$id${at}: ID! $key${at}: String!`)}) { ${positions.map(
  (
    at,
  ) => `c${at}: subscriptionBillingAttemptCreate(subscriptionContractId: $id${at}, subscriptionBillingAttemptInput: {
    idempotencyKey: $key${at}, billingCycleSelector: { index: 1 }, inventoryPolicy: ALLOW_OVERSELLING }) { userErrors { code } }`,
)} }`;

let clear = () => {};
afterEach(() => clear());

function start() {
  const platform = newPlatform({ customers: 100 });
  const store = platform.store();
  const { holder } = platform;
  const webhooks = createWebhooks({
    ...{ state: () => holder.state, clock: { now: () => holder.nowMs }, origin: '' },
    ...{ grants: new Map(), onChange: () => undefined },
  });
  clear = webhooks.reset;
  webhooks.webhookQueue.setRandomFaults({ ...NO_WEBHOOK_FAULTS, isHeld: true });
  const topics = [...KNOWN_TOPICS];
  store.appWebhooks = { uri: 'http://127.0.0.1:9', topics, complianceTopics: [], apiVersion: '2026-07' };
  store.throttle = { maximumAvailable: 1e9, restoreRate: 1e9 };
  const plan = [...store.sellingPlans.values()].find(
    ({ billingPolicy }) => billingPolicy.interval === 'WEEK',
  );
  const [customers, [variantId = 0]] = [[...store.customers.keys()], [...store.variants.keys()]];
  const createdMs = holder.nowMs - 7 * dayMs - 3_600_000;
  const subscriptions = Array.from({ length: CHARGES }, (_, at) => ({
    ...{ id: 9_900_000 + at, customerId: customers[at % customers.length] ?? 0, createdMs },
    ...{ planId: plan?.id ?? 0, lines: [[variantId, 1] as [number, number]] },
  }));
  addRequestedSeeds(store, { subscriptions }, holder.nowMs);
  webhooks.enqueueChanges(harbor);
  return { platform, store, webhooks };
}

test(`charges ${CHARGES} orders, and the last ones take no longer than the first ones`, async () => {
  const { platform, store, webhooks } = start();
  // One of a hundred waits for a 3-D Secure in the meantime.
  store.outcomes = [
    { answer: 'ACTION_REQUIRED', delaySeconds: 0, count: CHARGES / 100, confirmSeconds: 86_400 },
    { delaySeconds: 300 },
  ];
  const send = async (document: string, from: number) => {
    const numbers = positions.map((at) => 9_900_000 + from + at);
    const ids = numbers.map((id, at) => [`id${at}`, `gid://shopify/SubscriptionContract/${id}`]);
    const keys = numbers.map((id, at) => [`key${at}`, String(id)]);
    const payloads: Json[] = Object.values(
      await platform.data(document, Object.fromEntries([...ids, ...keys])),
    );
    webhooks.enqueueChanges(harbor);
    return payloads;
  };
  const tenth = CHARGES / 10;
  const partMs: number[] = [];
  for (let from = 0; from < CHARGES; from += tenth) {
    const startMs = performance.now();
    for (let next = from; next < from + tenth; next += CHARGES_PER_DOCUMENT) {
      const charged = await send(CHARGE, next);
      expect(charged.flatMap(({ userErrors }) => userErrors)).toEqual([]);
      await send(POLL, next);
      platform.holder.nowMs += 100;
    }
    partMs.push(performance.now() - startMs);
  }
  platform.holder.nowMs += 300_000;
  const settlingStartMs = performance.now();
  webhooks.enqueueChanges(harbor);
  partMs.push(performance.now() - settlingStartMs);
  const sent = webhooks.webhookQueue
    .list()
    .filter(({ webhook }) => /attempts\/(success|failure)$/.test(webhook.topic));
  // One of the customers has a card that is declined.
  expect(sent.length).toBe(0.99 * CHARGES);
  expect(platform.holder.state.mails.length).toBe(CHARGES / 100);
  const [cycle] = await send(POLL, CHARGES - CHARGES_PER_DOCUMENT);
  expect(cycle.status).toBe('BILLED');
  if (!isFullSize) return;
  const [first = 0] = partMs;
  console.info(`Milliseconds of each tenth, and of the end: ${partMs.map(Math.round).join(' ')}`);
  expect(Math.max(...partMs)).toBeLessThan(MAX_SLOWDOWN * first);
});
