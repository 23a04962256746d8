/**
 * The registrations of the app's webhooks at the platform, by the API, for one store. The API does not show
 * registrations in the app's TOML file.
 */
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { type AdminResponse, isAccessDenied } from '../../platform/admin-api/admin-response.ts';
import { accessNotGrantedError } from '../../platform/admin-api/missing-access.ts';

export type WebhookRegistration = {
  readonly id: string;
  /** The topic in the platform's GraphQL enum, for example `SUBSCRIPTION_CONTRACTS_UPDATE`. */
  readonly topic: string;
  readonly uri: string;
  /** Whether the registration sends all webhooks of its topic, with all fields, as JSON. */
  readonly isComplete: boolean;
};

/** A query or mutation for the store's Admin API. */
type RegistrationsRequest = {
  readonly document: string;
  readonly variables: JsonObject;
  readonly mutates: boolean;
};
/** Sends the query or mutation. Throws the errors of the Admin API client. */
export type SendToStore = (request: RegistrationsRequest) => Promise<AdminResponse>;

const LIST_REGISTRATIONS_DOCUMENT = `query WebhookRegistrations($after: String) {
  webhookSubscriptions(first: 100, after: $after) {
    nodes { id topic uri format filter includeFields }
    pageInfo { hasNextPage endCursor }
  }
}`;
const CREATE_REGISTRATION_DOCUMENT = `mutation WebhookRegister($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) { userErrors { message } }
}`;
const DELETE_REGISTRATION_DOCUMENT = `mutation WebhookUnregister($id: ID!) {
  webhookSubscriptionDelete(id: $id) { userErrors { message } }
}`;
const MAX_REGISTRATION_PAGES = 10;

/** Returns all registrations of the app in this store. */
export async function listWebhookRegistrations(send: SendToStore): Promise<WebhookRegistration[]> {
  const registrations: WebhookRegistration[] = [];
  let afterCursor: unknown = null;
  for (let pageIndex = 0; pageIndex < MAX_REGISTRATION_PAGES; pageIndex++) {
    const data = await sendRegistrationRequest(send, {
      document: LIST_REGISTRATIONS_DOCUMENT,
      variables: { after: afterCursor },
      mutates: false,
    });
    const { nodes, pageInfo } = toJsonObject(data.webhookSubscriptions);
    for (const node of Array.isArray(nodes) ? nodes : [])
      registrations.push(toWebhookRegistration(toJsonObject(node)));
    const { hasNextPage, endCursor } = toJsonObject(pageInfo);
    if (hasNextPage !== true) break;
    afterCursor = endCursor;
  }
  return registrations;
}

/**
 * Registers a topic for a URL. Accepts that it is already registered.
 * @returns the platform's message when it refuses, else undefined
 */
export async function registerWebhookTopic(
  send: SendToStore,
  { topic, uri }: Pick<WebhookRegistration, 'topic' | 'uri'>,
): Promise<string | undefined> {
  const variables = { topic, input: { uri, format: 'JSON' } };
  const data = await sendRegistrationRequest(send, {
    document: CREATE_REGISTRATION_DOCUMENT,
    variables,
    mutates: true,
  });
  const refusalText = findRefusalText(data.webhookSubscriptionCreate);
  return refusalText?.includes('already been taken') ? undefined : refusalText;
}

/** Removes a registration. Accepts that it no longer exists. */
export async function removeWebhookRegistration(
  send: SendToStore,
  { id }: Pick<WebhookRegistration, 'id'>,
): Promise<void> {
  await sendRegistrationRequest(send, {
    document: DELETE_REGISTRATION_DOCUMENT,
    variables: { id },
    mutates: true,
  });
}

async function sendRegistrationRequest(
  send: SendToStore,
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
  const { userErrors } = toJsonObject(payload);
  const [firstError] = Array.isArray(userErrors) ? userErrors : [];
  return firstError === undefined ? undefined : String(toJsonObject(firstError).message);
}

function toWebhookRegistration({
  id,
  topic,
  uri,
  format,
  filter,
  includeFields,
}: JsonObject): WebhookRegistration {
  const sendsAllFields = !Array.isArray(includeFields) || includeFields.length === 0;
  return {
    id: String(id),
    topic: String(topic),
    uri: String(uri),
    isComplete: format === 'JSON' && !filter && sendsAllFields,
  };
}

function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
