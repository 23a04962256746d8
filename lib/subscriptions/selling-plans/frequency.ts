/**
 * How often something is due. Billing and delivery have one frequency each; together they determine how many
 * deliveries a payment covers.
 */

import { type Message, message } from '../../messages/message.ts';

/** `interval` is the platform's SellingPlanInterval. */
export type Frequency = { readonly interval: string; readonly intervalCount: number };

export type Frequencies = { readonly billingPolicy: Frequency; readonly deliveryPolicy: Frequency };

const LENGTHS: Readonly<Record<string, readonly [base: string, length: number]>> = {
  DAY: ['DAY', 1],
  WEEK: ['DAY', 7],
  MONTH: ['MONTH', 1],
  YEAR: ['MONTH', 12],
};

function lengthOf({ interval, intervalCount }: Frequency) {
  const [base, length] = LENGTHS[interval] ?? [interval, 1];
  return { base, length: length * intervalCount };
}

/**
 * Returns billing ÷ delivery, at least 1.
 * @returns undefined when it is no whole number, for example for months and weeks
 */
export function deliveriesPerPayment({ billingPolicy, deliveryPolicy }: Frequencies): number | undefined {
  const [billing, delivery] = [lengthOf(billingPolicy), lengthOf(deliveryPolicy)];
  const deliveries = billing.length / delivery.length;
  const isWhole = billing.base === delivery.base && Number.isInteger(deliveries);
  return isWhole && deliveries >= 1 ? deliveries : undefined;
}

/**
 * Returns the delivery frequency for this number of deliveries in each payment.
 * @returns undefined when they cannot be spread evenly
 */
export function deliveryFrequency(billing: Frequency, deliveries: number): Frequency | undefined {
  if (deliveries === 1) return { interval: billing.interval, intervalCount: billing.intervalCount };
  const { base, length } = lengthOf(billing);
  const each = length / deliveries;
  if (!Number.isInteger(each) || each < 1) return undefined;
  const unitLength = LENGTHS[billing.interval]?.[1] ?? 1;
  return each % unitLength === 0
    ? { interval: billing.interval, intervalCount: each / unitLength }
    : { interval: base, intervalCount: each };
}

/** 4,800 months of the Gregorian calendar have 146,097 days, so lengths are exact in this fraction of a day. */
const PARTS: Readonly<Record<string, number>> = { DAY: 4_800, MONTH: 146_097 };

/** A number of `times` in each interval, for example on several days of a week. */
export type DeliveryFrequency = {
  readonly interval: string;
  readonly intervalCount: number;
  readonly times: number;
};

/** Compares two frequencies by days; months and years have their mean length. */
export function isMoreFrequent(one: DeliveryFrequency, other: DeliveryFrequency): boolean {
  return partsOf(one) * other.times < partsOf(other) * one.times;
}

function partsOf(frequency: DeliveryFrequency): number {
  const { base, length } = lengthOf(frequency);
  return length * (PARTS[base] ?? 1);
}

/** @returns undefined when the policy does not repeat */
export function frequencyOf({ interval, intervalCount }: Partial<Frequency>): Frequency | undefined {
  return interval === undefined || intervalCount === undefined ? undefined : { interval, intervalCount };
}

/** Whether both are defined and equal. */
export function isSameFrequency(one: Frequency | undefined, other: Frequency | undefined): boolean {
  return one !== undefined && one.interval === other?.interval && one.intervalCount === other.intervalCount;
}

/** `every 2 weeks`, `every month`. */
export function frequencyMessage({ interval, intervalCount: count }: Frequency): Message {
  return message('rhythm', { interval, count });
}
