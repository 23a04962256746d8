/** A customer's change of the interval can change what delivery costs, as other lines do. */
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import { type FollowedDelivery, followDelivery } from '../delivery/follow-delivery.ts';
import type { OperationDeps } from '../operation.ts';
import type { IntervalContract, IntervalTarget } from './interval-state.ts';

type Change = {
  readonly contract: IntervalContract;
  readonly target: IntervalTarget;
  /** Facts of the lines. */
  readonly facts: readonly ChangedFact[];
  /** The price of delivery, if a payment gets another number of deliveries. */
  readonly deliveryPrice: string | undefined;
  /** The client's argument that decides. */
  readonly field: string;
};

/**
 * Returns the steps that keep the delivery price right.
 * @returns undefined when nothing changes that it depends on, or no customer is acting
 */
export function intervalDelivery(
  deps: OperationDeps,
  { contract, target, facts, deliveryPrice: amount, field }: Change,
): FollowedDelivery | undefined {
  const isPriced = amount !== undefined || facts.some((fact) => fact.field.endsWith('.currentPrice'));
  if (deps.actingCustomerId === undefined || !isPriced) return undefined;
  const price = amount === undefined ? undefined : { ...contract.deliveryPrice, amount };
  return followDelivery(deps, { contract, after: target, price, field: [field] });
}
