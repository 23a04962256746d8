/**
 * Builds a contract's billing and delivery policies at another frequency. The limits of cycles stay, and so do the
 * delivery days (anchors) if they fit the new interval.
 */
import { type Message, message } from '../../messages/message.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { type Frequency, frequencyMessage } from '../selling-plans/frequency.ts';
import { type DeliveryAnchor, toComparableAnchors } from '../selling-plans/selling-plan.ts';

export type DeliveryPolicy = Frequency & { readonly anchors: readonly DeliveryAnchor[] };
type BillingPolicy = DeliveryPolicy & {
  readonly minCycles: number | null;
  readonly maxCycles: number | null;
};
export type ContractPolicies = {
  readonly billingPolicy: BillingPolicy;
  readonly deliveryPolicy: DeliveryPolicy;
};

type Frequencies = { readonly billing: Frequency; readonly delivery: Frequency };

/** Returns both policies at the new frequencies, on the same days, or ANCHORS_DO_NOT_FIT. Limits of cycles stay. */
export function withFrequenciesOnSameDays(
  { billingPolicy, deliveryPolicy }: ContractPolicies,
  { billing, delivery }: Frequencies,
): ContractPolicies | OperationError {
  const misfitMessages = [
    ...listMisfitMessages('BILLING', billingPolicy.anchors, billing),
    ...listMisfitMessages('DELIVERY', deliveryPolicy.anchors, delivery),
  ];
  if (misfitMessages.length > 0) {
    const errorMessage = message('anchorsDoNotFit', {
      rhythm: frequencyMessage(billing),
      anchors: misfitMessages,
    });
    return createUserError('ANCHORS_DO_NOT_FIT', { field: ['interval'], message: errorMessage });
  }
  return {
    billingPolicy: { ...billingPolicy, ...billing },
    deliveryPolicy: { ...deliveryPolicy, ...delivery },
  };
}

/** Whether two policies have the same frequency and the same days. */
export function isSamePolicy(one: DeliveryPolicy, other: DeliveryPolicy): boolean {
  return (
    one.interval === other.interval &&
    one.intervalCount === other.intervalCount &&
    toComparableAnchors(one.anchors) === toComparableAnchors(other.anchors)
  );
}

const ANCHOR_TYPE_BY_INTERVAL: Readonly<Record<string, string>> = {
  WEEK: 'WEEKDAY',
  MONTH: 'MONTHDAY',
  YEAR: 'YEARDAY',
};

function listMisfitMessages(
  policy: string,
  anchors: readonly DeliveryAnchor[],
  { interval }: Frequency,
): Message[] {
  return anchors
    .filter(({ type }) => type !== ANCHOR_TYPE_BY_INTERVAL[interval])
    .map((anchor) => anchorMessage(policy, anchor));
}

function anchorMessage(policy: string, { type, day, month }: DeliveryAnchor): Message {
  if (type === 'WEEKDAY') return message('anchorOnWeekday', { policy, day: String(day) });
  return type === 'YEARDAY'
    ? message('anchorOnYearday', { policy, day, month: month ?? 0 })
    : message('anchorOnMonthday', { policy, day });
}
