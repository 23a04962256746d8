/**
 * Registers a store's webhooks by the API, unless the app's TOML file does: with both, every webhook would arrive
 * twice. The store's item records which of the two applies, so that webhooks that the platform deletes after failures
 * are registered again.
 */
import type { SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { type StoreRecord, storeItemKey, type WebhookRegistrationMethod } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { TOPICS_TO_REGISTER, topicEnumName } from '../../webhooks/in/webhook-registration.ts';
import {
  listWebhookRegistrations,
  registerWebhookTopic,
  removeWebhookRegistration,
  type SendToStore,
} from './webhook-registrations.ts';

type Deps = { readonly sendWithinBudget: SendWithinBudget };
export type WebhookRegistrationTarget = {
  readonly store: StoreRecord;
  /** The URL of the service's endpoint for the platform's webhooks. */
  readonly uri: string;
  /** When to stop waiting for the store's points, epoch milliseconds. */
  readonly endAtMs: number;
};
type WebhookRegistrationResult = {
  /** The topics that were registered now. */
  readonly registeredTopics: readonly string[];
  /** The topics that the platform refused, with its messages. */
  readonly refused: readonly { readonly topic: string; readonly reason: string }[];
};

/**
 * Registers all missing topics by the API, and replaces registrations that do not send every webhook in full. Can be
 * repeated.
 * @throws the errors of the Admin API client
 * @throws THROTTLED when the store's points do not become available in time
 */
export async function registerWebhooks(
  deps: Deps,
  target: WebhookRegistrationTarget,
): Promise<WebhookRegistrationResult> {
  const sendToStore = createSendToStore(deps, target);
  const { uri } = target;
  const ownRegistrations = (await listWebhookRegistrations(sendToStore)).filter((each) => each.uri === uri);
  for (const partialRegistration of ownRegistrations.filter(({ isComplete: isWhole }) => !isWhole))
    await removeWebhookRegistration(sendToStore, partialRegistration);
  const registeredTopics = new Set(
    ownRegistrations.filter(({ isComplete: isWhole }) => isWhole).map(({ topic }) => topic),
  );
  const newTopics: string[] = [];
  const refusedRegistrations: { topic: string; reason: string }[] = [];
  for (const topic of TOPICS_TO_REGISTER.filter((each) => !registeredTopics.has(topicEnumName(each)))) {
    const refusalReason = await registerWebhookTopic(sendToStore, { topic: topicEnumName(topic), uri });
    if (refusalReason === undefined) newTopics.push(topic);
    else refusedRegistrations.push({ topic, reason: refusalReason });
  }
  return { registeredTopics: newTopics, refused: refusedRegistrations };
}

/**
 * Removes the registrations by the API. Returns how many there were.
 * @throws the same errors as `registerWebhooks`
 */
export async function unregisterWebhooks(deps: Deps, target: WebhookRegistrationTarget): Promise<number> {
  const sendToStore = createSendToStore(deps, target);
  const ownRegistrations = (await listWebhookRegistrations(sendToStore)).filter(
    ({ uri }) => uri === target.uri,
  );
  for (const each of ownRegistrations) await removeWebhookRegistration(sendToStore, each);
  return ownRegistrations.length;
}

/** Records in the store's item how its webhooks are registered. Does nothing if the store no longer exists. */
export async function recordWebhookRegistrationMethod(
  table: Pick<Table, 'update'>,
  { shopId }: Pick<StoreRecord, 'shopId'>,
  method: WebhookRegistrationMethod,
): Promise<void> {
  await table.update({
    key: storeItemKey(shopId),
    update: 'SET webhookWay = :way',
    condition: 'attribute_exists(pk)',
    values: { ':way': method },
  });
}

function createSendToStore(
  { sendWithinBudget }: Deps,
  { store, endAtMs }: WebhookRegistrationTarget,
): SendToStore {
  return (request) => sendWithinBudget({ ...request, store, endAtMs, costKey: request.document });
}
