/**
 * What a payment costs, worked out apart from the service: from the platform's facts about prepaid plans and the rules
 * of a payment's money, in whole numbers and fractions. Which plan a change takes is plan-oracle.ts.
 *
 * All money is whole minor units of the contract's currency (`minorOf` and `decimalOf` translate), so "rounded once in
 * the currency" is: rounded once, half up, to a whole number. `d` is the number of deliveries that one payment is for.
 */

/** A step of a pricing policy, in force once `afterCycle` orders were made. A percentage is in percent, 12.5 say. */
export type Step = {
  readonly type: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
  /** Percent, or minor units. */
  readonly value: number;
  readonly afterCycle: number;
};

export type Interval = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
export type Frequency = { readonly interval: Interval; readonly intervalCount: number };

/** A fraction; the divisor is above 0. */
type Fraction = { readonly over: bigint; readonly under: bigint };

/** Returns the length of an interval in days or in months, which cannot be compared with each other. */
export function lengthOf({ interval, intervalCount }: Frequency): { unit: 'day' | 'month'; count: number } {
  if (interval === 'DAY') return { unit: 'day', count: intervalCount };
  if (interval === 'WEEK') return { unit: 'day', count: 7 * intervalCount };
  if (interval === 'MONTH') return { unit: 'month', count: intervalCount };
  return { unit: 'month', count: 12 * intervalCount };
}

/** Returns d = billing ÷ delivery, or null if it is not a whole number. */
export function deliveriesOf(billing: Frequency, delivery: Frequency): number | null {
  const [whole, part] = [lengthOf(billing), lengthOf(delivery)];
  const isWhole = whole.unit === part.unit && whole.count >= part.count && whole.count % part.count === 0;
  return isWhole ? whole.count / part.count : null;
}

/** Returns the step in force for the order after `ordersMade`, or null if no step has started. */
export function stepInForce(steps: readonly Step[], ordersMade: number): Step | null {
  const reachedSteps = steps.filter(({ afterCycle }) => afterCycle <= ordersMade);
  return reachedSteps.reduce<Step | null>(
    (last, step) => (last === null || step.afterCycle >= last.afterCycle ? step : last),
    null,
  );
}

/**
 * Returns the minor units of one piece in a payment for d deliveries under a step, with `base` for one delivery:
 * PERCENTAGE base × d × (1 − p), FIXED_AMOUNT base × d − amount and at least 0, PRICE its value, without a step base ×
 * d.
 * @returns null for a PRICE over several deliveries, whose rule the platform does not publish.
 */
export function priceUnder(step: Step | null, base: number, d: number): number | null {
  const whole = BigInt(base) * BigInt(d);
  if (step === null) return Number(whole);
  if (step.type === 'PRICE') return d === 1 ? step.value : null;
  if (step.type === 'FIXED_AMOUNT') {
    const left = whole - BigInt(step.value);
    return Number(left < 0n ? 0n : left);
  }
  const percent = fractionOf(step.value);
  return roundedOnce({ over: whole * (100n * percent.under - percent.over), under: 100n * percent.under });
}

/**
 * What one piece costs in the contract's next payment under these steps. `ordersMade` counts billed cycles, and one for
 * a checkout's order. Null if any of the steps is a PRICE and d > 1: such a plan is refused whole.
 */
export function nextPrice(
  steps: readonly Step[],
  { base, d, ordersMade }: { base: number; d: number; ordersMade: number },
): number | null {
  if (d > 1 && steps.some(({ type }) => type === 'PRICE')) return null;
  return priceUnder(stepInForce(steps, ordersMade), base, d);
}

/**
 * A price per payment that stays the same per delivery: × new d ÷ old d, rounded once. That of delivery, and of a line
 * without a pricing policy.
 */
export function sameForEachDelivery(minor: number, from: number, to: number): number {
  return roundedOnce({ over: BigInt(minor) * BigInt(to), under: BigInt(from) });
}

/** Decimal places of a currency: 0 for JPY, 2 for EUR, 3 for KWD. */
function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Minor units of a decimal amount. Throws if the amount has more places than the currency. */
export function minorOf(amount: string, currency: string): number {
  const { over, under } = fractionOf(amount);
  const minor = over * 10n ** BigInt(digitsOf(currency));
  if (minor % under !== 0n) throw new Error(`${amount} is finer than ${currency} is.`);
  return Number(minor / under);
}

/** A decimal amount with all places of the currency: `14.00`. */
export function decimalOf(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const written = String(Math.abs(minor)).padStart(digits + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (digits === 0) return sign + written;
  return `${sign}${written.slice(0, -digits)}.${written.slice(-digits)}`;
}

/** The exact value of a decimal as it is written: `33.33`, `1e-7`. */
function fractionOf(decimal: string | number): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(decimal));
  if (match === null) throw new Error(`${decimal} is no decimal.`);
  const [, sign, whole = '', places = '', exponent = '0'] = match;
  const digits = BigInt(whole + places) * (sign === '-' ? -1n : 1n);
  const shift = Number(exponent) - places.length;
  return shift < 0
    ? { over: digits, under: 10n ** BigInt(-shift) }
    : { over: digits * 10n ** BigInt(shift), under: 1n };
}

/** Half up, to a whole number; of nothing below 0. */
function roundedOnce({ over, under }: Fraction): number {
  if (over < 0n) throw new Error('No price is below 0.');
  return Number((2n * over + under) / (2n * under));
}
