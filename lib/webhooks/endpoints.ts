/**
 * The endpoints of a store's own servers, five at most, as its key configures them. What the worker that delivers knows of
 * an endpoint lies in an item of its own: neither overwrites the other's.
 */
import type { Brand } from '../domain/brand.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../storage/table.ts';
import type { WebhookEventType } from '../timeline/event-type.ts';
import type { EndpointUrl } from './guard-address.ts';

/** Ten letters and digits at least: the tail of an endpoint's global id. */
export type EndpointId = Brand<string, 'EndpointId'>;

/** A secret of the endpoint in a sealed box (endpoint-secrets.ts). `notAfterMs`: it has been replaced, and signs until then. */
export type SealedSecret = {
  readonly box: string;
  readonly createdAtMs: number;
  readonly notAfterMs?: number;
};

export type EndpointRecord = {
  readonly id: EndpointId;
  readonly shopId: ShopId;
  /** Its place among the store's five, which is its sort key. */
  readonly slot: number;
  readonly url: EndpointUrl;
  readonly description: string | null;
  /** Null: all. */
  readonly types: readonly WebhookEventType[] | null;
  readonly status: 'ENABLED' | 'DISABLED_BY_STORE';
  readonly createdAtMs: number;
  /** The newest first, two at most. */
  readonly secrets: readonly SealedSecret[];
  /** The number of the store's stream from which on it is told: from when it was made, or what a replay reached back to. */
  readonly startsAt: number;
  /** The last wish to be told again from this number on: the worker remembers the id of the one that it has followed. */
  readonly replay?: Wish & { readonly fromNumber: number };
  /** The wishes of the last day to have single records sent again, the newest last. */
  readonly resends?: readonly (Wish & { readonly number: number })[];
  /** Counts the changes of what is configured: what the worker holds against the endpoint counts for one of them. */
  readonly version: number;
  /** Another after each write. */
  readonly revision: string;
};
type Wish = { readonly id: string; readonly askedAtMs: number };

type NewEndpoint = Pick<EndpointRecord, 'id' | 'shopId' | 'url' | 'description' | 'types' | 'startsAt'> & {
  readonly sealFor: (ref: EndpointPlace) => Promise<SealedSecret>;
};
/** Where an endpoint lies: its secrets are sealed for that place. */
export type EndpointPlace = Pick<EndpointRecord, 'id' | 'shopId' | 'slot'>;

/** What a store's key changes; `version` goes on by it. */
export type EndpointConfiguration = Pick<
  EndpointRecord,
  'url' | 'description' | 'types' | 'status' | 'secrets'
>;
type Wishes = Pick<EndpointRecord, 'replay' | 'resends'>;

export type Endpoints = {
  /** All of a store's, oldest first. TEMPORARILY_UNAVAILABLE, as all below. */
  list(shopId: ShopId): Promise<EndpointRecord[]>;
  find(shopId: ShopId, id: EndpointId): Promise<EndpointRecord | undefined>;
  /** The new endpoint; undefined: the store has five. */
  create(endpoint: NewEndpoint): Promise<EndpointRecord | undefined>;
  /** The endpoint as it is then; undefined: it was changed since `record` was read, or is gone. */
  configure(
    record: EndpointRecord,
    changes: Partial<EndpointConfiguration>,
  ): Promise<EndpointRecord | undefined>;
  /** As `configure`; `version` stays. */
  wish(record: EndpointRecord, wishes: Wishes): Promise<EndpointRecord | undefined>;
  /** Removes it, whatever was changed since. */
  remove(record: EndpointPlace): Promise<void>;
};

export const MOST_ENDPOINTS = 5;
const SLOTS = Array.from({ length: MOST_ENDPOINTS }, (_, slot) => slot + 1);
const ID = /^[A-Za-z0-9]{10,40}$/;

type Deps = {
  readonly table: Pick<Table, 'put' | 'delete' | 'query'>;
  readonly now: () => number;
  readonly newId: () => string;
};

/** The id of an endpoint; undefined if the text is none. */
export function parseEndpointId(text: string): EndpointId | undefined {
  return ID.test(text) ? (text as EndpointId) : undefined;
}

/** Where the table keeps an endpoint. */
export function endpointKey({ shopId, slot }: Pick<EndpointPlace, 'shopId' | 'slot'>): ItemKey {
  return { pk: `ENDPOINT#${shopId}`, sk: String(slot) };
}

/** Endpoints over the table. */
export function createEndpoints(deps: Deps): Endpoints {
  const { table } = deps;
  const list = (shopId: ShopId) => listEndpoints(table, shopId);
  return {
    list,
    find: async (shopId, id) => (await list(shopId)).find((endpoint) => endpoint.id === id),
    async create(endpoint) {
      const taken = new Set((await list(endpoint.shopId)).map(({ slot }) => slot));
      for (const slot of SLOTS.filter((one) => !taken.has(one))) {
        const created = await createAt(deps, endpoint, slot);
        if (created !== undefined) return created;
      }
      return undefined;
    },
    configure: (record, changes) => replace(deps, record, { ...changes, version: record.version + 1 }),
    wish: (record, wishes) => replace(deps, record, wishes),
    async remove(place) {
      const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': place.id } };
      await table.delete(endpointKey(place), own);
    },
  };
}

/** All of a store's, oldest first. TEMPORARILY_UNAVAILABLE. */
export async function listEndpoints(table: Pick<Table, 'query'>, shopId: ShopId): Promise<EndpointRecord[]> {
  const values = { ':pk': endpointKey({ shopId, slot: 0 }).pk };
  const { items } = await table.query({ keyCondition: 'pk = :pk', values, consistent: true });
  return items.map(toRecord).sort((one, other) => one.createdAtMs - other.createdAtMs);
}

async function createAt(
  { table, now, newId }: Deps,
  { sealFor, ...endpoint }: NewEndpoint,
  slot: number,
): Promise<EndpointRecord | undefined> {
  const { id, shopId } = endpoint;
  const secrets = [await sealFor({ id, shopId, slot })];
  const record: EndpointRecord = {
    ...{ ...endpoint, slot, secrets, status: 'ENABLED', createdAtMs: now(), version: 1, revision: newId() },
  };
  // A second try of the same request meets the first, whose answer was lost.
  const free = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': id } };
  return (await table.put(toItem(record), free)) === 'done' ? record : undefined;
}

async function replace(
  { table, newId }: Deps,
  record: EndpointRecord,
  changes: Partial<EndpointRecord>,
): Promise<EndpointRecord | undefined> {
  const changed = reachingBack({ ...record, ...changes, revision: newId() });
  const values = { ':id': record.id, ':before': record.revision, ':after': changed.revision };
  const unchanged = { condition: 'id = :id AND (revision = :before OR revision = :after)', values };
  return (await table.put(toItem(changed), unchanged)) === 'done' ? changed : undefined;
}

function toItem(record: EndpointRecord): Item {
  return { ...endpointKey(record), ...record };
}

function toRecord({ pk: _pk, sk: _sk, ...record }: Item): EndpointRecord {
  return reachingBack(record as unknown as EndpointRecord);
}

/** What was before the endpoint is told by a replay, and is the endpoint's from then on, whatever is replayed later. */
function reachingBack(record: EndpointRecord): EndpointRecord {
  const { startsAt, replay } = record;
  return { ...record, startsAt: Math.min(startsAt, replay?.fromNumber ?? startsAt) };
}
