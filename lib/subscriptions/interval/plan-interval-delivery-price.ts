/** Adjusts the delivery price when a customer changes the interval. */
import type { FactChange } from '../../timeline/facts.ts';
import {
  type DeliveryPriceSteps,
  planDeliveryPriceAdjustment,
} from '../delivery/delivery-price-adjustment.ts';
import type { OperationDeps } from '../operation.ts';
import type { IntervalContract, IntervalTarget } from './interval-state.ts';

type IntervalDeliveryChange = {
  readonly contract: IntervalContract;
  readonly target: IntervalTarget;
  /** The facts that change on the lines. */
  readonly facts: readonly FactChange[];
  /** The new delivery price as a decimal text. Undefined when the number of deliveries per payment stays the same. */
  readonly deliveryPrice: string | undefined;
  /** The client's argument that user errors name. */
  readonly field: string;
};

/**
 * Returns the steps that adjust the delivery price.
 * @returns undefined when neither a line's price nor the number of deliveries per payment changes, or no customer is
 * acting
 */
export function planIntervalDeliveryPrice(
  deps: OperationDeps,
  { contract, target, facts, deliveryPrice: amount, field }: IntervalDeliveryChange,
): DeliveryPriceSteps | undefined {
  const isPriceChanged = amount !== undefined || facts.some((fact) => fact.field.endsWith('.currentPrice'));
  if (deps.actingCustomerId === undefined || !isPriceChanged) return undefined;
  const price = amount === undefined ? undefined : { ...contract.deliveryPrice, amount };
  return planDeliveryPriceAdjustment(deps, { contract, frequenciesAfter: target, price, field: [field] });
}
