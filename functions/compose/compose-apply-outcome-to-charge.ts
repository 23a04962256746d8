/**
 * Composes the function that records the outcome of a billing attempt in the charge of its order. Loaded with the first
 * outcome.
 */
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import {
  type ApplyOutcomeToChargeDeps,
  createApplyOutcomeToCharge,
} from '../../lib/billing/settle/create-apply-outcome-to-charge.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { ApplyOutcomeToCharge } from '../../lib/timeline/attempt-outcome.ts';
import { composeBillingCharges } from './compose-billing-charges.ts';

type Deps = Pick<ApplyOutcomeToChargeDeps, 'logger' | 'now' | 'stores'> & { readonly table: Table };

/** Creates the function that settles an order's charge when its attempt has ended, for one container. */
export function composeApplyOutcomeToCharge(deps: Deps): ApplyOutcomeToCharge {
  return createApplyOutcomeToCharge({
    ...deps,
    charges: composeBillingCharges(deps),
    settings: createBillingSettings(deps),
  });
}
