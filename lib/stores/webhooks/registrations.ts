/**
 * The registrations of the app's webhooks at the platform, by the API, for one store. The API does not show
 * registrations in the app's TOML file.
 */
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type AdminAnswer, isAccessDenied } from '../../platform/admin-api/admin-answer.ts';
import { accessNotGrantedError } from '../../platform/admin-api/missing-access.ts';

export type Registration = {
  readonly id: string;
  /** The topic in the platform's GraphQL enum, for example `SUBSCRIPTION_CONTRACTS_UPDATE`. */
  readonly topic: string;
  readonly uri: string;
  /** Whether the registration sends all webhooks of its topic, with all fields, as JSON. */
  readonly isWhole: boolean;
};

/** A query or mutation for the store's Admin API. */
type RegistrationsRequest = {
  readonly document: string;
  readonly variables: JsonObject;
  readonly mutates: boolean;
};
/** Sends the query or mutation. Throws the errors of the Admin API client. */
export type SendForStore = (request: RegistrationsRequest) => Promise<AdminAnswer>;

const LIST_DOCUMENT = `query WebhookRegistrations($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri format filter includeFields }
    pageInfo { hasNextPage endCursor }
  }
}`;
const CREATE_DOCUMENT = `mutation WebhookRegister($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) { userErrors { message } }
}`;
const DELETE_DOCUMENT = `mutation WebhookUnregister($id: ID!) {
  webhookSubscriptionDelete(id: $id) { userErrors { message } }
}`;
const MAX_PAGES = 10;

/** Returns all registrations of the app in this store. */
export async function listRegistrations(send: SendForStore): Promise<Registration[]> {
  const found: Registration[] = [];
  let after: unknown = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const data = await sendRegistrationRequest(send, {
      document: LIST_DOCUMENT,
      variables: { after },
      mutates: false,
    });
    const { nodes, pageInfo } = toObject(data.webhookSubscriptions);
    for (const node of Array.isArray(nodes) ? nodes : []) found.push(toRegistration(toObject(node)));
    const { hasNextPage, endCursor } = toObject(pageInfo);
    if (hasNextPage !== true) break;
    after = endCursor;
  }
  return found;
}

/**
 * Registers a topic for a URL. Accepts that it is already registered.
 * @returns the platform's message when it refuses, else undefined
 */
export async function registerTopic(
  send: SendForStore,
  { topic, uri }: Pick<Registration, 'topic' | 'uri'>,
): Promise<string | undefined> {
  const variables = { topic, input: { uri, format: 'JSON' } };
  const data = await sendRegistrationRequest(send, { document: CREATE_DOCUMENT, variables, mutates: true });
  const refusal = findRefusalText(data.webhookSubscriptionCreate);
  return refusal?.includes('already been taken') ? undefined : refusal;
}

/** Removes a registration. Accepts that it no longer exists. */
export async function removeRegistration(
  send: SendForStore,
  { id }: Pick<Registration, 'id'>,
): Promise<void> {
  await sendRegistrationRequest(send, { document: DELETE_DOCUMENT, variables: { id }, mutates: true });
}

async function sendRegistrationRequest(
  send: SendForStore,
  request: RegistrationsRequest,
): Promise<JsonObject> {
  const { data, errors } = await send(request);
  if (errors.length > 0 && errors.every(isAccessDenied)) throw accessNotGrantedError(errors);
  if (data === null || errors.length > 0)
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
      internal: `the platform answered an error about webhooks: ${errors[0]?.message ?? 'no data'}`,
    });
  return data;
}

function findRefusalText(payload: unknown): string | undefined {
  const { userErrors } = toObject(payload);
  const [first] = Array.isArray(userErrors) ? userErrors : [];
  return first === undefined ? undefined : String(toObject(first).message);
}

function toRegistration({ id, topic, uri, format, filter, includeFields }: JsonObject): Registration {
  const hasAllFields = !Array.isArray(includeFields) || includeFields.length === 0;
  return {
    id: String(id),
    topic: String(topic),
    uri: String(uri),
    isWhole: format === 'JSON' && !filter && hasAllFields,
  };
}

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
