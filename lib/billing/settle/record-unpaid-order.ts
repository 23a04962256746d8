/** Records in the timeline that an order ended unpaid, from which the event `order.not_charged` follows. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ScheduledTasks } from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';
import { type EventRecord, findTimelineEntry, formatEventNumber } from '../../timeline/event-record.ts';
import { recordEntryWithoutIntent } from '../../timeline/intent.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';

export type RecordUnpaidDeps = {
  readonly charges: Pick<BillingCharges, 'replace'>;
  readonly table: Table;
  readonly scheduledTasks: Pick<ScheduledTasks, 'put'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

/**
 * Stores a charge as closed unpaid, and records its entry. A charge that another process has changed is left as it is.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function closeUnpaidCharge(
  deps: RecordUnpaidDeps,
  storedCharge: BillingCharge,
  closedCharge: BillingCharge,
): Promise<void> {
  const writtenCharge = await deps.charges.replace(storedCharge, closedCharge);
  if (writtenCharge !== 'refused') await recordUnpaidOrder(deps, writtenCharge);
}

/**
 * Records the entry of a charge that was closed unpaid, and removes its reminder. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function recordUnpaidOrder(deps: RecordUnpaidDeps, charge: BillingCharge): Promise<void> {
  const entry = toUnpaidEntry(charge);
  if (entry === undefined) return;
  if ((await findTimelineEntry(deps, entry)) === undefined) {
    await recordEntryWithoutIntent(deps, entry);
    if (charge.state === 'REPORTED') logReportedOrder(deps, charge);
  }
  await deps.charges.replace(charge, withChargeChange(charge, { remindAtMs: undefined }));
}

function logReportedOrder({ logger }: RecordUnpaidDeps, charge: BillingCharge): void {
  const { shopId, contractNumber: contract, cycleIndex, reason } = charge;
  logger.warn('order.reported', { alarm: 'billing_orders_reported', shopId, contract, cycleIndex, reason });
}

/** Returns the timeline entry of a closed charge, with the time of its reminder; undefined when it is recorded already. */
function toUnpaidEntry(charge: BillingCharge): EventRecord | undefined {
  const {
    shopId,
    contractNumber: contract,
    cycleIndex,
    reason,
    finalAction,
    remindAtMs: createdAtMs,
  } = charge;
  if (createdAtMs === undefined || reason === undefined) return undefined;
  const id = `unpaid-${contract}-${cycleIndex}-${createdAtMs}`;
  return {
    ...{ id, requestId: id, shopId, contract, createdAtMs, actor: { kind: 'SERVICE' }, outcome: 'DONE' },
    number: formatEventNumber({ createdAtMs, sequence: 0, contract }),
    action: 'billing_cycle_not_charged',
    details: {
      billingCycleIndex: cycleIndex,
      expectedDate: formatInstant(floorToSecond(charge.expectedAtMs)),
      notChargedReason: reason,
      ...(charge.lastErrorCode !== undefined && { errorCode: charge.lastErrorCode }),
      ...(finalAction !== undefined && { finalAction }),
    },
    // The changes of the final action are in an entry of their own.
    changes: [],
  };
}
