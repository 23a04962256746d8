/** A change of the interval reads its state first, in one request, and compares it with what the client asks for. */

import { type Instant, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import type { ContractFacts } from '../contract-facts.ts';
import { DELIVERY, DENIABLE_DELIVERY, type DeliveredContract } from '../delivery/follow-delivery.ts';
import type { OfferedInterval } from '../error-details.ts';
import type { OperationRequest } from '../operation.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import {
  CYCLES_UNTIL_TYPE,
  cyclesRoot,
  cyclesUntil,
  ORIGIN_ORDER,
  type OrdersState,
} from '../orders-made.ts';
import type { StateSelection } from '../read-contract-state.ts';
import type { Rhythm } from '../selling-plans/rhythm.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';
import type { IntervalChoice } from './choose-interval.ts';
import { type CyclePages, cyclesAhead } from './cycles-ahead.ts';
import { PAYMENT_FIELDS, type PaymentContract } from './discount-changes.ts';
import { areUnderPlans, LINE_FIELDS, type PlannedLine } from './line-changes.ts';
import { type DeliveryPolicy, isSamePolicy, type Policies } from './policies.ts';
import { NAMED_PLAN } from './read-offered-plans.ts';

export type IntervalContract = ContractFacts &
  Policies &
  PaymentContract & {
    readonly nextBillingDate: string | null;
    readonly currencyCode: string;
    readonly originOrder: OrdersState['originOrder'];
    readonly lines: { readonly nodes: readonly PlannedLine[] };
  } & Pick<DeliveredContract, 'deliveryMethod' | 'customer'>;

export type IntervalState = CyclePages & {
  readonly contract: IntervalContract;
  readonly _svcShop: { readonly currencyCode: string };
  readonly _svcCycles: OrdersState['cycles'];
  /** Only if a plan is named; null or an empty object: it is none. */
  readonly _svcPlan?: SellingPlan | Record<string, never> | null;
};

export type Wish = {
  readonly interval: Rhythm | undefined;
  readonly sellingPlanId: string | undefined;
  readonly dateMs: Instant | undefined;
};

/** The client's arguments. An explicit null is the same as nothing. */
export function wishOf({ args }: OperationRequest): Wish {
  const { interval, sellingPlanId, nextBillingDate } = args;
  return {
    interval: (interval ?? undefined) as Rhythm | undefined,
    sellingPlanId: typeof sellingPlanId === 'string' ? sellingPlanId : undefined,
    dateMs: parseInstant(nextBillingDate),
  };
}

/** Three years. */
const MAX_COUNTS: Readonly<Record<string, number>> = { DAY: 1095, WEEK: 156, MONTH: 36, YEAR: 3 };

/** INVALID: neither interval nor plan, or a count below one or beyond three years. */
export function refuseWish({ interval, sellingPlanId }: Wish): OperationError | undefined {
  if (interval === undefined && sellingPlanId === undefined) {
    return refuse('INVALID', { field: ['interval'], message: message('intervalOrPlanMissing') });
  }
  if (interval === undefined) return undefined;
  const most = MAX_COUNTS[interval.interval] ?? 1;
  if (interval.intervalCount >= 1 && interval.intervalCount <= most) return undefined;
  const words = message('intervalCountRange', { least: 1, most });
  const counts = { limit: most, actual: interval.intervalCount };
  return refuse('INVALID', { field: ['interval', 'intervalCount'], message: words }, counts);
}

const ANCHORED = 'interval intervalCount anchors { type day month cutoffDay }';

/** The first request's selection. More lines than the platform allows on a contract. */
export function intervalReads(
  { sellingPlanId }: Wish,
  { nowMs, isCustomer }: { readonly nowMs: number; readonly isCustomer: boolean },
): StateSelection {
  const cycles = cyclesAhead(nowMs);
  const isPlanned = sellingPlanId !== undefined;
  return {
    contract: `nextBillingDate currencyCode billingPolicy { ${ANCHORED} minCycles maxCycles } deliveryPolicy { ${ANCHORED} } ${ORIGIN_ORDER}
      ${PAYMENT_FIELDS} ${isCustomer ? DELIVERY : ''} lines(first: 250) { nodes { ${LINE_FIELDS} } }`,
    mayBeDenied: DENIABLE_DELIVERY,
    roots: `_svcShop: shop { currencyCode } _svcCycles: ${cyclesRoot('$_svcContractId', '$_svcUntil')} ${isPlanned ? NAMED_PLAN : ''} ${cycles.roots}`,
    declarations: [
      ...cycles.declarations,
      `$_svcUntil: ${CYCLES_UNTIL_TYPE}`,
      ...(isPlanned ? ['$_svcPlanId: ID!'] : []),
    ],
    variables: {
      ...cycles.variables,
      _svcUntil: cyclesUntil(nowMs),
      ...(isPlanned && { _svcPlanId: sellingPlanId }),
    },
  };
}

/** The client's argument that decides. */
export function fieldOf({ sellingPlanId }: Wish): 'interval' | 'sellingPlanId' {
  return sellingPlanId === undefined ? 'interval' : 'sellingPlanId';
}

/** The plan that the client names. Undefined: none is named; null: there is no such plan. */
export function planOf({ _svcPlan }: IntervalState, { sellingPlanId }: Wish): SellingPlan | null | undefined {
  if (sellingPlanId === undefined) return undefined;
  return _svcPlan?.id === undefined ? null : (_svcPlan as SellingPlan);
}

/** The target of the change: what is to be in force after it. */
export type IntervalTarget = Policies &
  Pick<IntervalChoice, 'plans'> & {
    /** The choice that a client has. */
    readonly offered: readonly OfferedInterval[];
    /** The plan that the client names. */
    readonly plan: SellingPlan | undefined;
    /** The date of the next order, as asked for or until when deliveries are paid for. */
    readonly dateMs: Instant | undefined;
    /** Until when deliveries are paid for, where the rhythms change. */
    readonly paidUntilMs?: Instant | undefined;
  };

/** Whether the contract is as the commit makes it; where its order is, is another question. */
export function isInForce(
  { contract }: { readonly contract: IntervalContract },
  target: IntervalTarget,
): boolean {
  return (
    arePoliciesInForce(contract, target) &&
    isDateInForce(contract, target) &&
    areUnderPlans(contract.lines.nodes, target.plans)
  );
}

export function arePoliciesInForce(now: Policies, target: Policies): boolean {
  const pairs: [DeliveryPolicy, DeliveryPolicy][] = [
    [now.billingPolicy, target.billingPolicy],
    [now.deliveryPolicy, target.deliveryPolicy],
  ];
  return pairs.every(([one, other]) => isSamePolicy(one, other));
}

/** Whether the contract has the date as its `nextBillingDate`, which moves no order. */
export function isDateInForce(
  { nextBillingDate: now }: Pick<IntervalContract, 'nextBillingDate'>,
  { dateMs }: Pick<IntervalTarget, 'dateMs'>,
): boolean {
  return dateMs === undefined || parseInstant(now) === dateMs;
}

/** The date that the next order is to be on: none of a contract that is not active, which has it as a note. */
export function orderDateOf(
  { status }: Pick<IntervalContract, 'status'>,
  { dateMs }: Pick<IntervalTarget, 'dateMs'>,
): Instant | undefined {
  return status === 'ACTIVE' ? dateMs : undefined;
}
