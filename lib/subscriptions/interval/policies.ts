/**
 * With another interval a contract's billing and delivery policies keep their limits of cycles, and the days that still
 * fit.
 */
import { type OperationError, refuse } from '../operation-error.ts';
import { everyText, type Rhythm } from '../selling-plans/rhythm.ts';
import { type Anchor, anchorsText } from '../selling-plans/selling-plan.ts';

export type DeliveryPolicy = Rhythm & { readonly anchors: readonly Anchor[] };
type BillingPolicy = DeliveryPolicy & {
  readonly minCycles: number | null;
  readonly maxCycles: number | null;
};
export type Policies = { readonly billingPolicy: BillingPolicy; readonly deliveryPolicy: DeliveryPolicy };

type Rhythms = { readonly billing: Rhythm; readonly delivery: Rhythm };

/** Both policies in other rhythms, on the days that they are on; ANCHORS_DO_NOT_FIT. Limits of cycles stay. */
export function onSameDays(
  { billingPolicy, deliveryPolicy }: Policies,
  { billing, delivery }: Rhythms,
): Policies | OperationError {
  const misfits = [
    ...misfitsOf('billing', billingPolicy.anchors, billing),
    ...misfitsOf('delivery', deliveryPolicy.anchors, delivery),
  ];
  if (misfits.length > 0) {
    const message = `These anchors do not fit ${everyText(billing)}: ${misfits.join(', ')}.`;
    return refuse('ANCHORS_DO_NOT_FIT', { field: ['interval'], message });
  }
  return {
    billingPolicy: { ...billingPolicy, ...billing },
    deliveryPolicy: { ...deliveryPolicy, ...delivery },
  };
}

/** Whether two policies are the same rhythm on the same days. */
export function isSamePolicy(one: DeliveryPolicy, other: DeliveryPolicy): boolean {
  return (
    one.interval === other.interval &&
    one.intervalCount === other.intervalCount &&
    anchorsText(one.anchors) === anchorsText(other.anchors)
  );
}

const FITTING: Readonly<Record<string, string>> = { WEEK: 'WEEKDAY', MONTH: 'MONTHDAY', YEAR: 'YEARDAY' };
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function misfitsOf(what: string, anchors: readonly Anchor[], { interval }: Rhythm): string[] {
  return anchors
    .filter(({ type }) => type !== FITTING[interval])
    .map((anchor) => `${what} on ${named(anchor)}`);
}

function named({ type, day, month }: Anchor): string {
  if (type === 'WEEKDAY') return WEEKDAYS[day - 1] ?? `weekday ${day}`;
  return type === 'YEARDAY' ? `day ${day} of month ${month}` : `day ${day} of the month`;
}
