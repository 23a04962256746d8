/**
 * The endpoints of a store's own servers, at most five, as the store's admin key configures them. The delivery worker's state
 * of an endpoint has its own item, so that configuration and state do not overwrite each other.
 */
import type { Brand } from '../domain/brand.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../storage/table.ts';
import type { WebhookEventType } from '../timeline/event-type.ts';
import type { EndpointUrl } from './guard-address.ts';

/** At least ten letters and digits: the tail of an endpoint's global id. */
export type EndpointId = Brand<string, 'EndpointId'>;

/** A sealed secret of an endpoint (endpoint-secrets.ts). `notAfterMs`: until when a secret that was replaced still signs. */
export type SealedSecret = {
  readonly box: string;
  readonly createdAtMs: number;
  readonly notAfterMs?: number;
};

export type EndpointRecord = {
  readonly id: EndpointId;
  readonly shopId: ShopId;
  /** The endpoint's slot among the store's five, from 1: its sort key. */
  readonly slot: number;
  readonly url: EndpointUrl;
  readonly description: string | null;
  /** The types of the events that the endpoint receives; null for all types. */
  readonly types: readonly WebhookEventType[] | null;
  readonly status: 'ENABLED' | 'DISABLED_BY_STORE';
  readonly createdAtMs: number;
  /** The endpoint's secrets, the newest first, at most two. */
  readonly secrets: readonly SealedSecret[];
  /**
   * The first stream number that the endpoint receives: the next one at its creation, or an earlier one of a replay.
   */
  readonly startsAt: number;
  /** The last replay request: the worker stores the id of the request that it has applied. */
  readonly replay?: ReplayRequest & { readonly fromNumber: number };
  /** The resend requests of the last day, the newest last. */
  readonly resends?: readonly (ReplayRequest & { readonly number: number })[];
  /** Counts configuration changes: the worker's failure state applies to one version. */
  readonly version: number;
  /** A unique id that is new after each write. */
  readonly revision: string;
};
type ReplayRequest = { readonly id: string; readonly askedAtMs: number };

type NewEndpoint = Pick<EndpointRecord, 'id' | 'shopId' | 'url' | 'description' | 'types' | 'startsAt'> & {
  readonly sealSecret: (ref: EndpointSlot) => Promise<SealedSecret>;
};
/** What identifies an endpoint and its slot: its secrets are sealed for these. */
export type EndpointSlot = Pick<EndpointRecord, 'id' | 'shopId' | 'slot'>;

/** The fields that a store's key can change; each change increases `version`. */
export type EndpointConfiguration = Pick<
  EndpointRecord,
  'url' | 'description' | 'types' | 'status' | 'secrets'
>;
type ReplayRequests = Pick<EndpointRecord, 'replay' | 'resends'>;

export const MAX_ENDPOINTS = 5;
const ENDPOINT_SLOTS = Array.from({ length: MAX_ENDPOINTS }, (_, slot) => slot + 1);
const ENDPOINT_ID_PATTERN = /^[A-Za-z0-9]{10,40}$/;

type Deps = {
  readonly table: Pick<Table, 'put' | 'delete' | 'query'>;
  readonly now: () => number;
  readonly newId: () => string;
};

/**
 * Parses an endpoint's id.
 * @returns undefined when the text has another format
 */
export function parseEndpointId(text: string): EndpointId | undefined {
  return ENDPOINT_ID_PATTERN.test(text) ? (text as EndpointId) : undefined;
}

/** Returns the key of an endpoint. */
export function endpointKey({ shopId, slot }: Pick<EndpointSlot, 'shopId' | 'slot'>): ItemKey {
  return { pk: `ENDPOINT#${shopId}`, sk: String(slot) };
}

/** Creates the endpoints of all stores over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createEndpointRepository(deps: Deps) {
  const { table } = deps;
  const list = (shopId: ShopId) => listEndpoints(table, shopId);
  return {
    /** Lists all endpoints of a store, oldest first. */
    list,
    find: async (shopId: ShopId, id: EndpointId): Promise<EndpointRecord | undefined> =>
      (await list(shopId)).find((endpoint) => endpoint.id === id),
    /** Creates an endpoint; returns undefined when the store has five. */
    async create(endpoint: NewEndpoint): Promise<EndpointRecord | undefined> {
      const takenSlots = new Set((await list(endpoint.shopId)).map(({ slot }) => slot));
      for (const slot of ENDPOINT_SLOTS.filter((one) => !takenSlots.has(one))) {
        const creationResult = await createEndpointInSlot(deps, endpoint, slot);
        if (creationResult !== undefined) return creationResult;
      }
      return undefined;
    },
    /** Changes the configuration; returns undefined when the endpoint was changed or removed since `record` was read. */
    configure: (record: EndpointRecord, changes: Partial<EndpointConfiguration>) =>
      replaceEndpointRecord(deps, record, { ...changes, version: record.version + 1 }),
    /** Stores replay and resend requests, like `configure` but with the same `version`. */
    requestReplay: (record: EndpointRecord, requests: ReplayRequests) =>
      replaceEndpointRecord(deps, record, requests),
    /** Removes the endpoint, even if it was changed since. */
    async remove(slot: EndpointSlot): Promise<void> {
      const sameEndpointCondition = {
        condition: 'attribute_not_exists(pk) OR id = :id',
        values: { ':id': slot.id },
      };
      await table.delete(endpointKey(slot), sameEndpointCondition);
    },
  };
}

/**
 * Lists all endpoints of a store, oldest first.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listEndpoints(table: Pick<Table, 'query'>, shopId: ShopId): Promise<EndpointRecord[]> {
  const values = { ':pk': endpointKey({ shopId, slot: 0 }).pk };
  const { items } = await table.query({ keyCondition: 'pk = :pk', values, consistent: true });
  return items.map(toEndpointRecord).sort((one, other) => one.createdAtMs - other.createdAtMs);
}

async function createEndpointInSlot(
  { table, now, newId }: Deps,
  { sealSecret, ...endpoint }: NewEndpoint,
  slot: number,
): Promise<EndpointRecord | undefined> {
  const { id, shopId } = endpoint;
  const sealedSecrets = [await sealSecret({ id, shopId, slot })];
  const endpointRecord: EndpointRecord = {
    ...{
      ...endpoint,
      slot,
      secrets: sealedSecrets,
      status: 'ENABLED',
      createdAtMs: now(),
      version: 1,
      revision: newId(),
    },
  };
  // A retry of the same request finds the endpoint of the first one, whose response was lost.
  const freeSlotCondition = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': id } };
  return (await table.put(toEndpointItem(endpointRecord), freeSlotCondition)) === 'done'
    ? endpointRecord
    : undefined;
}

async function replaceEndpointRecord(
  { table, newId }: Deps,
  record: EndpointRecord,
  changes: Partial<EndpointRecord>,
): Promise<EndpointRecord | undefined> {
  const changedRecord = withEarlierStart({ ...record, ...changes, revision: newId() });
  const values = { ':id': record.id, ':before': record.revision, ':after': changedRecord.revision };
  const unchangedCondition = { condition: 'id = :id AND (revision = :before OR revision = :after)', values };
  return (await table.put(toEndpointItem(changedRecord), unchangedCondition)) === 'done'
    ? changedRecord
    : undefined;
}

function toEndpointItem(record: EndpointRecord): Item {
  return { ...endpointKey(record), ...record };
}

function toEndpointRecord({ pk: _pk, sk: _sk, ...record }: Item): EndpointRecord {
  return withEarlierStart(record as unknown as EndpointRecord);
}

/** A replay of earlier events extends the endpoint's range permanently, for all later replays. */
function withEarlierStart(record: EndpointRecord): EndpointRecord {
  const { startsAt, replay } = record;
  return { ...record, startsAt: Math.min(startsAt, replay?.fromNumber ?? startsAt) };
}
