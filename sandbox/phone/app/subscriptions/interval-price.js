/**
 * The price of each order for another frequency, as the service computes it: each line under its new plan, from its
 * base price, for the next order. If the loaded data does not determine a price, none is displayed.
 */

/**
 * @typedef {import('../messages/format.js').Money} Money
 * @typedef {{
 *   adjustmentType: string, adjustmentValue: { percentage?: number, amount?: string, currencyCode?: string },
 *   afterCycle?: number | null,
 * }} PricingPolicy
 * @typedef {{ id: string, pricingPolicies: PricingPolicy[] }} PricedPlan
 * @typedef {{
 *   quantity: number, sellingPlanId: string | null, currentPrice: Money, lineDiscountedPrice: Money,
 *   pricingPolicy: { basePrice: Money } | null,
 * }} PricedLine
 * @typedef {{ ordersMade: number, deliveries: number, currencyCode: string }} Terms
 *   `deliveries`: the number of deliveries for one payment.
 */

/** A percentage is a float; further digits are rounding errors. */
const PERCENT_UNITS = 10 ** 8;

/**
 * Returns the total of the lines for one payment, without delivery, or undefined when it cannot be computed.
 * @param {{ line: PricedLine, plan: PricedPlan }[]} pairs
 * @param {Terms} terms
 * @returns {bigint | undefined} In the currency's smallest unit.
 */
export function linesPrice(pairs, terms) {
  let sum = 0n;
  for (const { line, plan } of pairs) {
    const each = line.pricingPolicy === null ? toMinor(line.currentPrice) : unitPrice(line, plan, terms);
    if (each === undefined) return undefined;
    const { lineDiscountedPrice: currentPrice, sellingPlanId, quantity } = line;
    sum += sellingPlanId === plan.id ? toMinor(currentPrice) : each * BigInt(quantity);
  }
  return sum;
}

/** @param {Money} money In the currency's smallest unit, rounded half up. */
export function toMinor({ amount, currencyCode }) {
  const digits = digitsOf(currencyCode);
  const [whole = '0', fraction = ''] = amount.split('.');
  const units = BigInt(whole + fraction.padEnd(digits + 1, '0').slice(0, digits + 1));
  return (units + 5n) / 10n;
}

/** @param {bigint} minor @param {string} currencyCode @returns {Money} */
export function fromMinor(minor, currencyCode) {
  const digits = digitsOf(currencyCode);
  return { amount: (Number(minor) / 10 ** digits).toFixed(digits), currencyCode };
}

/** @param {PricedLine} line @param {PricedPlan} plan @param {Terms} terms */
function unitPrice({ pricingPolicy }, { pricingPolicies }, { ordersMade, deliveries, currencyCode }) {
  if (pricingPolicy === null) return undefined;
  const base = toMinor(pricingPolicy.basePrice) * BigInt(deliveries);
  /** @type {{ from: number, price: bigint } | undefined} */
  let current;
  for (const policy of pricingPolicies) {
    const price = priceUnder(policy, { base, deliveries, currencyCode });
    if (price === undefined) return undefined;
    const from = policy.afterCycle ?? 0;
    // The last step that has started applies; of two steps with the same start, the later one.
    if (from <= ordersMade && from >= (current?.from ?? 0)) current = { from, price };
  }
  return current?.price ?? base;
}

/** @param {PricingPolicy} policy @param {{ base: bigint, deliveries: number, currencyCode: string }} priced */
function priceUnder({ adjustmentType, adjustmentValue }, { base, deliveries, currencyCode }) {
  const { percentage, amount, currencyCode: currency } = adjustmentValue;
  if (adjustmentType === 'PERCENTAGE' && percentage !== undefined) {
    const left = BigInt(Math.round((100 - percentage) * PERCENT_UNITS));
    const whole = 100n * BigInt(PERCENT_UNITS);
    return left <= 0n ? 0n : (2n * base * left + whole) / (2n * whole);
  }
  if (amount === undefined || currency !== currencyCode) return undefined;
  const value = toMinor({ amount, currencyCode });
  if (adjustmentType === 'FIXED_AMOUNT') return base > value ? base - value : undefined;
  return adjustmentType === 'PRICE' && deliveries === 1 ? value : undefined;
}

/** @param {string} currency */
function digitsOf(currency) {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}
