/**
 * Processes webhooks about the store itself. A webhook about a removed app may be late, and its topic is not signed. So the
 * service tries its grant: a valid grant means that the app is installed, perhaps again.
 */

import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { isScopeHandle, NEEDED_ACCESS } from '../../platform/admin-api/needed-access.ts';
import { readWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import { isScopeGranted } from '../../platform/grants/granted-scopes.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import { readStoreRecord, type StoreRecord, storeItemKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { refreshTimeZone } from '../../stores/lifecycle/refresh-time-zones.ts';
import { enqueueEventNotice } from '../../timeline/append/queue-item.ts';
import type { ReadContractsDeps, StoreReadRun } from '../contracts/read-contracts.ts';

export type VerifyUninstallDeps = ReadContractsDeps & {
  readonly table: Table;
  readonly scheduledTasks: Pick<ScheduledTasks, 'put'>;
  readonly logger: Pick<Logger, 'info'>;
};

const INSTALLATION_PROBE_DOCUMENT = 'query IsInstalled { shop { id } }';

/**
 * Marks the store as uninstalled if the platform rejects its grant. Idempotent.
 * @throws the errors of the platform's client
 */
export async function verifyUninstall(deps: VerifyUninstallDeps, run: StoreReadRun): Promise<void> {
  const { store } = run;
  if (store.status === 'installed' && (await isGrantAcceptedByPlatform(deps, run))) {
    deps.logger.info('store.uninstall_ignored', { shopId: store.shopId });
    return;
  }
  const storeAfter = store.status === 'installed' ? await markStoreUninstalled(deps, store) : store;
  if (storeAfter?.status !== 'uninstalled') return;
  const atMs = storeAfter.uninstalledAtMs ?? deps.now();
  await enqueueEventNotice(deps, {
    shopId: storeAfter.shopId,
    id: `uninstalled-${atMs}`,
    contract: undefined,
    event: { type: 'store.uninstalled', atMs },
  });
}

/**
 * Checks whether the platform accepts the store's grant.
 * @returns false when the platform rejects both the grant and its renewal
 */
async function isGrantAcceptedByPlatform(deps: VerifyUninstallDeps, run: StoreReadRun): Promise<boolean> {
  try {
    await readWithinBudget(deps, run, { document: INSTALLATION_PROBE_DOCUMENT, variables: {} });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'STORE_ACCESS_MISSING') return true;
    if (error.code === 'STORE_DISCONNECTED') return false;
    throw error;
  }
}

/** Returns the store afterwards. A store that was installed again in the meantime stays unchanged. */
async function markStoreUninstalled({ table, logger, now }: VerifyUninstallDeps, store: StoreRecord) {
  const { shopId, platformVersionId, installedAtMs, lastInstallAtMs } = store;
  const storeNow = await readStoreRecord(table, shopId, ['grant']);
  if (storeNow?.platformVersionId !== platformVersionId) throw new ServiceError('PLATFORM_UNAVAILABLE');
  const uninstalledAtMs = now();
  // An install over an installed store keeps `installedAtMs`: only `lastInstallAtMs` shows such a new install.
  const isSameInstall =
    lastInstallAtMs === undefined
      ? 'attribute_not_exists(lastInstallAtMs)'
      : 'lastInstallAtMs = :lastInstall';
  const { outcome } = await table.update({
    key: storeItemKey(shopId),
    update: 'SET #status = :uninstalled, uninstalledAtMs = :now',
    condition: `#status = :installed AND installedAtMs = :installedAt AND ${isSameInstall}`,
    names: { '#status': 'status' },
    writtenValues: { status: 'uninstalled', uninstalledAtMs },
    values: {
      ...{ ':installed': 'installed', ':uninstalled': 'uninstalled', ':now': uninstalledAtMs },
      ':installedAt': installedAtMs,
      ...(lastInstallAtMs !== undefined && { ':lastInstall': lastInstallAtMs }),
    },
  });
  // A restore of the table replays these log lines.
  if (outcome === 'done') logger.info('store.uninstalled', { shopId });
  return readStoreRecord(table, shopId, ['grant']);
}

export type RefreshStoreDeps = ReadContractsDeps & {
  readonly table: Table;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
};

const GRANTED_SCOPES_DOCUMENT = 'query ScopesOfApp { currentAppInstallation { accessScopes { handle } } }';

type AppInstallation = { readonly accessScopes: readonly { readonly handle: string }[] };

/**
 * Reads the store's time zone again, and raises an alarm when required scopes are missing. Nothing else of the store's record
 * is refreshed: an operator sets its name and its addresses.
 * @throws the errors of the platform's client, TEMPORARILY_UNAVAILABLE
 */
export async function refreshTimeZoneAndCheckScopes(
  deps: RefreshStoreDeps,
  run: StoreReadRun,
): Promise<void> {
  const { store, endAtMs } = run;
  await refreshTimeZone(deps, store, endAtMs);
  const { data } = await readWithinBudget(deps, run, { document: GRANTED_SCOPES_DOCUMENT, variables: {} });
  const appInstallation = data?.currentAppInstallation as AppInstallation | null | undefined;
  if (!appInstallation) return;
  const grantedHandles = new Set(appInstallation.accessScopes.map(({ handle }) => handle));
  const requiredAccess = NEEDED_ACCESS.filter((row) => isScopeHandle(row) && row.need === 'required');
  const missingHandles = requiredAccess
    .map(({ handle }) => handle)
    .filter((handle) => !isScopeGranted(grantedHandles, handle));
  if (missingHandles.length === 0) return;
  const logFields = { shopId: store.shopId, missing: missingHandles.join(', '), alarm: 'store_access' };
  deps.logger.error('store.missing_access_detected', logFields);
}
