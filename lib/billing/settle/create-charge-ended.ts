/**
 * Writes the outcome of an attempt into the charge of its order. Whoever settles attempts calls it before the timeline
 * records them: the scheduled work, the store's events, and billing itself.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { UTC } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Stores, timeZoneOf } from '../../storage/stores.ts';
import type { ChargeEnded, NextTry, OutcomeOfOrder } from '../../timeline/attempt-outcome.ts';
import {
  type BillingCharge,
  nextAllowedTryMs,
  type OrderRef,
  withChargeChange,
} from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import { type BillingSettings, DEFAULT_BILLING_SETTINGS } from '../records/settings-record.ts';
import { settingsOfInstallation } from '../settings/decide-billing-status.ts';
import { decideAfterAttempt } from './decide-after-attempt.ts';

export type ChargeEndedDeps = {
  readonly charges: Pick<BillingCharges, 'find' | 'replace'>;
  readonly settings: { read(shopId: OrderRef['shopId']): Promise<BillingSettings> };
  readonly stores: Pick<Stores, 'find'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => number;
};

/** Others change the charge of an order at the same time, but not often. */
const MAX_WRITES = 5;

/** Creates the function. It is idempotent: an outcome that the charge has is not written again. */
export function createChargeEnded(deps: ChargeEndedDeps): ChargeEnded {
  return async (outcome) => {
    for (let writeAttempts = 0; writeAttempts < MAX_WRITES; writeAttempts++) {
      const { shopId, contract: contractNumber, cycleIndex } = outcome;
      const charge = await deps.charges.find({ shopId, contractNumber, cycleIndex });
      if (charge === undefined) return undefined;
      const writtenCharge = await decideAndWriteOutcome(deps, charge, outcome);
      if (writtenCharge !== 'refused') return toNextTry(writtenCharge);
    }
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the charge is changed by others' });
  };
}

async function decideAndWriteOutcome(
  { charges, settings, stores, logger, now }: ChargeEndedDeps,
  charge: BillingCharge,
  outcome: OutcomeOfOrder,
): Promise<BillingCharge | 'refused'> {
  const { shopId, contract, cycleIndex, attempt } = outcome;
  // Only what follows a decline depends on the store.
  const store = outcome.outcome?.kind === 'declined' ? await stores.find(shopId) : undefined;
  const decisionContext = {
    settings:
      store === undefined
        ? DEFAULT_BILLING_SETTINGS
        : settingsOfInstallation(await settings.read(shopId), store),
    timeZone: store === undefined ? UTC : timeZoneOf(store),
    nowMs: now(),
  };
  const decision = decideAfterAttempt(charge, outcome, decisionContext);
  if (decision === 'charged twice') {
    const { id: attemptId } = attempt;
    const logFields = { shopId, contract, cycleIndex, attemptId };
    logger.error('order.charged_twice', { alarm: 'billing_charged_twice', ...logFields });
    return charge;
  }
  return decision === 'counted' ? charge : charges.replace(charge, withChargeChange(charge, decision));
}

function toNextTry(charge: BillingCharge): NextTry {
  const nextTryMs = nextAllowedTryMs(charge);
  const nextTryAt = nextTryMs === undefined ? null : formatInstant(floorToSecond(nextTryMs));
  return { tryCount: charge.failedTryCount, nextTryAt };
}
