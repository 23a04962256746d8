/** The controls of webhooks: the subscriptions of the app's TOML, the fault profile, the deliveries, and forgeries. */
import { randomUUID } from 'node:crypto';
import { BadControlInput, fieldsOf } from '../control/control-input.ts';
import { appGrantOf } from '../grants/app-grants.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import type { StoreState } from '../state/state.ts';
import { type ComplianceTopic, complianceTopics, knownTopics } from '../state/webhook-topics.ts';
import { deliverWebhook } from '../webhooks/deliver-webhook.ts';
import { type FaultProfile, noFaults } from '../webhooks/webhook-queue.ts';
import type { PlatformContext } from './platform-context.ts';

/** Returns the deliveries, oldest first, with the shop's subscriptions. */
export function listWebhooks({ webhooks, state }: PlatformContext): unknown {
  return {
    deliveries: webhooks.webhookQueue.list().map(({ webhook, dueMs, ...delivery }) => ({
      ...webhook,
      ...delivery,
      dueAt: new Date(dueMs).toISOString(),
    })),
    subscriptions: [...state().stores.values()].flatMap(({ shop, webhookSubscriptions }) =>
      [...(webhookSubscriptions?.values() ?? [])].map((each) => ({ shop, ...each })),
    ),
  };
}

const tomlFields = ['shop', 'uri', 'topics', 'complianceTopics', 'apiVersion'];

/** Sets the subscriptions of the app's TOML; `uri: null` removes them. */
export function setAppWebhooks(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, uri, apiVersion = '2026-07', ...more } = fieldsOf(body, tomlFields);
  const store = storeOf(shop);
  if (uri !== null && (typeof uri !== 'string' || !URL.canParse(uri)))
    throw new BadControlInput('"uri" is an address, or null.');
  if (typeof apiVersion !== 'string') throw new BadControlInput('"apiVersion" is a text such as 2026-07.');
  const topics = readNames(more.topics, knownTopics, 'topics');
  const compliance = readNames(more.complianceTopics, complianceTopics, 'complianceTopics');
  store.appWebhooks = uri === null ? null : { uri, topics, complianceTopics: compliance, apiVersion };
  context.webhooks.notice(store.shop);
  context.stateChanged();
}

function readNames(given: unknown, known: readonly string[], name: string): string[] {
  if (given === undefined) return [...known];
  if (Array.isArray(given) && given.every((each) => known.includes(each))) return given;
  throw new BadControlInput(`"${name}" is a list of: ${known.join(', ')}.`);
}

/** Sets the fault profile; omitted faults do not occur. */
export function setFaultProfile({ webhooks }: PlatformContext, { body }: PlatformRequest): unknown {
  const given = fieldsOf(body, Object.keys(noFaults));
  for (const [name, value] of Object.entries(given)) {
    const kind = typeof noFaults[name as keyof FaultProfile];
    if (typeof value !== kind) throw new BadControlInput(`"${name}" is a ${kind}.`);
  }
  const faultProfile: FaultProfile = { ...noFaults, ...given };
  webhooks.webhookQueue.setFaultProfile(faultProfile);
  return faultProfile;
}

/** Records new events and sends all webhooks that are due. Responds after the last delivery. */
export async function sendWebhooks(
  { webhooks }: PlatformContext,
  { body }: PlatformRequest,
): Promise<unknown> {
  fieldsOf(body, []);
  webhooks.notice();
  return { sent: await webhooks.webhookQueue.sendDue() };
}

export function sendCompliance(
  { webhooks, state }: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, topic, customerId } = fieldsOf(body, ['shop', 'topic', 'customerId']);
  if (!complianceTopics.includes(topic as ComplianceTopic))
    throw new BadControlInput(`"topic" is one of: ${complianceTopics.join(', ')}.`);
  const store = storeOf(shop);
  if (topic === 'shop/redact') {
    webhooks.sendCompliance(store, topic);
    return;
  }
  const customer = state().stores.get(store.shop)?.customers.get(Number(customerId));
  if (customer === undefined)
    throw new BadControlInput('"customerId" is the number of one of its customers.');
  const { id, email, phone } = customer;
  const orders = [...store.orders.values()]
    .filter((order) => order.customerId === id)
    .map((order) => order.id);
  const more =
    topic === 'customers/redact'
      ? { orders_to_redact: orders }
      : { orders_requested: orders, data_request: { id: Number(`9${id}`) } };
  webhooks.sendCompliance(store, topic as ComplianceTopic, { customer: { id, email, phone }, ...more });
}

const forgedFields = ['uri', 'shop', 'topic', 'body', 'secretOf', 'apiVersion'];

/** Sends a forged webhook. `secretOf` names the shop whose secret signs it; without it an unknown secret signs. */
export async function forgeWebhook(
  { grants }: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): Promise<unknown> {
  const given = fieldsOf(body, forgedFields);
  const { uri, shop, topic, secretOf, apiVersion = '2026-07' } = given;
  const texts = { uri, shop, topic, body: given.body, apiVersion };
  const missing = Object.entries(texts).find(([, value]) => typeof value !== 'string');
  if (missing !== undefined) throw new BadControlInput(`"${missing[0]}" is a text.`);
  const secret = secretOf === undefined ? 'forged' : appGrantOf(grants, storeOf(secretOf)).clientSecret;
  const ids = { webhookId: randomUUID(), eventId: randomUUID(), triggeredAt: new Date().toISOString() };
  const status = await deliverWebhook({ ...(texts as Record<keyof typeof texts, string>), ...ids }, secret);
  return { status: status ?? null };
}
