/**
 * The webhooks of a store are registered by the API, or named in the app's TOML; never both, or everything would come
 * twice. Which way it is stands on the store, so that what the platform deletes after failures is made again.
 */
import type { SendWithinBudget } from '../../platform/admin-api/store-budget.ts';
import { type StoreRecord, storeKey, type WebhookWay } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { registeredTopics, topicEnum } from '../../webhooks/in/registered-topics.ts';
import { listRegistrations, register, type SendForStore, unregister } from './registrations.ts';

type Deps = { readonly sendWithinBudget: SendWithinBudget };
export type WebhookPlace = {
  readonly store: StoreRecord;
  /** Where the service takes webhooks. */
  readonly uri: string;
  /** Epoch milliseconds. */
  readonly endAtMs: number;
};
type Registered = {
  /** The topics that were not registered before. */
  readonly made: readonly string[];
  /** The topics that the platform refused, with its words. */
  readonly refused: readonly { readonly topic: string; readonly reason: string }[];
};

/**
 * Registers by the API what is not registered there, and anew what was registered with a filter. Repeating it is safe.
 * Errors: the Admin API client's, and THROTTLED.
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

/** Takes back what was registered by the API, and tells how many it were. The same errors. */
export async function unregisterWebhooks(deps: Deps, place: WebhookPlace): Promise<number> {
  const send = sendFor(deps, place);
  const own = (await listRegistrations(send)).filter(({ uri }) => uri === place.uri);
  for (const each of own) await unregister(send, each);
  return own.length;
}

/** Notes on the store which way its webhooks come. That the store is gone is no error. */
export async function noteWebhookWay(
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
