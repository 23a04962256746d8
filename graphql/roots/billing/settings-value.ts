/** The settings of billing as a value of the schema, and what keeps the store from being billed. */
import type { BillingSettings } from '../../../lib/billing/records/settings-record.ts';
import {
  decideBillingStatus,
  settingsOfInstallation,
} from '../../../lib/billing/settings/decide-billing-status.ts';
import { externalAttemptsFromMs } from '../../../lib/billing/settings/external-attempts.ts';
import { type BillingObstacle, findObstacles } from '../../../lib/billing/settings/find-obstacles.ts';
import { readNextRunAtMs } from '../../../lib/billing/settings/read-next-run.ts';
import { failedReadError } from '../../../lib/platform/admin-api/missing-access.ts';
import { isFirstReconciliationComplete } from '../../../lib/store-events/reconciliation/reconciliation-record.ts';
import type { RunContext } from '../../plan/run-context.ts';
import { createBillingDeps } from './billing-deps.ts';
import { formatTime } from './billing-values.ts';

const SCOPES_DOCUMENT = 'query BillingAccess { currentAppInstallation { accessScopes { handle } } }';

/** Returns BillingSettings by field names. */
export async function toSettingsValue(
  context: RunContext,
  storedSettings: BillingSettings,
  obstacles: readonly BillingObstacle[],
) {
  const { store } = context;
  const nowMs = context.now();
  const deps = createBillingDeps(context);
  const stopOfAllStores = await deps.settings.readStop();
  const billingStatus = decideBillingStatus(storedSettings, { store, nowMs, stopOfAllStores });
  const { enabled, startsOn, hour, declined, outOfStock, askForNewMethod } = settingsOfInstallation(
    storedSettings,
    store,
  );
  const attemptsFromMs = externalAttemptsFromMs(storedSettings, store, nowMs);
  const willRun = billingStatus === 'ON' || billingStatus === 'STARTING';
  return {
    ...{ enabled, status: billingStatus, hour, declined, outOfStock, askForNewMethod, obstacles },
    startsOn: startsOn ?? null,
    externalAttemptsFrom: attemptsFromMs === Number.POSITIVE_INFINITY ? null : formatTime(attemptsFromMs),
    nextRunAt: willRun ? formatTime(await readNextRunAtMs(deps, storedSettings, store)) : null,
  };
}

/**
 * Reads what keeps the store from being billed. Without `checksAccess` nothing is sent to the platform.
 * @throws the errors of the platform's client
 */
export async function readObstacles(
  context: RunContext,
  { checksAccess }: { readonly checksAccess: boolean },
): Promise<BillingObstacle[]> {
  const { table, store } = context;
  return findObstacles({
    store,
    isFirstReconciliationComplete: await isFirstReconciliationComplete({ table }, store.shopId),
    grantedScopes: checksAccess ? await readGrantedScopes(context) : undefined,
  });
}

async function readGrantedScopes(context: RunContext): Promise<string[]> {
  const { data, errors } = await context.send({
    ...{ store: context.store, document: SCOPES_DOCUMENT, variables: {}, mutates: false },
    ...{
      callerNamespaces: context.identity.namespaces,
      deadlineAtMs: context.deadlineAtMs,
      costKey: SCOPES_DOCUMENT,
    },
  });
  const installation = data?.currentAppInstallation as
    | { readonly accessScopes: readonly { readonly handle: string }[] }
    | null
    | undefined;
  if (!installation) throw failedReadError('no access scopes', errors);
  return installation.accessScopes.map(({ handle }) => handle);
}
