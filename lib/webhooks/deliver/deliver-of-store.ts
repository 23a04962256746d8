/** One store's turn: all of its endpoints side by side, so that none waits for another. */
import { settleAll } from '../../domain/settle-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { StoreWork } from '../../storage/wakes/work-through-wakes.ts';
import { deliverToEndpoint } from './deliver-to-endpoint.ts';
import type { DeliveryDeps, ServedEndpoint } from './endpoint-run.ts';

export type StoreDeliveryDeps = DeliveryDeps & {
  /** Undefined: there is no such store any more. */
  readonly readStoreLife: (shopId: ShopId) => Promise<StoreLife | undefined>;
  /** The endpoints that the store has and has not switched off. */
  readonly listEndpoints: (shopId: ShopId) => Promise<readonly ServedEndpoint[]>;
};

type StoreLife = { readonly uninstalledAtMs: number | undefined };

/** An uninstalled store's endpoints are told what waits, the uninstalling itself with it, for so long. */
const DRAIN_MS = 24 * 3_600_000;
/** Time for three more attempts. */
const LAST_CALL_MS = 3_600_000;
/** Requests that are begun later would not end within the turn. */
const LAST_MS = 2000;
const PAUSE_MS = 60_000;

/** The work of a woken store: `StoreWork`. An endpoint that fails is logged, and left alone for a minute. */
export function deliverOfStores(deps: StoreDeliveryDeps): StoreWork {
  return async ({ shopId, endAtMs, signal }) => {
    const life = await deps.readStoreLife(shopId);
    if (life === undefined || deps.now() - (life.uninstalledAtMs ?? deps.now()) >= DRAIN_MS) return undefined;
    const { uninstalledAtMs } = life;
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
        deps.logger.error('an endpoint could not be served', { shopId, endpointId: endpoint.id, cause });
        return deps.now() + PAUSE_MS;
      }
    };
    const looks = await settleAll((await deps.listEndpoints(shopId)).map(deliver));
    const nextMs = Math.min(...looks.map((lookAtMs) => lookAtMs ?? Infinity));
    return nextMs === Infinity ? undefined : nextMs;
  };
}
