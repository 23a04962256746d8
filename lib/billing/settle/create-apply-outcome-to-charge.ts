/**
 * Writes the outcome of an attempt into the charge of its order. It is called before the timeline records the outcome: by
 * the scheduled work, by the work of store events, and by billing.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { UTC } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Stores, timeZoneOf } from '../../storage/stores.ts';
import type { ApplyOutcomeToCharge, NextTry, OrderAttemptOutcome } from '../../timeline/attempt-outcome.ts';
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

export type ApplyOutcomeToChargeDeps = {
  readonly charges: Pick<BillingCharges, 'find' | 'replace'>;
  readonly settings: { read(shopId: OrderRef['shopId']): Promise<BillingSettings> };
  readonly stores: Pick<Stores, 'find'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => number;
};

/** A write fails if another process has changed the charge since it was read, which is rare. */
const MAX_CHARGE_WRITE_ATTEMPTS = 5;

/** Creates the function. It is idempotent: an outcome that the charge has already is not written again. */
export function createApplyOutcomeToCharge(deps: ApplyOutcomeToChargeDeps): ApplyOutcomeToCharge {
  return async (orderOutcome) => {
    for (let writeAttempts = 0; writeAttempts < MAX_CHARGE_WRITE_ATTEMPTS; writeAttempts++) {
      const { shopId, contract: contractNumber, cycleIndex } = orderOutcome;
      const charge = await deps.charges.find({ shopId, contractNumber, cycleIndex });
      if (charge === undefined) return undefined;
      const writtenCharge = await decideAndWriteOutcome(deps, charge, orderOutcome);
      if (writtenCharge !== 'refused') return toNextTry(writtenCharge);
    }
    throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the charge is changed by others' });
  };
}

async function decideAndWriteOutcome(
  { charges, settings, stores, logger, now }: ApplyOutcomeToChargeDeps,
  charge: BillingCharge,
  orderOutcome: OrderAttemptOutcome,
): Promise<BillingCharge | 'refused'> {
  const { shopId, contract, cycleIndex, attempt } = orderOutcome;
  // Only the decision after a decline depends on the store and its settings.
  const store = orderOutcome.outcome?.kind === 'declined' ? await stores.find(shopId) : undefined;
  const decisionContext = {
    settings:
      store === undefined
        ? DEFAULT_BILLING_SETTINGS
        : settingsOfInstallation(await settings.read(shopId), store),
    timeZone: store === undefined ? UTC : timeZoneOf(store),
    nowMs: now(),
  };
  const decision = decideAfterAttempt(charge, orderOutcome, decisionContext);
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
