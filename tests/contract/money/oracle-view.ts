/** A contract of the emulated platform as the oracle of plans takes it: read from its records, not from the service. */
import { countDeliveriesPerPayment } from '../../../sandbox/platform/state/deliveries.ts';
import type { StoreState } from '../../../sandbox/platform/state/state.ts';
import type { OracleContract, OraclePlan } from './plan-oracle.ts';
import type { Frequency, Step } from './price-oracle.ts';

type ContractRecord = NonNullable<ReturnType<StoreState['contracts']['get']>>;
type PlanRecord = NonNullable<ReturnType<StoreState['sellingPlans']['get']>>;
type Adjustment = { adjustmentType: Step['type']; adjustmentValue: number; afterCycle: number | null };

/** The contract of that number, with all plans that its lines' variants are sold under now. Throws if it is not there. */
export function oracleContract(store: StoreState, contractId: number): OracleContract {
  const contract = contractOf(store, contractId);
  const { billingPolicy, deliveryPolicy, deliveryPriceMinor, lines } = contract.content;
  return {
    billing: frequencyOf(billingPolicy),
    delivery: frequencyOf(deliveryPolicy),
    anchors: billingPolicy.anchors,
    deliveryPrice: deliveryPriceMinor,
    ordersMade: ordersMade(store, contract),
    lines: lines.map(({ id, quantity, currentPriceMinor, pricingPolicy, sellingPlanId, variantId }) => ({
      id,
      quantity,
      price: currentPriceMinor,
      pricing:
        pricingPolicy === null
          ? null
          : { base: pricingPolicy.basePriceMinor, steps: pricingPolicy.cycleDiscounts.map(stepOf) },
      planId: sellingPlanId,
      offers: variantId === null ? [] : oraclePlans(store, variantId),
    })),
  };
}

/** All plans that a variant is sold under, by itself or with its product. */
export function oraclePlans(store: StoreState, variantId: number): OraclePlan[] {
  const productId = store.variants.get(variantId)?.productId ?? 0;
  const groups = [...store.sellingPlanGroups.values()].filter(
    ({ productIds, variantIds }) => productIds.includes(productId) || variantIds.includes(variantId),
  );
  return [...store.sellingPlans.values()]
    .filter(({ groupId }) => groups.some(({ id }) => id === groupId))
    .map(planOf);
}

/** Deliveries that one payment of the contract is for. Throws if they are no whole number. */
export function deliveriesNow(store: StoreState, contractId: number): number {
  const deliveries = countDeliveriesPerPayment(contractOf(store, contractId).content);
  if (deliveries === null)
    throw new Error(`Contract ${contractId} is not delivered a whole number of times.`);
  return deliveries;
}

function contractOf(store: StoreState, contractId: number): ContractRecord {
  const contract = store.contracts.get(contractId);
  if (contract === undefined) throw new Error(`There is no contract ${contractId}.`);
  return contract;
}

/** Billed cycles, and the checkout's order where it is no cycle's. */
function ordersMade(store: StoreState, { billedCycles, originOrderId }: ContractRecord): number {
  const origin = store.orders.get(originOrderId ?? 0);
  return billedCycles.length + (origin?.cycleIndex === null ? 1 : 0);
}

function planOf({
  id,
  name,
  position,
  billingPolicy,
  deliveryPolicy,
  pricingPolicies,
}: PlanRecord): OraclePlan {
  return {
    id,
    name,
    position,
    billing: frequencyOf(billingPolicy),
    delivery: frequencyOf(deliveryPolicy),
    anchors: billingPolicy.anchors,
    steps: pricingPolicies.map(stepOf),
  };
}

function frequencyOf({ interval, intervalCount }: Frequency): Frequency {
  return { interval, intervalCount };
}

function stepOf({ adjustmentType, adjustmentValue, afterCycle }: Adjustment): Step {
  return { type: adjustmentType, value: adjustmentValue, afterCycle: afterCycle ?? 0 };
}
