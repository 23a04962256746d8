/**
 * Composes the function that records the outcome of a billing attempt in the charge of its order. Loaded with the first
 * outcome.
 */
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import { type ChargeEndedDeps, createChargeEnded } from '../../lib/billing/settle/create-charge-ended.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { ChargeEnded } from '../../lib/timeline/attempt-outcome.ts';
import { composeBillingCharges } from './compose-billing-charges.ts';

type Deps = Pick<ChargeEndedDeps, 'logger' | 'now' | 'stores'> & { readonly table: Table };

/** Creates the function that settles an order's charge when its attempt has ended, for one container. */
export function composeChargeEnded(deps: Deps): ChargeEnded {
  return createChargeEnded({
    ...deps,
    charges: composeBillingCharges(deps),
    settings: createBillingSettings(deps),
  });
}
