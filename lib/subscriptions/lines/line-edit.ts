/** What draft mutations of lines have in common: the input of a variant that comes in, and whose fault a refusal is. */
import type { Incoming } from './incoming-line.ts';

/** The platform's codes whose meaning is clear for a line. */
export const LINE_CODES: Readonly<Record<string, string>> = {
  GREATER_THAN_OR_EQUAL_TO: 'QUANTITY_INVALID',
};

/** Price, plan and every step of the plan, over or still to come, as the platform's line inputs take them. */
export function pricedInput({ plan, price }: Incoming): Readonly<Record<string, unknown>> {
  const { currentPrice, basePrice, cycleDiscounts } = price;
  return {
    currentPrice,
    pricingPolicy: { basePrice, cycleDiscounts },
    sellingPlanId: plan.id,
    sellingPlanName: plan.name,
  };
}

/** The client's argument for a field of a line's input. Prices are ours: their fault is the variant's. */
export function blameLine(path: readonly (string | number)[], field: readonly string[]): readonly string[] {
  const own = field.includes('quantity')
    ? ['quantity']
    : field.includes('sellingPlanId') && path[0] === 'add'
      ? ['sellingPlanId']
      : field.includes('lineId')
        ? ['lineId']
        : field.length > 1
          ? ['productVariantId']
          : [];
  return [...path.map(String), ...own];
}
