/** Runs one store's time slice: all its endpoints concurrently, so that none waits for another. */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { StoreWork } from '../../storage/work-queue/process-work-queue.ts';
import { deliverToEndpoint } from './deliver-to-endpoint.ts';
import type { DeliveryDeps, ServedEndpoint } from './endpoint-run.ts';

export type StoreDeliveryDeps = DeliveryDeps & {
  /** @returns undefined when the store no longer exists */
  readonly readStoreLifecycle: (shopId: ShopId) => Promise<StoreLifecycle | undefined>;
  /** Lists the store's enabled endpoints. */
  readonly listEndpoints: (shopId: ShopId) => Promise<readonly ServedEndpoint[]>;
};

type StoreLifecycle = { readonly uninstalledAtMs: number | undefined };

/** How long an uninstalled store's endpoints still receive waiting events, including the uninstall event. */
const DRAIN_MS = 24 * 3_600_000;
/** Time for three more attempts. */
const LAST_CALL_MS = 3_600_000;
/** Requests that start later would not end within the time slice. */
const LAST_MS = 2000;
const PAUSE_MS = 60_000;

/**
 * Creates the work of a queued store: `StoreWork`. An endpoint's failure is logged, and the endpoint is not processed
 * for a minute.
 */
export function deliverOfStores(deps: StoreDeliveryDeps): StoreWork {
  return async ({ shopId, endAtMs, signal }) => {
    const lifecycle = await deps.readStoreLifecycle(shopId);
    if (lifecycle === undefined || deps.now() - (lifecycle.uninstalledAtMs ?? deps.now()) >= DRAIN_MS)
      return undefined;
    const { uninstalledAtMs } = lifecycle;
    const isDraining = uninstalledAtMs !== undefined;
    const turn = {
      ...{ endAtMs: endAtMs - LAST_MS, signal },
      ...(isDraining && { lastCallAtMs: uninstalledAtMs + DRAIN_MS - LAST_CALL_MS }),
    };
    const deliver = async (endpoint: ServedEndpoint) => {
      try {
        return await deliverToEndpoint(deps, endpoint, turn);
      } catch (error) {
        const cause = error instanceof Error ? error.message : 'unknown';
        deps.logger.error('webhook_endpoint.run_failed', { shopId, endpointId: endpoint.id, cause });
        return deps.now() + PAUSE_MS;
      }
    };
    const outcomes = await settleAll((await deps.listEndpoints(shopId)).map(deliver));
    const nextMs = Math.min(...outcomes.map((lookAtMs) => lookAtMs ?? Infinity));
    return nextMs === Infinity ? undefined : nextMs;
  };
}
