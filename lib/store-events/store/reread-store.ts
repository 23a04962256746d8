/** A webhook says that the shop, or what it grants, has changed: what the service keeps of it is read again. */
import type { Logger } from '../../observability/logger.ts';
import { isScope, neededAccess } from '../../platform/admin-api/needed-access.ts';
import { isGranted } from '../../platform/grants/granted-scopes.ts';
import type { Table } from '../../storage/table.ts';
import { refreshTimeZone } from '../../stores/lifecycle/refresh-time-zones.ts';
import type { ReadDeps, ReadRun } from '../contracts/read-changed-contracts.ts';

export type RereadDeps = ReadDeps & {
  readonly table: Table;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
};

const SCOPES = 'query ScopesOfApp { currentAppInstallation { accessScopes { handle } } }';

type Installation = { readonly accessScopes: readonly { readonly handle: string }[] };

/**
 * Reads the time zone, and rings the alarm for scopes that the service cannot do without. Name and addresses are the
 * operator's. Errors of the platform's client; TEMPORARILY_UNAVAILABLE.
 */
export async function rereadStore(deps: RereadDeps, { store, endAtMs }: ReadRun): Promise<void> {
  await refreshTimeZone(deps, store, endAtMs);
  const operation = { store, document: SCOPES, variables: {}, mutates: false, costKey: SCOPES, endAtMs };
  const { data } = await deps.sendWithinBudget(operation);
  const installation = data?.currentAppInstallation as Installation | null | undefined;
  if (!installation) return;
  const granted = new Set(installation.accessScopes.map(({ handle }) => handle));
  const needed = neededAccess.filter((row) => isScope(row) && row.need === 'required');
  const missing = needed.map(({ handle }) => handle).filter((handle) => !isGranted(granted, handle));
  if (missing.length === 0) return;
  const facts = { shopId: store.shopId, missing: missing.join(', '), alarm: 'store_access' };
  deps.logger.error('store.missing_access_detected', facts);
}
