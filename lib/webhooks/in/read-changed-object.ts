/**
 * Reads the object that a webhook reports. Topic and shop are headers and not signed, and several shops of an
 * organisation may share a secret. So the signed body must have the ids that its topic requires, and name the store
 * if bodies of the topic do.
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
type ReadObjectOfBody = (webhook: ReceivedWebhook) => ChangedObject | undefined;

const parseContractOfBody: ReadObjectOfBody = (webhook) =>
  toChangedObject('contracts', parseMatchingId(webhook, 'SubscriptionContract'));
const parseContractOfCycle: ReadObjectOfBody = ({ body }) =>
  Number.isSafeInteger(body.cycle_index)
    ? toChangedObject('contracts', parsePlatformNumber(body.subscription_contract_id))
    : undefined;
const parseContractOfAttempt: ReadObjectOfBody = (webhook) =>
  parsePlatformNumber(webhook.body.subscription_contract_id) === undefined
    ? undefined
    : toChangedObject('attempts', parseMatchingId(webhook, 'SubscriptionBillingAttempt'));
const parsePaymentMethodOfBody: ReadObjectOfBody = ({ body, namespace }) =>
  parsePlatformNumber(body.customer_id) === undefined
    ? undefined
    : toChangedObject(
        'payment-methods',
        parseIdAfterPrefix(body.admin_graphql_api_id, `gid://${namespace}/CustomerPaymentMethod/`),
      );

const readersByTopic: Readonly<Record<string, ReadObjectOfBody>> = {
  ...readersByTopicOfResource(
    'subscription_contracts',
    ['create', 'update', 'activate', 'pause', 'cancel', 'expire', 'fail'],
    parseContractOfBody,
  ),
  ...readersByTopicOfResource('subscription_billing_cycles', ['skip', 'unskip'], parseContractOfCycle),
  ...readersByTopicOfResource(
    'subscription_billing_cycle_edits',
    ['create', 'update', 'delete'],
    parseContractOfCycle,
  ),
  ...readersByTopicOfResource(
    'subscription_billing_attempts',
    ['success', 'failure', 'challenged'],
    parseContractOfAttempt,
  ),
  ...readersByTopicOfResource(
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

/** The topics that are processed. */
export const PROCESSED_TOPICS: readonly string[] = Object.keys(readersByTopic);

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
  const read = Object.hasOwn(readersByTopic, topic) ? readersByTopic[topic] : undefined;
  return read === undefined ? 'unknown' : read({ body, store, namespace: gidNamespace });
}

function readersByTopicOfResource(resource: string, actions: readonly string[], read: ReadObjectOfBody) {
  return Object.fromEntries(actions.map((action) => [`${resource}/${action}`, read]));
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
  const isRedactOfRequest = topicGroup === 'customer-redact' && request !== undefined;
  if (!isComplianceOfShop(webhook) || customerId === undefined || isRedactOfRequest) return undefined;
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

/** Returns the number of an object whose two ids agree. */
function parseMatchingId({ body, namespace }: ReceivedWebhook, type: string): string | undefined {
  const objectNumber = parsePlatformNumber(body.id);
  return body.admin_graphql_api_id === `gid://${namespace}/${type}/${objectNumber}`
    ? objectNumber
    : undefined;
}

/** Parses an id of the platform, a number or text. An inexact number would be another object's id. */
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
