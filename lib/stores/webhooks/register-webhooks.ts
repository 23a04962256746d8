/**
 * Registers a store's webhooks by the API, unless the app's TOML does; never both, because every webhook would come
 * twice. The store records the way, so that webhooks that the platform deletes after failures are registered again.
 */
import type { SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
import { type StoreRecord, storeKey, type WebhookWay } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { registeredTopics, topicEnum } from '../../webhooks/in/registered-topics.ts';
import { listRegistrations, register, type SendForStore, unregister } from './registrations.ts';

type Deps = { readonly sendWithinBudget: SendWithinBudget };
export type WebhookPlace = {
  readonly store: StoreRecord;
  /** The URL of the service's webhook endpoint. */
  readonly uri: string;
  /** Epoch milliseconds. */
  readonly endAtMs: number;
};
type Registered = {
  /** The topics that were not registered before. */
  readonly made: readonly string[];
  /** The topics that the platform refused, with its messages. */
  readonly refused: readonly { readonly topic: string; readonly reason: string }[];
};

/**
 * Registers the missing topics by the API, and replaces registrations with a filter. Can be repeated.
 * @throws the Admin API client's errors, THROTTLED
 */
export async function registerWebhooks(deps: Deps, place: WebhookPlace): Promise<Registered> {
  const send = sendFor(deps, place);
  const { uri } = place;
  const own = (await listRegistrations(send)).filter((each) => each.uri === uri);
  for (const partial of own.filter(({ isWhole }) => !isWhole)) await unregister(send, partial);
  const there = new Set(own.filter(({ isWhole }) => isWhole).map(({ topic }) => topic));
  const made: string[] = [];
  const refused: { topic: string; reason: string }[] = [];
  for (const topic of registeredTopics.filter((each) => !there.has(topicEnum(each)))) {
    const reason = await register(send, { topic: topicEnum(topic), uri });
    if (reason === undefined) made.push(topic);
    else refused.push({ topic, reason });
  }
  return { made, refused };
}

/**
 * Removes the registrations by the API, and returns how many there were.
 * @throws as `registerWebhooks`
 */
export async function unregisterWebhooks(deps: Deps, place: WebhookPlace): Promise<number> {
  const send = sendFor(deps, place);
  const own = (await listRegistrations(send)).filter(({ uri }) => uri === place.uri);
  for (const each of own) await unregister(send, each);
  return own.length;
}

/** Records in the store how its webhooks are registered. Does nothing if the store no longer exists. */
export async function recordWebhookWay(
  table: Pick<Table, 'update'>,
  { shopId }: Pick<StoreRecord, 'shopId'>,
  way: WebhookWay,
): Promise<void> {
  await table.update({
    key: storeKey(shopId),
    update: 'SET webhookWay = :way',
    condition: 'attribute_exists(pk)',
    values: { ':way': way },
  });
}

function sendFor({ sendWithinBudget }: Deps, { store, endAtMs }: WebhookPlace): SendForStore {
  return (request) => sendWithinBudget({ ...request, store, endAtMs, costKey: request.document });
}
