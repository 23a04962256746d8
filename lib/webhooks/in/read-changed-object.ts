/**
 * Reads which object a platform webhook reports as changed. Topic and shop are headers, which are not signed, and several
 * shops of an organisation may share a secret. So the signed body must have the ids that its topic requires, and must name
 * the store if bodies of that topic do.
 */
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts';
import type { ChangedObject, TopicGroup } from '../../storage/inbox/inbox.ts';
import type { StoreRecord } from '../../storage/stores.ts';

export type StoreOfWebhook = Pick<StoreRecord, 'shopId' | 'domain'>;

type Deps = { readonly platformGidNamespace: string };
type ReceivedWebhook = {
  readonly body: JsonObject;
  readonly store: StoreOfWebhook;
  /** The namespace of the platform's global ids. */
  readonly namespace: string;
};
/** @returns undefined when the body does not belong to the topic, or to the shop */
type ReadObject = (webhook: ReceivedWebhook) => ChangedObject | undefined;

const parseContractOfBody: ReadObject = (webhook) =>
  toChangedObject('contracts', parseMatchingId(webhook, 'SubscriptionContract'));
const parseContractOfCycle: ReadObject = ({ body }) =>
  Number.isSafeInteger(body.cycle_index)
    ? toChangedObject('contracts', parsePlatformNumber(body.subscription_contract_id))
    : undefined;
const parseContractOfAttempt: ReadObject = (webhook) =>
  parsePlatformNumber(webhook.body.subscription_contract_id) === undefined
    ? undefined
    : toChangedObject('attempts', parseMatchingId(webhook, 'SubscriptionBillingAttempt'));
const parsePaymentMethodOfBody: ReadObject = ({ body, namespace }) =>
  parsePlatformNumber(body.customer_id) === undefined
    ? undefined
    : toChangedObject(
        'payment-methods',
        parseIdAfterPrefix(body.admin_graphql_api_id, `gid://${namespace}/CustomerPaymentMethod/`),
      );

const READ_OBJECT_BY_TOPIC: Readonly<Record<string, ReadObject>> = {
  ...createReadersOfResource(
    'subscription_contracts',
    ['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'],
    parseContractOfBody,
  ),
  ...createReadersOfResource('subscription_billing_cycles', ['skip', 'unskip'], parseContractOfCycle),
  ...createReadersOfResource(
    'subscription_billing_cycle_edits',
    ['create', 'update', 'delete'],
    parseContractOfCycle,
  ),
  ...createReadersOfResource(
    'subscription_billing_attempts',
    ['success', 'failure', 'challenged'],
    parseContractOfAttempt,
  ),
  ...createReadersOfResource(
    'customer_payment_methods',
    ['create', 'update', 'revoke'],
    parsePaymentMethodOfBody,
  ),
  'app/uninstalled': (webhook) => parseStoreAsObject('app', webhook),
  'app/scopes_update': (webhook) =>
    isStoreOfWebhook(webhook, webhook.body.shop_id)
      ? toChangedObject('scopes', `${webhook.store.shopId}`)
      : undefined,
  'shop/update': (webhook) => parseStoreAsObject('shop', webhook),
  'shop/redact': (webhook) =>
    isComplianceOfShop(webhook) && !bodyNamesCustomer(webhook)
      ? toChangedObject('shop-redact', `${webhook.store.shopId}`)
      : undefined,
  'customers/redact': (webhook) =>
    Array.isArray(webhook.body.orders_to_redact)
      ? parseCustomerOfBody('customer-redact', webhook)
      : undefined,
  'customers/data_request': (webhook) => parseCustomerOfBody('data-request', webhook),
};

/** The topics of the platform whose webhooks are processed. */
export const PROCESSED_TOPICS: readonly string[] = Object.keys(READ_OBJECT_BY_TOPIC);

/**
 * Returns the object that the webhook reports; `unknown` for an unknown topic.
 * @returns undefined when the body belongs to another topic or shop
 */
export function readChangedObject(
  { platformGidNamespace: gidNamespace }: Deps,
  {
    topic,
    body,
    store,
  }: { readonly topic: string; readonly body: JsonObject; readonly store: StoreOfWebhook },
): ChangedObject | 'unknown' | undefined {
  const readObject = Object.hasOwn(READ_OBJECT_BY_TOPIC, topic) ? READ_OBJECT_BY_TOPIC[topic] : undefined;
  return readObject === undefined ? 'unknown' : readObject({ body, store, namespace: gidNamespace });
}

function createReadersOfResource(resource: string, actions: readonly string[], readObject: ReadObject) {
  return Object.fromEntries(actions.map((action) => [`${resource}/${action}`, readObject]));
}

function toChangedObject(topicGroup: TopicGroup, object: string | undefined): ChangedObject | undefined {
  return object === undefined ? undefined : { topicGroup, object };
}

/** Returns the store as the changed object: the webhook's body is the shop itself, so the store has one inbox item. */
function parseStoreAsObject(topicGroup: TopicGroup, webhook: ReceivedWebhook): ChangedObject | undefined {
  const isStoreItself =
    isStoreOfWebhook(webhook, webhook.body.id) && webhook.body.myshopify_domain === webhook.store.domain;
  return isStoreItself ? toChangedObject(topicGroup, `${webhook.store.shopId}`) : undefined;
}

function isStoreOfWebhook({ store }: ReceivedWebhook, shopId: unknown): boolean {
  return parsePlatformNumber(shopId) === `${store.shopId}`;
}

function isComplianceOfShop(webhook: ReceivedWebhook): boolean {
  return isStoreOfWebhook(webhook, webhook.body.shop_id) && webhook.body.shop_domain === webhook.store.domain;
}

/**
 * A redaction has one item for each customer, a data request one for each request. The ids come from the signed body,
 * so duplicates share an item.
 */
function parseCustomerOfBody(
  topicGroup: 'customer-redact' | 'data-request',
  webhook: ReceivedWebhook,
): ChangedObject | undefined {
  const { customer, data_request: request } = webhook.body;
  const customerId = isJsonObject(customer) ? parsePlatformNumber(customer.id) : undefined;
  const requestId = isJsonObject(request) ? parsePlatformNumber(request.id) : undefined;
  const objectId = topicGroup === 'data-request' ? requestId : customerId;
  const isRedactionOfDataRequest = topicGroup === 'customer-redact' && request !== undefined;
  if (!isComplianceOfShop(webhook) || customerId === undefined || isRedactionOfDataRequest) return undefined;
  return objectId === undefined ? undefined : { topicGroup, object: objectId, customerId };
}

/**
 * Whether the body names a customer. The bodies of customers' redactions also contain all fields of a shop's redaction.
 */
function bodyNamesCustomer({ body }: ReceivedWebhook): boolean {
  return ['customer', 'data_request', 'orders_to_redact', 'orders_requested'].some((name) =>
    Object.hasOwn(body, name),
  );
}

/** Returns the number of the body's object, if its number and its global id agree. */
function parseMatchingId({ body, namespace }: ReceivedWebhook, type: string): string | undefined {
  const objectNumber = parsePlatformNumber(body.id);
  return body.admin_graphql_api_id === `gid://${namespace}/${type}/${objectNumber}`
    ? objectNumber
    : undefined;
}

/** Parses a numeric id of the platform, a number or a text. Refuses inexact numbers, which could be another object's id. */
function parsePlatformNumber(value: unknown): string | undefined {
  const text = typeof value === 'number' ? `${value}` : value;
  if (typeof text !== 'string' || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? text : undefined;
}

function parseIdAfterPrefix(value: unknown, prefix: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const id = value.slice(prefix.length);
  return /^[\w-]{1,255}$/.test(id) ? id : undefined;
}
