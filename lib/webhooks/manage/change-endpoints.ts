/** Changes a store's endpoints, for its key or an operator. Each use case returns why it changes nothing. */
import type { SealDeps } from '../../credentials/sealed-box.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { findStreamNumberSince, readLastStreamRecord, readStream } from '../../storage/stream/read-stream.ts';
import { STREAM_LIFETIME_MS, type StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import {
  readEndpointDeliveryState,
  removeEndpointDeliveryState,
} from '../deliver/endpoint-delivery-state.ts';
import { sealEndpointSecret, withNewEndpointSecret } from '../endpoint-secrets.ts';
import {
  createEndpointRepository,
  type EndpointConfiguration,
  type EndpointId,
  type EndpointRecord,
} from '../endpoints.ts';
import {
  type AddressGuardDeps,
  type AddressRefusal,
  checkEndpointUrl,
  type EndpointUrl,
} from '../guard-address.ts';
import { createWebhookSecret, type WebhookSecret } from '../webhook-secret.ts';
import { findUnappliedReplay } from './read-endpoint-view.ts';
import { countDeliverableRecords, filterDeliverableRecords } from './read-stream-page.ts';

type ReplayKind = keyof typeof REPLAY_REQUEST_LIMITS;

/** The maximum number of a store's resend requests in a day, and of those in one endpoint's record, of operators, too. */
export const MAX_RESEND_REQUESTS = 100;

/**
 * Limits how often a store's keys request replays and resends: any host can be an endpoint, so a small request could make the
 * service send a month of events to that host again and again. Counted by store, because endpoints can be created at will.
 * A window of `windowMs` starts with the first request in it.
 */
export const REPLAY_REQUEST_LIMITS = {
  /** One for each endpoint that a store may have. */
  REPLAY: { maximum: 5, windowMs: 3_600_000 },
  RESEND: { maximum: MAX_RESEND_REQUESTS, windowMs: 86_400_000 },
} as const;

/**
 * Counts a replay or resend request of the store.
 * @returns undefined when the request is allowed, else when the next one is allowed (epoch milliseconds)
 * @throws TEMPORARILY_UNAVAILABLE, THROTTLED
 */
type CountReplayRequest = (shopId: ShopId, kind: ReplayKind) => Promise<number | undefined>;

export type ManageEndpointsDeps = SealDeps & {
  readonly table: Table;
  readonly guard: AddressGuardDeps;
  /** Enqueues the store for the delivery worker. */
  readonly enqueue: (shopId: ShopId) => Promise<void>;
  /** Counts the request against the store's limit. For operators it counts nothing. */
  readonly countReplayRequest: CountReplayRequest;
  readonly now: () => number;
  readonly newId: () => string;
};

export type EndpointRefusal =
  | { readonly refused: 'UNKNOWN' | 'TOO_MANY' | 'NO_TYPES' | 'CHANGED_CONCURRENTLY' }
  | { readonly refused: 'ADDRESS'; readonly addressRefusal: AddressRefusal }
  /** The time is in the future, or more than 30 days ago. */
  | { readonly refused: 'SINCE' }
  | { readonly refused: 'UNKNOWN_DELIVERY' | 'TOO_MANY_RESENDS' }
  | { readonly refused: 'TOO_MANY_REPLAYS'; readonly retryInMs: number };
type ChangedEndpoint = { readonly refused?: undefined; readonly endpoint: EndpointRecord };
type EndpointWithSecret = ChangedEndpoint & { readonly secret: WebhookSecret };

export type EndpointRef = { readonly shopId: ShopId; readonly id: EndpointId };
/** The caller's input. An update leaves undefined fields as they are. */
export type EndpointInput = {
  readonly url?: string | undefined;
  readonly types?: EndpointRecord['types'] | undefined;
  readonly description?: string | null | undefined;
  readonly isEnabled?: boolean | undefined;
};

const ENDPOINT_ID_BYTES = 12;
const MAX_UPDATE_ATTEMPTS = 5;
const DAY_MS = 86_400_000;

/**
 * Creates an endpoint, which receives all events from now on. The secret is returned once.
 * @throws TEMPORARILY_UNAVAILABLE, like all functions below
 */
export async function createEndpoint(
  deps: ManageEndpointsDeps,
  shopId: ShopId,
  { url, types = null, description = null }: EndpointInput & { readonly url: string },
): Promise<EndpointWithSecret | EndpointRefusal> {
  const checkResult = await checkEndpointInput(deps, { url, types });
  if (checkResult.refused !== undefined) return checkResult;
  const secret = createWebhookSecret(deps.random);
  const lastStreamRecord = await readLastStreamRecord(deps, shopId);
  const endpoint = await createEndpointRepository(deps).create({
    id: Buffer.from(deps.random(ENDPOINT_ID_BYTES)).toString('hex') as EndpointId,
    shopId,
    url: checkResult.changes.url as EndpointUrl,
    description,
    types: checkResult.changes.types ?? null,
    startsAt: lastStreamRecord === undefined ? 0 : lastStreamRecord.number + 1,
    sealSecret: (slot) => sealEndpointSecret(deps, slot, secret),
  });
  return endpoint === undefined ? { refused: 'TOO_MANY' } : { endpoint, secret };
}

/** Changes the fields that the input has. An endpoint that failures disabled is served again. */
export async function updateEndpoint(
  deps: ManageEndpointsDeps,
  ref: EndpointRef,
  { description, isEnabled, ...input }: EndpointInput,
): Promise<ChangedEndpoint | EndpointRefusal> {
  const checkResult = await checkEndpointInput(deps, input);
  if (checkResult.refused !== undefined) return checkResult;
  const newStatus = isEnabled ? ('ENABLED' as const) : ('DISABLED_BY_STORE' as const);
  const endpointChanges: Partial<EndpointConfiguration> = {
    ...checkResult.changes,
    ...(description !== undefined && { description }),
    ...(isEnabled !== undefined && { status: newStatus }),
  };
  return changeEndpointWithRetries(deps, ref, (endpoint) =>
    createEndpointRepository(deps).configure(endpoint, endpointChanges),
  );
}

/** Creates a new secret of the endpoint, which is returned only this once. The previous secret still signs for a day. */
export async function rotateEndpointSecret(
  deps: ManageEndpointsDeps,
  ref: EndpointRef,
): Promise<EndpointWithSecret | EndpointRefusal> {
  const secret = createWebhookSecret(deps.random);
  const rotationResult = await changeEndpointWithRetries(deps, ref, async (endpoint) => {
    const secrets = withNewEndpointSecret(endpoint, await sealEndpointSecret(deps, endpoint, secret));
    return createEndpointRepository(deps).configure(endpoint, { secrets });
  });
  return rotationResult.refused === undefined ? { ...rotationResult, secret } : rotationResult;
}

/** Deletes an endpoint: its waiting events are no longer sent. */
export async function deleteEndpoint(
  deps: ManageEndpointsDeps,
  ref: EndpointRef,
): Promise<ChangedEndpoint | EndpointRefusal> {
  const endpoint = await createEndpointRepository(deps).find(ref.shopId, ref.id);
  if (endpoint === undefined) return { refused: 'UNKNOWN' };
  await createEndpointRepository(deps).remove(endpoint);
  await removeEndpointDeliveryState(deps.table, ref);
  return { endpoint };
}

/**
 * Requests that all events since `sinceMs` (epoch milliseconds) are sent again, including those of an earlier replay request
 * that is not applied yet. `eventCount`: see `countDeliverableRecords`.
 */
export async function requestReplay(
  deps: ManageEndpointsDeps,
  ref: EndpointRef,
  sinceMs: number,
): Promise<(ChangedEndpoint & { readonly eventCount: number }) | EndpointRefusal> {
  const nowMs = deps.now();
  if (!(sinceMs <= nowMs && sinceMs >= nowMs - STREAM_LIFETIME_MS)) return { refused: 'SINCE' };
  const fromNumber = await findStreamNumberSince(deps, ref.shopId, sinceMs);
  const newRequest = { id: deps.newId(), askedAtMs: nowMs, fromNumber };
  let retryAtPromise: ReturnType<CountReplayRequest> | undefined;
  const changedEndpoint = await changeEndpointWithRetries(deps, ref, async (endpoint) => {
    retryAtPromise ??= deps.countReplayRequest(ref.shopId, 'REPLAY');
    if ((await retryAtPromise) !== undefined) return endpoint;
    const unappliedReplay = findUnappliedReplay(
      endpoint,
      await readEndpointDeliveryState(deps.table, endpoint),
    );
    const fromNumber = Math.min(newRequest.fromNumber, unappliedReplay?.fromNumber ?? Infinity);
    return createEndpointRepository(deps).requestReplay(endpoint, { replay: { ...newRequest, fromNumber } });
  });
  if (changedEndpoint.refused !== undefined) return changedEndpoint;
  const retryAtMs = await retryAtPromise;
  if (retryAtMs !== undefined) return { refused: 'TOO_MANY_REPLAYS', retryInMs: retryAtMs - nowMs };
  const { count } = await countDeliverableRecords(deps, changedEndpoint.endpoint, { fromNumber });
  return { ...changedEndpoint, eventCount: count };
}

/** Requests that one event is sent again. Refused if the endpoint does not receive the event. */
export async function requestResend(
  deps: ManageEndpointsDeps,
  { number, ...ref }: EndpointRef & { readonly number: number },
): Promise<(ChangedEndpoint & { readonly record: StreamRecord }) | EndpointRefusal> {
  const [streamRecord] = await readStream(deps, ref.shopId, { fromNumber: number, limit: 1 });
  if (streamRecord?.number !== number) return { refused: 'UNKNOWN_DELIVERY' };
  const newRequest = { id: deps.newId(), askedAtMs: deps.now(), number };
  let resendRefusal: 'UNKNOWN_DELIVERY' | 'TOO_MANY_RESENDS' | undefined;
  let retryAtPromise: ReturnType<CountReplayRequest> | undefined;
  const changedEndpoint = await changeEndpointWithRetries(deps, ref, async (endpoint) => {
    const recentResends = (endpoint.resends ?? []).filter(
      ({ askedAtMs: requestedAtMs }) => requestedAtMs > deps.now() - DAY_MS,
    );
    const isDeliverable = filterDeliverableRecords(endpoint, [streamRecord]).length > 0;
    resendRefusal = isDeliverable ? undefined : 'UNKNOWN_DELIVERY';
    if (recentResends.length >= MAX_RESEND_REQUESTS) resendRefusal ??= 'TOO_MANY_RESENDS';
    if (resendRefusal !== undefined) return endpoint;
    retryAtPromise ??= deps.countReplayRequest(ref.shopId, 'RESEND');
    if ((await retryAtPromise) !== undefined) resendRefusal = 'TOO_MANY_RESENDS';
    if (resendRefusal !== undefined) return endpoint;
    return createEndpointRepository(deps).requestReplay(endpoint, {
      resends: [...recentResends, newRequest],
    });
  });
  if (changedEndpoint.refused !== undefined) return changedEndpoint;
  return resendRefusal === undefined
    ? { ...changedEndpoint, record: streamRecord }
    : { refused: resendRefusal };
}

type CheckedEndpointInput =
  | EndpointRefusal
  | { readonly refused?: undefined; readonly changes: EndpointUrlAndTypes };
type EndpointUrlAndTypes = Partial<Pick<EndpointConfiguration, 'url' | 'types'>>;

async function checkEndpointInput(
  deps: ManageEndpointsDeps,
  { url, types }: Pick<EndpointInput, 'url' | 'types'>,
): Promise<CheckedEndpointInput> {
  if (types?.length === 0) return { refused: 'NO_TYPES' };
  const typesChange = types === undefined ? {} : { types: types && [...new Set(types)] };
  if (url === undefined) return { changes: typesChange };
  const checkResult = await checkEndpointUrl(deps.guard, url);
  if ('refused' in checkResult) return { refused: 'ADDRESS', addressRefusal: checkResult.refused };
  return { changes: { ...typesChange, url: checkResult.url } };
}

/**
 * Makes a change of an endpoint, and makes it again with the new record if a concurrent change came first. Then enqueues the
 * store for delivery, unless `change` returned the record unchanged.
 */
async function changeEndpointWithRetries(
  deps: ManageEndpointsDeps,
  { shopId, id }: EndpointRef,
  change: (endpoint: EndpointRecord) => Promise<EndpointRecord | undefined>,
): Promise<ChangedEndpoint | EndpointRefusal> {
  for (let attemptsMade = 0; attemptsMade < MAX_UPDATE_ATTEMPTS; attemptsMade++) {
    const endpointBefore = await createEndpointRepository(deps).find(shopId, id);
    if (endpointBefore === undefined) return { refused: 'UNKNOWN' };
    const endpoint = await change(endpointBefore);
    if (endpoint === undefined) continue;
    if (endpoint !== endpointBefore) await deps.enqueue(shopId);
    return { endpoint };
  }
  return { refused: 'CHANGED_CONCURRENTLY' };
}
