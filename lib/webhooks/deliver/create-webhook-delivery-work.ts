/**
 * Delivers the events of a store that the worker takes from its queue: runs one time slice of all its endpoints concurrently,
 * so that no endpoint waits for another.
 */
import type { TokenKeys } from '../../credentials/token-keys.ts';
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { toFailureCause } from '../../errors/to-failure-cause.ts';
import type { Logger } from '../../observability/logger.ts';
import { readStoreRecord } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import type { StoreWork } from '../../storage/work-queue/process-work-queue.ts';
import { formatEventNumber, writeTimelineEntry } from '../../timeline/event-record.ts';
import { openEndpointSecrets } from '../endpoint-secrets.ts';
import { listEndpoints } from '../endpoints.ts';
import type { WebhookSender } from '../send-webhook.ts';
import { deliverToEndpoint } from './deliver-to-endpoint.ts';
import type { DisabledState } from './endpoint-delivery-state.ts';
import type { DeliveryDeps, ServedEndpoint } from './endpoint-run.ts';
import { readStreamAsWebhooks } from './read-stream-as-webhooks.ts';

export type WebhookDeliveryWorkDeps = Pick<DeliveryDeps, 'logger' | 'now' | 'random'> & {
  readonly table: Table;
  /** The key ring of the endpoints' secrets. */
  readonly tokenKeys: TokenKeys;
  readonly send: WebhookSender['send'];
  /** The namespace of clients, for the ids in payloads. */
  readonly gidNamespace: string;
};

/** @internal Tests deliver the events of one store. */
export type EndpointsDeliveryDeps = DeliveryDeps & {
  /** @returns undefined when the store no longer exists */
  readonly readStoreLifecycle: (
    shopId: ShopId,
  ) => Promise<{ readonly uninstalledAtMs: number | undefined } | undefined>;
  /** Lists the store's enabled endpoints. */
  readonly listEndpoints: (shopId: ShopId) => Promise<readonly ServedEndpoint[]>;
};

/** How long an uninstalled store's endpoints still receive waiting events, including the uninstall event. */
const DELIVERY_AFTER_UNINSTALL_MS = 24 * 3_600_000;
/** How long before the end of delivery the uninstall event is sent, at the latest: time for three more attempts. */
const UNINSTALL_RETRY_WINDOW_MS = 3_600_000;
/** No request starts in this time before the end of the time slice, because it might not end in time. */
const LAST_REQUEST_MARGIN_MS = 2000;
const ENDPOINT_RETRY_AFTER_FAILURE_MS = 60_000;

/** Delivers to the endpoints of a queued store. */
export function createWebhookDeliveryWork(deps: WebhookDeliveryWorkDeps): StoreWork {
  const { table } = deps;
  return createEndpointsDeliveryWork({
    ...deps,
    readEvents: (shopId, fromNumber, limit) => readStreamAsWebhooks(deps, shopId, { fromNumber, limit }),
    reportDisabledEndpoint: (endpoint, disabled) => reportDisabledEndpoint(deps, endpoint, disabled),
    async readVersion({ shopId, id }) {
      return (await listEndpoints(table, shopId)).find((record) => record.id === id)?.version;
    },
    async readStoreLifecycle(shopId) {
      const store = await readStoreRecord(table, shopId, []);
      if (store === undefined || store.status === 'purging') return undefined;
      // A record of an earlier version may lack the time: that store was uninstalled long ago.
      return { uninstalledAtMs: store.status === 'uninstalled' ? (store.uninstalledAtMs ?? 0) : undefined };
    },
    async listEndpoints(shopId) {
      const enabledEndpoints = (await listEndpoints(table, shopId)).filter(
        ({ status }) => status === 'ENABLED',
      );
      return enabledEndpoints.map((record) => ({
        ...record,
        openSecrets: () => openEndpointSecrets(deps, record),
      }));
    },
  });
}

/**
 * Creates the delivery work of a queued store. An endpoint's internal error is logged, and the endpoint is not processed for
 * a minute.
 *
 * @internal Tests deliver the events of one store.
 */
export function createEndpointsDeliveryWork(deps: EndpointsDeliveryDeps): StoreWork {
  return async ({ shopId, endAtMs, signal }) => {
    const storeLifecycle = await deps.readStoreLifecycle(shopId);
    if (
      storeLifecycle === undefined ||
      deps.now() - (storeLifecycle.uninstalledAtMs ?? deps.now()) >= DELIVERY_AFTER_UNINSTALL_MS
    )
      return undefined;
    const { uninstalledAtMs } = storeLifecycle;
    const timeSlice = {
      ...{ endAtMs: endAtMs - LAST_REQUEST_MARGIN_MS, signal },
      ...(uninstalledAtMs !== undefined && {
        uninstallDeadlineAtMs: uninstalledAtMs + DELIVERY_AFTER_UNINSTALL_MS - UNINSTALL_RETRY_WINDOW_MS,
      }),
    };
    const deliverEvents = async (endpoint: ServedEndpoint) => {
      try {
        return await deliverToEndpoint(deps, endpoint, timeSlice);
      } catch (error) {
        const logFields = { shopId, endpointId: endpoint.id, cause: toFailureCause(error) };
        deps.logger.error('webhook_endpoint.run_failed', logFields);
        return deps.now() + ENDPOINT_RETRY_AFTER_FAILURE_MS;
      }
    };
    const nextPollTimes = await awaitAll((await deps.listEndpoints(shopId)).map(deliverEvents));
    const nextPollAtMs = Math.min(...nextPollTimes.map((pollAtMs) => pollAtMs ?? Infinity));
    return nextPollAtMs === Infinity ? undefined : nextPollAtMs;
  };
}

/**
 * Records a disabled endpoint in the store's timeline, and raises an alarm for the operators. Idempotent, because the entry
 * always has the time at which the endpoint was disabled.
 */
async function reportDisabledEndpoint(
  deps: { readonly table: Table; readonly logger: Logger },
  { shopId, id: endpointId }: ServedEndpoint,
  { reason, atMs: createdAtMs }: DisabledState,
): Promise<void> {
  const logFields = { shopId, endpointId, reason };
  deps.logger.error('webhook_endpoint.disabled', { ...logFields, alarm: 'webhook_endpoint_disabled' });
  const id = `webhook-deliveries/${endpointId}`;
  await writeTimelineEntry(deps, {
    ...{ id, shopId, contract: undefined, action: 'webhook_endpoint_disabled', createdAtMs, outcome: 'DONE' },
    ...{ actor: { kind: 'SERVICE' }, requestId: id, changes: [], details: { endpointId, reason } },
    number: formatEventNumber({ createdAtMs, sequence: 0, contract: undefined }),
  });
}
