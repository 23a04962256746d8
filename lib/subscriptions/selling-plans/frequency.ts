/**
 * How often a contract is billed or delivered. The billing and the delivery frequency determine how many deliveries a
 * payment covers.
 */

import { type Message, message } from '../../messages/message.ts';

/** `interval` is a value of the platform's enum SellingPlanInterval: DAY, WEEK, MONTH or YEAR. */
export type Frequency = { readonly interval: string; readonly intervalCount: number };

export type Frequencies = { readonly billingPolicy: Frequency; readonly deliveryPolicy: Frequency };

const INTERVAL_LENGTHS: Readonly<Record<string, readonly [base: string, length: number]>> = {
  DAY: ['DAY', 1],
  WEEK: ['DAY', 7],
  MONTH: ['MONTH', 1],
  YEAR: ['MONTH', 12],
};

function intervalLengthOf({ interval, intervalCount }: Frequency) {
  const [unit, length] = INTERVAL_LENGTHS[interval] ?? [interval, 1];
  return { base: unit, length: length * intervalCount };
}

/**
 * Returns how many deliveries a payment covers: the billing interval divided by the delivery interval.
 * @returns undefined when the result is not a whole number of at least 1, for example for months and weeks
 */
export function deliveriesPerPayment({ billingPolicy, deliveryPolicy }: Frequencies): number | undefined {
  const [billing, delivery] = [intervalLengthOf(billingPolicy), intervalLengthOf(deliveryPolicy)];
  const deliveries = billing.length / delivery.length;
  const isWholeMultiple = billing.base === delivery.base && Number.isInteger(deliveries);
  return isWholeMultiple && deliveries >= 1 ? deliveries : undefined;
}

/**
 * Returns the delivery frequency at which a payment covers this number of deliveries.
 * @returns undefined when the deliveries cannot be spread evenly
 */
export function deriveDeliveryFrequency(billing: Frequency, deliveries: number): Frequency | undefined {
  if (deliveries === 1) return { interval: billing.interval, intervalCount: billing.intervalCount };
  const { base, length } = intervalLengthOf(billing);
  const deliveryLength = length / deliveries;
  if (!Number.isInteger(deliveryLength) || deliveryLength < 1) return undefined;
  const unitLength = INTERVAL_LENGTHS[billing.interval]?.[1] ?? 1;
  return deliveryLength % unitLength === 0
    ? { interval: billing.interval, intervalCount: deliveryLength / unitLength }
    : { interval: base, intervalCount: deliveryLength };
}

/**
 * The lengths of a day and of a mean month in parts of 1/4,800 day, so that both are whole numbers: 4,800 months of
 * the Gregorian calendar have 146,097 days.
 */
const PARTS_PER_UNIT: Readonly<Record<string, number>> = { DAY: 4_800, MONTH: 146_097 };

/** A frequency with several deliveries in each interval, for example on several days of a week. */
export type DeliveryFrequency = {
  readonly interval: string;
  readonly intervalCount: number;
  readonly deliveriesPerInterval: number;
};

/** Whether the first frequency is the higher one. Months and years count with their mean length in days. */
export function isMoreFrequent(first: DeliveryFrequency, second: DeliveryFrequency): boolean {
  return (
    intervalLengthInParts(first) * second.deliveriesPerInterval <
    intervalLengthInParts(second) * first.deliveriesPerInterval
  );
}

function intervalLengthInParts(frequency: DeliveryFrequency): number {
  const { base, length } = intervalLengthOf(frequency);
  return length * (PARTS_PER_UNIT[base] ?? 1);
}

/**
 * Returns the frequency of a policy.
 * @returns undefined when the policy does not repeat
 */
export function toFrequency({ interval, intervalCount }: Partial<Frequency>): Frequency | undefined {
  return interval === undefined || intervalCount === undefined ? undefined : { interval, intervalCount };
}

/** Whether both frequencies are defined and equal. */
export function isSameFrequency(one: Frequency | undefined, other: Frequency | undefined): boolean {
  return one !== undefined && one.interval === other?.interval && one.intervalCount === other.intervalCount;
}

/** Returns a message such as `every 2 weeks` or `every month`. */
export function frequencyMessage({ interval, intervalCount: count }: Frequency): Message {
  return message('rhythm', { interval, count });
}
