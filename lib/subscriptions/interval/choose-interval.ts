/**
 * Chooses a selling plan with another interval for each line, and derives the contract's policies from the plans. A
 * line gets only a plan of its own product's selling plan groups, so that the discount of one plan never applies at
 * the frequency of another plan.
 */
import { type Message, message } from '../../messages/message.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import {
  deliveriesPerPayment,
  deriveDeliveryFrequency,
  type Frequency,
  frequencyMessage,
  isSameFrequency,
  toFrequency,
} from '../selling-plans/frequency.ts';
import {
  listChoosablePlans,
  listOfferedIntervals,
  offeredIntervalsMessage,
  paymentFrequencyMessage,
} from '../selling-plans/offered-intervals.ts';
import {
  comparePositions,
  deliveriesPerPaymentOf,
  hasSameOrderLimit,
  type SellingPlan,
  toComparablePricing,
  toComparableTerms,
} from '../selling-plans/selling-plan.ts';
import { type ContractPolicies, withFrequenciesOnSameDays } from './contract-policies.ts';

export type OfferedLine = {
  readonly id: string;
  readonly sellingPlanId: string | null;
  /** The selling plans that the product is sold with. */
  readonly offered: readonly SellingPlan[];
  /**
   * Whether the product is no longer for sale. Its line can keep its plan, but no plan of the product is offered to
   * clients.
   */
  readonly isWithdrawn?: boolean;
  /** Whether the line's price before discounts is zero. */
  readonly isGift?: boolean;
};

type IntervalChoiceInput = {
  readonly contract: ContractPolicies;
  /** The requested billing frequency. The client sends a frequency, a plan, or both. */
  readonly interval: Frequency | undefined;
  /** The plan that the client named. Null when it does not exist, undefined when the client named none. */
  readonly plan: SellingPlan | null | undefined;
  readonly lines: readonly OfferedLine[];
  /** Whether a customer is acting: customers can choose only plans that every line offers, merchants can choose any. */
  readonly isCustomer: boolean;
};

export type IntervalChoice = {
  readonly policies: ContractPolicies;
  /** The new plan by line id. A line that is not in the map keeps its plan. */
  readonly plans: ReadonlyMap<string, SellingPlan>;
};

/**
 * Returns the choice, or INTERVAL_NOT_OFFERED, ANCHORS_DO_NOT_FIT or INVALID with the field `interval` or
 * `sellingPlanId`.
 */
export function chooseInterval(request: IntervalChoiceInput): IntervalChoice | OperationError {
  const { plan, interval, isCustomer } = request;
  // A customer's change needs no plan for a line that the store gives away without a plan, so such lines are ignored.
  const linesToChange = request.lines.filter(
    ({ sellingPlanId, isGift }) => sellingPlanId !== null || isGift !== true,
  );
  const lines = isCustomer && linesToChange.length > 0 ? linesToChange : request.lines;
  const choiceInput = { ...request, lines };
  const linesWithoutPlan = lines.filter(({ sellingPlanId }) => sellingPlanId === null);
  if (isCustomer && linesWithoutPlan.length > 0) {
    const fieldPath = [plan === undefined ? 'interval' : 'sellingPlanId'];
    const errorDetails = { offeredIntervals: [], lineIds: lineIdsOf(linesWithoutPlan) };
    return createUserError(
      'INTERVAL_NOT_OFFERED',
      { field: fieldPath, message: message('planMissing') },
      errorDetails,
    );
  }
  const isPlanHidden = isCustomer && !lines.some(({ offered }) => offered.some(({ id }) => id === plan?.id));
  if (plan === null || (plan !== undefined && isPlanHidden)) {
    const toMessage = (offered: Message) => message('planOfNoProduct', { offered });
    return notOfferedError(choiceInput, { field: 'sellingPlanId', toMessage });
  }
  if (plan !== undefined) return chooseIntervalByPlan(choiceInput, plan);
  return interval === undefined
    ? createUserError('INVALID', { field: ['interval'], message: message('intervalOrPlanMissing') })
    : chooseIntervalByFrequency(choiceInput, interval);
}

function chooseIntervalByPlan(
  input: IntervalChoiceInput,
  namedPlan: SellingPlan,
): IntervalChoice | OperationError {
  const { contract, lines } = input;
  const isPlanOffered = lines.some(({ offered }) => offered.some(({ id }) => id === namedPlan.id));
  const planError = findPlanError(input, namedPlan);
  if (planError !== undefined) return planError;
  const plans = new Map<string, SellingPlan>();
  const linesWithoutPlan: OfferedLine[] = [];
  for (const line of lines) {
    const { id, sellingPlanId, offered } = line;
    const equalPlans = offered.filter(
      (plan) =>
        toComparableTerms(plan) === toComparableTerms(namedPlan) &&
        hasSameOrderLimit(plan, contract.billingPolicy),
    );
    // A merchant may name any plan for all lines. But if the product of one line offers that plan, each other line
    // with a plan needs an equal plan of its own product.
    const ignoresCurrentPlan = !isPlanOffered || sellingPlanId === null;
    const plan =
      offered.find((one) => one.id === namedPlan.id) ??
      equalPlans.toSorted(comparePositions)[0] ??
      (ignoresCurrentPlan ? namedPlan : undefined);
    if (plan === undefined) linesWithoutPlan.push(line);
    else plans.set(id, plan);
  }
  if (linesWithoutPlan.length > 0) {
    const toMessage = (offered: Message) => message('planNotForAll', { offered });
    return notOfferedError(input, { field: 'sellingPlanId', toMessage, linesWithoutPlan });
  }
  return { policies: policiesWithPlan(contract, namedPlan, plans), plans };
}

function findPlanError(input: IntervalChoiceInput, namedPlan: SellingPlan): OperationError | undefined {
  const { contract, interval, isCustomer } = input;
  const fieldPath = ['sellingPlanId'];
  const billing = toFrequency(namedPlan.billingPolicy);
  if (billing === undefined)
    return createUserError('INVALID', { field: fieldPath, message: message('planDoesNotRepeat') });
  if (interval !== undefined && !isSameFrequency(billing, interval)) {
    const fieldAndMessage = {
      field: ['interval'],
      message: message('planBillsOtherwise', { rhythm: frequencyMessage(billing) }),
    };
    return createUserError('INTERVAL_NOT_OFFERED', fieldAndMessage, {
      offeredIntervals: listOfferedIntervals(input),
    });
  }
  if (deliveriesPerPaymentOf(namedPlan) === undefined) {
    return createUserError('INVALID', { field: fieldPath, message: message('planUneven') });
  }
  if (!isCustomer || hasSameOrderLimit(namedPlan, contract.billingPolicy)) return undefined;
  const toMessage = (offered: Message) => message('planEnds', { offered });
  return notOfferedError(input, { field: 'sellingPlanId', toMessage });
}

function chooseIntervalByFrequency(
  input: IntervalChoiceInput,
  billing: Frequency,
): IntervalChoice | OperationError {
  const { contract, lines, isCustomer } = input;
  const deliveries = deliveriesPerPayment(contract);
  if (deliveries === undefined) {
    return createUserError('INVALID', { field: ['interval'], message: message('subscriptionUneven') });
  }
  const candidates = lines.map((line) => ({
    ...line,
    plans: findPlansForLine(line, { contract, billing, deliveries }),
  }));
  const linesWithPlans = candidates.filter(({ plans }) => plans.length > 0);
  const frequency = paymentFrequencyMessage(billing, deliveries);
  const toMessage = (offered: Message) => message('intervalNotOffered', { rhythm: frequency, offered });
  if (isCustomer && linesWithPlans.length < lines.length) {
    const linesWithoutPlan = candidates.filter(({ plans }) => plans.length === 0);
    return notOfferedError(input, { field: 'interval', toMessage, linesWithoutPlan });
  }
  const lineWithSeveralPlans = linesWithPlans.find(
    ({ plans }) => new Set(plans.map(comparablePlanText)).size > 1,
  );
  if (lineWithSeveralPlans !== undefined)
    return ambiguousPlanError(input, lineWithSeveralPlans.plans, billing);
  const chosenPlans = linesWithPlans.flatMap(({ id, plans }) => {
    const [plan] = plans.toSorted(comparePositions);
    return plan === undefined ? [] : [[id, plan] as const];
  });
  const [first] = chosenPlans;
  if (first === undefined) return chooseFrequencyWithoutPlan(input, billing, deliveries);
  const [, plan] = first;
  // All plans must have the same terms, because a contract has one delivery schedule for all its lines.
  if (chosenPlans.some(([, other]) => toComparableTerms(other) !== toComparableTerms(plan))) {
    return notOfferedError(input, { field: 'interval', toMessage });
  }
  const plans = new Map(chosenPlans);
  return { policies: policiesWithPlan(contract, plan, plans), plans };
}

type RequestedInterval = {
  readonly contract: ContractPolicies;
  readonly billing: Frequency;
  readonly deliveries: number;
};

/**
 * Returns the plans of the line's product with the requested billing frequency and number of deliveries. Empty for a
 * line without a plan.
 */
function findPlansForLine(
  { sellingPlanId, offered }: OfferedLine,
  requested: RequestedInterval,
): readonly SellingPlan[] {
  const { contract, billing, deliveries } = requested;
  if (sellingPlanId === null) return [];
  return offered.filter(
    (plan) => isPlanForInterval(plan, billing, deliveries) && hasSameOrderLimit(plan, contract.billingPolicy),
  );
}

/**
 * Returns the properties of a plan that a customer would notice, as a text that can be compared: plans with equal
 * texts are interchangeable.
 */
function comparablePlanText(plan: SellingPlan): string {
  return JSON.stringify([
    plan.name,
    toComparableTerms(plan),
    toComparablePricing(plan),
    plan.billingPolicy.minCycles ?? 0,
  ]);
}

function isPlanForInterval(plan: SellingPlan, billing: Frequency, deliveries: number): boolean {
  return (
    isSameFrequency(toFrequency(plan.billingPolicy), billing) && deliveriesPerPaymentOf(plan) === deliveries
  );
}

/**
 * Returns the choice for a frequency that no plan has, which only a merchant can request. The lines keep their plans,
 * and a payment covers as many deliveries as before.
 */
function chooseFrequencyWithoutPlan(
  input: IntervalChoiceInput,
  billing: Frequency,
  deliveries: number,
): IntervalChoice | OperationError {
  const delivery = deriveDeliveryFrequency(billing, deliveries);
  if (delivery === undefined) {
    const unevenMessage = message('deliveriesUneven', { deliveries, rhythm: frequencyMessage(billing) });
    const fault = { field: ['interval'], message: unevenMessage };
    return createUserError('INTERVAL_NOT_OFFERED', fault, { offeredIntervals: listOfferedIntervals(input) });
  }
  const contractPolicies = withFrequenciesOnSameDays(input.contract, { billing: { ...billing }, delivery });
  return 'message' in contractPolicies ? contractPolicies : { policies: contractPolicies, plans: new Map() };
}

/**
 * Returns the contract's policies with the frequencies and delivery days of the plan. The limits of cycles stay, but
 * the minimum number of orders rises to the highest minimum of the lines' plans, because their prices require it.
 */
function policiesWithPlan(
  contract: ContractPolicies,
  plan: SellingPlan,
  plans: ReadonlyMap<string, SellingPlan>,
): ContractPolicies {
  const { minCycles, maxCycles } = contract.billingPolicy;
  const minCyclesOfPlans = Math.max(
    minCycles ?? 0,
    ...[...plans.values()].map((one) => one.billingPolicy.minCycles ?? 0),
  );
  const { anchors = [] } = plan.deliveryPolicy;
  const toPolicy = ({ interval = '', intervalCount = 0 }: Partial<Frequency>) => ({
    interval,
    intervalCount,
    anchors,
  });
  return {
    billingPolicy: {
      ...toPolicy(plan.billingPolicy),
      minCycles: minCyclesOfPlans === 0 ? minCycles : minCyclesOfPlans,
      maxCycles,
    },
    deliveryPolicy: toPolicy(plan.deliveryPolicy),
  };
}

type NotOfferedReason = {
  readonly field: 'interval' | 'sellingPlanId';
  readonly toMessage: (offered: Message) => Message;
  /** The lines whose product has no plan with the requested interval or terms. */
  readonly linesWithoutPlan?: readonly OfferedLine[];
};

function notOfferedError(
  input: IntervalChoiceInput,
  { field, toMessage, linesWithoutPlan }: NotOfferedReason,
): OperationError {
  const offeredIntervals = listOfferedIntervals(input);
  const fault = { field: [field], message: toMessage(offeredIntervalsMessage(offeredIntervals)) };
  const lineIds = linesWithoutPlan && lineIdsOf(linesWithoutPlan);
  return createUserError('INTERVAL_NOT_OFFERED', fault, { offeredIntervals: offeredIntervals, lineIds });
}

function lineIdsOf(lines: readonly OfferedLine[]): string[] {
  return lines.map(({ id }) => id);
}

function ambiguousPlanError(
  input: IntervalChoiceInput,
  plans: readonly SellingPlan[],
  billing: Frequency,
): OperationError {
  const names = [...new Set(plans.map(({ name }) => name))].map((name) => message('quotedName', { name }));
  const errorMessage = message('plansSeveral', { rhythm: frequencyMessage(billing), plans: names });
  const errorDetails = { offeredIntervals: listChoosablePlans(plans, input) };
  return createUserError(
    'INTERVAL_NOT_OFFERED',
    { field: ['interval'], message: errorMessage },
    errorDetails,
  );
}
