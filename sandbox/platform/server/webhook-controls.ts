/** The controls of webhooks: the subscriptions of the app's TOML, the fault profile, the deliveries, and forgeries. */
import { randomUUID } from 'node:crypto';
import { InvalidControlInput, parseControlFields } from '../control/control-input.ts';
import { grantOfStore } from '../grants/app-grants.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { orderGroupOfCustomer } from '../state/add-order.ts';
import type { StoreState } from '../state/state.ts';
import { COMPLIANCE_TOPICS, type ComplianceTopic, KNOWN_TOPICS } from '../state/webhook-topics.ts';
import { deliverWebhook } from '../webhooks/deliver-webhook.ts';
import { NO_WEBHOOK_FAULTS, type WebhookFaultProfile } from '../webhooks/webhook-queue.ts';
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

const TOML_FIELDS = ['shop', 'uri', 'topics', 'complianceTopics', 'apiVersion'];

/** Sets the subscriptions of the app's TOML; `uri: null` removes them. */
export function setAppWebhooks(
  context: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, uri, apiVersion = '2026-07', ...topicFields } = parseControlFields(body, TOML_FIELDS);
  const store = storeOf(shop);
  if (uri !== null && (typeof uri !== 'string' || !URL.canParse(uri)))
    throw new InvalidControlInput('"uri" is an address, or null.');
  if (typeof apiVersion !== 'string')
    throw new InvalidControlInput('"apiVersion" is a text such as 2026-07.');
  const topics = parseTopicNames(topicFields.topics, KNOWN_TOPICS, 'topics');
  const compliance = parseTopicNames(topicFields.complianceTopics, COMPLIANCE_TOPICS, 'complianceTopics');
  store.appWebhooks = uri === null ? null : { uri, topics, complianceTopics: compliance, apiVersion };
  context.webhooks.enqueueChanges(store.shop);
  context.stateChanged();
}

function parseTopicNames(givenNames: unknown, knownNames: readonly string[], name: string): string[] {
  if (givenNames === undefined) return [...knownNames];
  if (Array.isArray(givenNames) && givenNames.every((each) => knownNames.includes(each))) return givenNames;
  throw new InvalidControlInput(`"${name}" is a list of: ${knownNames.join(', ')}.`);
}

/** Sets the fault profile; omitted faults do not occur. */
export function setRandomFaults({ webhooks }: PlatformContext, { body }: PlatformRequest): unknown {
  const faultFields = parseControlFields(body, Object.keys(NO_WEBHOOK_FAULTS));
  for (const [name, value] of Object.entries(faultFields)) {
    const expectedType = typeof NO_WEBHOOK_FAULTS[name as keyof WebhookFaultProfile];
    if (typeof value !== expectedType) throw new InvalidControlInput(`"${name}" is a ${expectedType}.`);
  }
  const faultProfile: WebhookFaultProfile = { ...NO_WEBHOOK_FAULTS, ...faultFields };
  webhooks.webhookQueue.setRandomFaults(faultProfile);
  return faultProfile;
}

/** Records new events and sends all webhooks that are due. Responds after the last delivery. */
export async function sendWebhooks(
  { webhooks }: PlatformContext,
  { body }: PlatformRequest,
): Promise<unknown> {
  parseControlFields(body, []);
  webhooks.enqueueChanges();
  return { sent: await webhooks.webhookQueue.sendDue() };
}

export function sendCompliance(
  { webhooks, state }: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): void {
  const { shop, topic, customerId } = parseControlFields(body, ['shop', 'topic', 'customerId']);
  if (!COMPLIANCE_TOPICS.includes(topic as ComplianceTopic))
    throw new InvalidControlInput(`"topic" is one of: ${COMPLIANCE_TOPICS.join(', ')}.`);
  const store = storeOf(shop);
  if (topic === 'shop/redact') {
    webhooks.sendCompliance(store, topic);
    return;
  }
  const customer = state().stores.get(store.shop)?.customers.get(Number(customerId));
  if (customer === undefined)
    throw new InvalidControlInput('"customerId" is the number of one of its customers.');
  const { id, email, phone } = customer;
  const orders = store.orders.inGroup(orderGroupOfCustomer(id)).map((order) => order.id);
  const payloadFields =
    topic === 'customers/redact'
      ? { orders_to_redact: orders }
      : { orders_requested: orders, data_request: { id: Number(`9${id}`) } };
  webhooks.sendCompliance(store, topic as ComplianceTopic, {
    customer: { id, email, phone },
    ...payloadFields,
  });
}

const FORGED_WEBHOOK_FIELDS = ['uri', 'shop', 'topic', 'body', 'secretOf', 'apiVersion'];

/** Sends a forged webhook. `secretOf` names the shop whose secret signs it; without it an unknown secret signs. */
export async function forgeWebhook(
  { grants }: PlatformContext,
  { body }: PlatformRequest,
  storeOf: (shop: unknown) => StoreState,
): Promise<unknown> {
  const forgedFields = parseControlFields(body, FORGED_WEBHOOK_FIELDS);
  const { uri, shop, topic, secretOf, apiVersion = '2026-07' } = forgedFields;
  const webhookTexts = { uri, shop, topic, body: forgedFields.body, apiVersion };
  const missingField = Object.entries(webhookTexts).find(([, value]) => typeof value !== 'string');
  if (missingField !== undefined) throw new InvalidControlInput(`"${missingField[0]}" is a text.`);
  const secret = secretOf === undefined ? 'forged' : grantOfStore(grants, storeOf(secretOf)).clientSecret;
  const ids = { webhookId: randomUUID(), eventId: randomUUID(), triggeredAt: new Date().toISOString() };
  const responseStatus = await deliverWebhook(
    { ...(webhookTexts as Record<keyof typeof webhookTexts, string>), ...ids },
    secret,
  );
  return { status: responseStatus ?? null };
}
