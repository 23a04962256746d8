/** The total of an order: the price of each line under its pricing policy, and the delivery. */
import type { Line } from './description.ts';

/**
 * Returns the price of one piece for the order after `ordersMade` orders. The service sets it only where the current
 * price is that of a step and another step has another price; any other price is the merchant's own and stays.
 */
export function stepPrice({ currentPriceMinor, steps }: Line, ordersMade: number): number {
  const isOfStep = steps.some(({ priceMinor }) => priceMinor === currentPriceMinor);
  const isFlat = steps.every(({ priceMinor }) => priceMinor === currentPriceMinor);
  if (!isOfStep || isFlat) return currentPriceMinor;
  const reached = steps.filter(({ afterCycle }) => afterCycle <= ordersMade);
  return (
    reached.toSorted((one, other) => one.afterCycle - other.afterCycle).at(-1)?.priceMinor ??
    currentPriceMinor
  );
}

/** Returns the lines as the service sets them before it charges the order after `ordersMade` orders. */
export function applySteps(lines: readonly Line[], ordersMade: number): readonly Line[] {
  return lines.map((line) => ({ ...line, currentPriceMinor: stepPrice(line, ordersMade) }));
}

/** Returns the total of an order in minor units. */
export function sumOrder(lines: readonly Line[], deliveryPriceMinor: number): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.currentPriceMinor, deliveryPriceMinor);
}
