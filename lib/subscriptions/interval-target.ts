/** What a contract is to be after a change of its interval, or why it cannot be. */

import { linesToMove } from './interval-lines.ts';
import { type NamedPlan, readSoldVariants, type SoldVariant } from './interval-plans.ts';
import { policiesFor } from './interval-policies.ts';
import {
  arePoliciesInForce,
  type IntervalState,
  isDateInForce,
  isInForce,
  planOf,
  refuseWish,
  type Target,
  type Wish,
} from './interval-state.ts';
import { isFarAhead } from './is-far-ahead.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationError } from './operation-error.ts';

export type IntervalCase = {
  readonly deps: OperationDeps;
  readonly wish: Wish;
  readonly state: IntervalState;
};

export type ChosenTarget = {
  readonly target: Target;
  /** Of the lines, as far as they were asked for. */
  readonly variants: ReadonlyMap<string, SoldVariant>;
};

/** `in force`: the contract is so already. One platform request for each ten variants whose plans or prices count. */
export async function targetOf(given: IntervalCase): Promise<ChosenTarget | 'in force' | OperationError> {
  const { wish, state } = given;
  const misuse = refuseWish(wish);
  if (misuse !== undefined) return misuse;
  const plan = planOf(state, wish);
  if (plan === null) {
    return { field: ['sellingPlanId'], message: 'There is no such selling plan.', code: 'INVALID' };
  }
  const asIs = asNow(given, plan);
  // A repeat is answered without another look at the plans, which may have changed since.
  if (isInForce(state, asIs)) return 'in force';
  const isKept = plan === undefined && arePoliciesInForce(state.contract, asIs);
  const variants = isKept ? new Map<string, SoldVariant>() : await variantsOf(given, plan);
  const policies = isKept ? asIs : policiesOf(given, plan, variants);
  if ('message' in policies) return policies;
  const target = { ...policies, plan, nextBillingDate: wish.nextBillingDate };
  if (isInForce(state, target)) return 'in force';
  return refuseDate(given, target) ?? { target, variants };
}

/** The contract as it is, but for the interval that is asked for: the same as now, if it has that already. */
function asNow({ wish, state: { contract } }: IntervalCase, plan: NamedPlan | undefined): Target {
  const { billingPolicy, deliveryPolicy } = contract;
  const rhythm = wish.interval ?? plan?.billingPolicy;
  const planned = wish.interval === undefined ? plan?.deliveryPolicy : undefined;
  return {
    billingPolicy: { ...billingPolicy, ...(rhythm && rhythmOnly(rhythm)) },
    deliveryPolicy: { ...deliveryPolicy, ...(planned && rhythmOnly(planned)) },
    plan,
    nextBillingDate: wish.nextBillingDate,
  };
}

function rhythmOnly({ interval, intervalCount }: Partial<NonNullable<Wish['interval']>>) {
  return { ...(interval && { interval }), ...(intervalCount && { intervalCount }) };
}

/** Customers are bound by the plans of every line; of others only lines without a base price need the catalogue. */
async function variantsOf(
  { deps, state }: IntervalCase,
  plan: NamedPlan | undefined,
): Promise<ReadonlyMap<string, SoldVariant>> {
  const { nodes: lines } = state.contract.lines;
  const unpriced =
    plan === undefined ? [] : linesToMove(lines, plan).filter((line) => line.pricingPolicy === null);
  const needed = deps.actingCustomerId === undefined ? unpriced : lines;
  return readSoldVariants(deps, [...new Set(needed.flatMap(({ variantId }) => variantId ?? []))]);
}

function policiesOf(
  { deps, wish, state: { contract } }: IntervalCase,
  plan: NamedPlan | undefined,
  variants: ReadonlyMap<string, SoldVariant>,
) {
  const ofLines = () =>
    contract.lines.nodes.map(({ variantId }) => variants.get(variantId ?? '')?.plans ?? []);
  const offered = deps.actingCustomerId === undefined ? undefined : ofLines();
  return policiesFor({ now: contract, interval: wish.interval, plan, offered });
}

function refuseDate({ deps, state }: IntervalCase, target: Target): OperationError | undefined {
  if (target.nextBillingDate === undefined || isDateInForce(state.contract, target)) return undefined;
  const [dateMs, nowMs] = [Date.parse(target.nextBillingDate), deps.now()];
  const field = ['nextBillingDate'];
  if (dateMs <= nowMs) return { field, message: 'The date is past.', code: 'DATE_IN_PAST' };
  if (!isFarAhead(dateMs, nowMs)) return undefined;
  return { field, message: 'The date is more than a year ahead.', code: 'DATE_TOO_FAR' };
}
