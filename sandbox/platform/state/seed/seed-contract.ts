/** Creates a contract of the seed, with its past orders. */

import { addOrder } from '../add-order.ts';
import { createScheduleSegment, findCycleAt, findCycleByIndex } from '../billing-cycles.ts';
import type { SellingPlanRecord } from '../catalogue-records.ts';
import type { ContractContent, ContractRecord, ContractStatus, LineRecord } from '../contract-records.ts';
import type { AddressRecord } from '../customer-records.ts';
import { countDeliveriesPerPayment, listCheckoutDeliveryDates } from '../deliveries.ts';
import { formatIsoInstant, HOUR_MS } from '../instant.ts';
import { deriveUuid, takeNextId } from '../opaque-id.ts';
import { createLinePricing } from '../price.ts';
import type { StoreState } from '../state.ts';
import { deriveCardId } from './seed-store.ts';

export type ContractSeed = {
  id: number;
  customerId: number;
  createdMs: number;
  planId: number;
  status?: ContractStatus;
  currencyCode?: string;
  lines: LineSeed[];
  /** The delivery price of one payment, in minor units; 490 by default. */
  deliveryPriceMinor?: number;
  /** Bought in the store: the checkout created the first order. Otherwise an app imported the contract. */
  checkout?: boolean;
  /** Whether past cycles were charged and have orders. */
  history?: boolean;
  /** Belongs to another app: the platform shows it to no other. */
  ofAnotherApp?: boolean;
};

/** `baseMinor` is the price of one piece at the purchase, by default the current price; `planId` is the line's own. */
type LineSeed =
  | [variantId: number, quantity: number]
  | { variantId: number; quantity: number; baseMinor?: number; planId?: number | null };

/** Adds a contract of one plan, with its past orders if requested. */
export function addContract(store: StoreState, seed: ContractSeed, nowMs: number): ContractRecord {
  const planRecord = store.sellingPlans.get(seed.planId);
  const address = [...store.addresses.values()].find((candidate) => candidate.customerId === seed.customerId);
  if (planRecord === undefined || address === undefined)
    throw new Error(`The seed of contract ${seed.id} is incomplete.`);
  const contract = createContractRecord(store, seed, { plan: planRecord, address });
  const contracts = seed.ofAnotherApp === true ? store.contractsOfOtherApps : store.contracts;
  contracts.set(contract.id, contract);
  if (seed.checkout === true) addCheckoutOrder(store, contract, { plan: planRecord, nowMs });
  if (seed.history === true) chargePastCycles(store, contract, nowMs);
  const currentCycle = findCycleAt(contract, nowMs);
  contract.content.nextBillingDate = currentCycle === null ? null : formatIsoInstant(currentCycle.endMs);
  return contract;
}

type ContractTerms = { plan: SellingPlanRecord; address: AddressRecord };

function createContractRecord(store: StoreState, seed: ContractSeed, terms: ContractTerms): ContractRecord {
  const createdAt = formatIsoInstant(seed.createdMs);
  const billingPolicy = structuredClone(terms.plan.billingPolicy);
  return {
    __typename: 'SubscriptionContract',
    id: seed.id,
    createdAt,
    updatedAt: createdAt,
    revisionId: seed.id * 100,
    originOrderId: null,
    lastPaymentStatus: null,
    lastBillingAttemptErrorType: null,
    content: createContractContent(store, seed, terms),
    schedule: [createScheduleSegment(store, { fromIndex: 1, startAt: createdAt, policy: billingPolicy })],
    billedCycles: [],
    cycleEdits: {},
  };
}

function createContractContent(
  store: StoreState,
  seed: ContractSeed,
  { plan, address }: ContractTerms,
): ContractContent {
  const { cutoff: _cutoff, preAnchorBehavior: _behavior, ...deliveryPolicy } = plan.deliveryPolicy;
  const deliveries = countDeliveriesPerPayment(plan) ?? 1;
  return {
    customerId: seed.customerId,
    paymentMethodId: deriveCardId(store, seed.customerId),
    currencyCode: seed.currencyCode ?? store.currencyCode,
    status: seed.status ?? 'ACTIVE',
    nextBillingDate: null,
    billingPolicy: structuredClone(plan.billingPolicy),
    deliveryPolicy: structuredClone(deliveryPolicy),
    deliveryMethod: {
      kind: 'shipping',
      address: { ...address, id: takeNextId(store), model: 'Address', customerId: null },
      option: {
        code: 'standard',
        title: 'Standard',
        presentmentTitle: 'Standard',
        description: '3 to 5 working days',
      },
    },
    deliveryPriceMinor: seed.deliveryPriceMinor ?? 490,
    note: null,
    customAttributes: [],
    lines: seed.lines.map((line, index) =>
      createLineRecord(store, seed, { line: toLineTerms(line), index, deliveries }),
    ),
    discounts: [],
  };
}

type LineTerms = Exclude<LineSeed, unknown[]>;

function toLineTerms(line: LineSeed): LineTerms {
  return Array.isArray(line) ? { variantId: line[0], quantity: line[1] } : line;
}

function createLineRecord(
  store: StoreState,
  seed: ContractSeed,
  { line, index, deliveries }: { line: LineTerms; index: number; deliveries: number },
): LineRecord {
  const { variantId, quantity, planId = seed.planId } = line;
  const variant = store.variants.get(variantId);
  const product = store.products.get(variant?.productId ?? 0);
  const planRecord = planId === null ? null : store.sellingPlans.get(planId);
  if (variant === undefined || product === undefined || planRecord === undefined)
    throw new Error(`There is no variant ${variantId} or no plan ${planId}.`);
  const baseMinor = line.baseMinor ?? variant.priceMinor;
  const pricingPolicy =
    planRecord === null ? null : createLinePricing(baseMinor, deliveries, planRecord.pricingPolicies);
  return {
    id: deriveUuid(`${store.shop}/contract/${seed.id}/line/${index}`),
    productId: product.id,
    variantId,
    title: product.title,
    variantTitle: variant.title,
    sku: variant.sku,
    asset: variant.asset,
    quantity,
    currentPriceMinor: pricingPolicy?.cycleDiscounts[0]?.computedPriceMinor ?? baseMinor * deliveries,
    requiresShipping: variant.requiresShipping,
    taxable: variant.taxable,
    sellingPlanId: planRecord?.id ?? null,
    sellingPlanName: planRecord?.name ?? null,
    customAttributes: [],
    pricingPolicy,
    originContractId: null,
  };
}

/**
 * Adds the order that the customer paid at the checkout. It belongs to no cycle, and cycle 1 pays for the next order.
 */
function addCheckoutOrder(
  store: StoreState,
  contract: ContractRecord,
  { plan, nowMs }: { plan: SellingPlanRecord; nowMs: number },
): void {
  const order = addOrder(store, contract, { cycleIndex: null, at: contract.createdAt, paid: true });
  const { length } = order.deliveriesDue;
  const deliveryDatesMs = listCheckoutDeliveryDates(
    plan.deliveryPolicy,
    Date.parse(contract.createdAt),
    length,
  );
  order.deliveriesDue = deliveryDatesMs.map(formatIsoInstant);
  order.deliveriesSent = deliveryDatesMs.filter((ms) => ms <= nowMs).length;
  contract.originOrderId = order.id;
}

/**
 * Applies the price change that the merchant's own app makes after each order: the line's price becomes that of the
 * policy's step.
 */
function applyMerchantPriceChange({ content, billedCycles, originOrderId }: ContractRecord): void {
  const ordersMade = billedCycles.length + (originOrderId === null ? 0 : 1);
  for (const line of content.lines) {
    const step = line.pricingPolicy?.cycleDiscounts.find(({ afterCycle }) => afterCycle === ordersMade);
    if (step !== undefined && step.afterCycle > 0) line.currentPriceMinor = step.computedPriceMinor;
  }
}

/** Charges each past cycle, on its day. */
function chargePastCycles(store: StoreState, contract: ContractRecord, nowMs: number): void {
  for (let cycleIndex = 1; ; cycleIndex += 1) {
    const cycle = findCycleByIndex(contract, cycleIndex);
    if (cycle === null || cycle.endMs > nowMs - HOUR_MS) break;
    const cycleEnd = formatIsoInstant(cycle.endMs);
    const order = addOrder(store, contract, { cycleIndex, at: cycleEnd, paid: true });
    order.deliveriesSent = order.deliveriesDue.filter((due) => Date.parse(due) <= nowMs).length;
    contract.billedCycles.push(cycleIndex);
    applyMerchantPriceChange(contract);
    contract.lastPaymentStatus = 'SUCCEEDED';
    contract.updatedAt = cycleEnd;
    const id = takeNextId(store);
    store.attempts.set(id, {
      __typename: 'SubscriptionBillingAttempt',
      id,
      contractId: contract.id,
      cycleIndex,
      idempotencyKey: `seed-${contract.id}-${cycleIndex}`,
      createdAt: cycleEnd,
      completedAt: cycleEnd,
      originTime: null,
      orderId: order.id,
      errorCode: null,
      errorMessage: null,
      respectInventoryPolicy: true,
      settleAt: cycleEnd,
      allowUnpaid: false,
    });
  }
}
