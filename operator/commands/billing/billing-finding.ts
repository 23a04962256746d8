import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { settingsOfInstallation } from '../../../lib/billing/settings/decide-billing-status.ts';
import { findObstacles } from '../../../lib/billing/settings/find-obstacles.ts';
import { readBillingStatus } from '../../../lib/billing/settings/read-billing-status.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { isFirstReconciliationComplete } from '../../../lib/store-events/reconciliation/reconciliation-record.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import type { Operator } from '../../operator.ts';

/**
 * Returns the finding of `store check` about billing; none for a store that the service does not bill. The granted
 * access has its own findings.
 */
export async function findBillingFinding(operator: Operator, store: StoreRecord): Promise<StoreFinding[]> {
  const { table, now } = operator;
  const deps = { settings: createBillingSettings({ table, now }), now };
  const { status: billingStatus, storedSettings } = await readBillingStatus(deps, store);
  if (!settingsOfInstallation(storedSettings, store).enabled) return [];
  const isReconciled = await isFirstReconciliationComplete({ table }, store.shopId);
  const obstacles = findObstacles({
    store,
    isFirstReconciliationComplete: isReconciled,
    grantedScopes: undefined,
  });
  if (obstacles.length > 0) {
    const fix = 'Repair it, or switch billing off with billing set --enabled no.';
    return [
      { name: 'Billing', state: 'missing', found: `${billingStatus}, but ${obstacles.join(', ')}`, fix },
    ];
  }
  if (billingStatus === 'STOPPED_BY_OPERATOR')
    return [
      {
        name: 'Billing',
        state: 'missing',
        found: billingStatus,
        fix: 'Run billing show, then billing resume.',
      },
    ];
  return [{ name: 'Billing', state: 'ok', found: billingStatus }];
}
