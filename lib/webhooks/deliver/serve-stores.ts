/**
 * Connects the worker with the table: endpoints by the store's configuration, webhooks by the entries' current state,
 * sealed secrets.
 */
import type { TokenKeys } from '../../credentials/token-keys.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import { readStore } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import type { StoreWork } from '../../storage/work-queue/process-work-queue.ts';
import { openSecrets } from '../endpoint-secrets.ts';
import { type EndpointRecord, listEndpoints } from '../endpoints.ts';
import type { WebhookSender } from '../send-webhook.ts';
import { deliverOfStores } from './deliver-of-store.ts';
import type { ServedEndpoint } from './endpoint-run.ts';
import { readWebhooks } from './read-webhooks.ts';
import { reportDisabledEndpoint } from './report-disabled-endpoint.ts';

export type ServeDeps = {
  readonly table: Table;
  /** The key ring of the endpoints' secrets. */
  readonly tokenKeys: TokenKeys;
  readonly logger: Logger;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly send: WebhookSender['send'];
  /** The namespace of clients, for the ids in payloads. */
  readonly gidNamespace: string;
};

/** Delivers to the endpoints of a queued store. */
export function serveStores(deps: ServeDeps): StoreWork {
  const { table } = deps;
  return deliverOfStores({
    ...deps,
    readEvents: (shopId, fromNumber, limit) => readWebhooks(deps, shopId, { fromNumber, limit }),
    reportDisabledEndpoint: (endpoint, disabled) => reportDisabledEndpoint(deps, endpoint, disabled),
    async readVersion({ shopId, id }) {
      return (await listEndpoints(table, shopId)).find((record) => record.id === id)?.version;
    },
    readStoreLifecycle: (shopId) => readLifecycle(table, shopId),
    async listEndpoints(shopId) {
      const all = await listEndpoints(table, shopId);
      return all.filter(({ status }) => status === 'ENABLED').map((record) => toServed(deps, record));
    },
  });
}

async function readLifecycle(table: Table, shopId: ShopId) {
  const store = await readStore(table, shopId, []);
  if (store === undefined || store.status === 'purging') return undefined;
  // If the record of an earlier version has no time, the store has waited long enough.
  return { uninstalledAtMs: store.status === 'uninstalled' ? (store.uninstalledAtMs ?? 0) : undefined };
}

function toServed(deps: ServeDeps, record: EndpointRecord): ServedEndpoint {
  const { shopId, id, url, types, startsAt, version, replay, resends = [] } = record;
  const secrets = () => openSecrets(deps, record);
  return {
    shopId,
    id,
    url,
    types: types ?? undefined,
    startsAt,
    version,
    replay,
    resends,
    openSecrets: secrets,
  };
}
