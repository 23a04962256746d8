/** Creates a selling plan group of the seed: frequencies, prices, anchors. */
import type {
  BillingAnchor,
  BillingPolicy,
  FrequencyPolicy,
  IntervalUnit,
  PricingPolicy,
  SellingPlanRecord,
} from '../catalogue-records.ts';
import type { StoreState } from '../state.ts';

type SeedFrequency = readonly [interval: IntervalUnit, intervalCount: number];

/** Percent for PERCENTAGE, minor units of the store's currency for the others. */
export type PriceSeed = readonly [
  type: PricingPolicy['adjustmentType'],
  value: number,
  afterCycle?: number | null,
];

/** @internal Tests seed their own plans. */
export type PlanSeed = {
  readonly name: string;
  readonly billing: SeedFrequency;
  /** By default the same as billing, so that each delivery is paid separately. */
  readonly delivery?: SeedFrequency;
  /** The anchors of both billing and delivery. */
  readonly anchors?: readonly (Pick<BillingAnchor, 'type' | 'day'> & Partial<BillingAnchor>)[];
  readonly prices?: readonly PriceSeed[];
  readonly limits?: Pick<BillingPolicy, 'minCycles' | 'maxCycles'>;
  readonly cutoff?: number;
  readonly preAnchorBehavior?: 'ASAP' | 'NEXT';
};

export type GroupSeed = {
  readonly id: number;
  readonly name: string;
  readonly productIds?: readonly number[];
  readonly variantIds?: readonly number[];
  readonly plans: readonly PlanSeed[];
};

/** Adds a group. Its plans' ids are the group's, followed by two digits from 01, in their order. */
export function addSellingPlanGroup(store: StoreState, seed: GroupSeed, createdAt: string): void {
  store.sellingPlanGroups.set(seed.id, {
    __typename: 'SellingPlanGroup',
    id: seed.id,
    name: seed.name,
    appId: null,
    merchantCode: seed.name.toLowerCase().replaceAll(' ', '-'),
    description: null,
    options: ['Delivery every'],
    position: 1,
    productIds: [...(seed.productIds ?? [])],
    variantIds: [...(seed.variantIds ?? [])],
    createdAt,
  });
  for (const [index, plan] of seed.plans.entries()) {
    const id = seed.id * 100 + index + 1;
    store.sellingPlans.set(
      id,
      createPlanRecord(plan, { id, groupId: seed.id, position: index + 1, createdAt }),
    );
  }
}

type PlanIdentity = Pick<SellingPlanRecord, 'id' | 'groupId' | 'position' | 'createdAt'>;

function createPlanRecord(seed: PlanSeed, planIdentity: PlanIdentity): SellingPlanRecord {
  const toPolicy = ([interval, intervalCount]: SeedFrequency): FrequencyPolicy => ({
    interval,
    intervalCount,
    anchors: (seed.anchors ?? []).map((anchor) => ({ month: null, cutoffDay: null, ...anchor })),
  });
  const { minCycles, maxCycles } = seed.limits ?? { minCycles: null, maxCycles: null };
  return {
    __typename: 'SellingPlan',
    ...planIdentity,
    name: seed.name,
    description: null,
    options: [seed.name],
    category: 'SUBSCRIPTION',
    reserve: 'ON_FULFILLMENT',
    billingPolicy: { ...toPolicy(seed.billing), minCycles, maxCycles },
    deliveryPolicy: {
      ...toPolicy(seed.delivery ?? seed.billing),
      cutoff: seed.cutoff ?? null,
      preAnchorBehavior: seed.preAnchorBehavior ?? 'ASAP',
    },
    pricingPolicies: (seed.prices ?? []).map(([adjustmentType, adjustmentValue, afterCycle = null]) => ({
      adjustmentType,
      adjustmentValue,
      afterCycle,
      createdAt: planIdentity.createdAt,
    })),
  };
}
