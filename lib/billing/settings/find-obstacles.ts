/** What keeps the service from billing a store. */
import { isScopeHandle, NEEDED_ACCESS } from '../../platform/admin-api/needed-access.ts';
import { findMissingScopes } from '../../platform/grants/granted-scopes.ts';
import { currentGrantRefusal, type StoreRecord } from '../../storage/stores.ts';

export type BillingObstacle =
  | 'TIME_ZONE_UNKNOWN'
  | 'WEBHOOKS_MISSING'
  | 'SNAPSHOTS_INCOMPLETE'
  | 'ACCESS_MISSING';

export type StoreReadiness = {
  readonly store: Pick<
    StoreRecord,
    'timeZone' | 'webhooksVersionId' | 'webhookWay' | 'grantRefusal' | 'platformVersionId'
  >;
  /** Whether a nightly reconciliation has read all contracts of the store. */
  readonly isFirstReconciliationComplete: boolean;
  /** The handles of the granted scopes; undefined when they were not read. */
  readonly grantedScopes: readonly string[] | undefined;
};

const REQUIRED_SCOPE_HANDLES = NEEDED_ACCESS.filter(
  (row) => row.need === 'required' && row.refusedChanges !== undefined && isScopeHandle(row),
).map(({ handle }) => handle);

/** Returns the obstacles in a fixed order; none when the store can be billed. */
export function findObstacles({
  store,
  isFirstReconciliationComplete,
  grantedScopes,
}: StoreReadiness): BillingObstacle[] {
  const { timeZone, webhooksVersionId, webhookWay } = store;
  const isDisconnected = currentGrantRefusal(store)?.isFinal === true;
  const missingScopes =
    grantedScopes === undefined ? [] : findMissingScopes(REQUIRED_SCOPE_HANDLES, grantedScopes);
  return [
    ...(timeZone === undefined ? (['TIME_ZONE_UNKNOWN'] as const) : []),
    ...(webhooksVersionId === undefined || webhookWay === undefined ? (['WEBHOOKS_MISSING'] as const) : []),
    ...(isFirstReconciliationComplete ? [] : (['SNAPSHOTS_INCOMPLETE'] as const)),
    ...(isDisconnected || missingScopes.length > 0 ? (['ACCESS_MISSING'] as const) : []),
  ];
}
