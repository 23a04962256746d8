/** A store's manual discount, as the emulated platform stores it: 10 % off all lines, for all payments. */
import type { DiscountRecord } from '../../../sandbox/platform/state/contract-records.ts';

export function discountByHand(more: Partial<DiscountRecord> = {}): DiscountRecord {
  return {
    id: '0f0f0f0f-0000-4000-a000-000000000001',
    title: null,
    type: 'MANUAL',
    targetType: 'LINE_ITEM',
    value: { percentage: 10 },
    lineIds: null,
    recurringCycleLimit: null,
    usageCount: 0,
    redeemCode: null,
    rejectionReason: null,
    ...more,
  };
}
