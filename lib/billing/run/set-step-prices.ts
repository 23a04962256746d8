/**
 * Sets the price of a contract's next order before it is charged: the platform shows a plan's price steps, but does not
 * apply them.
 */
import type { ContractFacts } from '../../subscriptions/contract-facts.ts';
import {
  buildPaidOrdersReads,
  countPaidOrders,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../../subscriptions/count-paid-orders.ts';
import { decideDraft } from '../../subscriptions/draft/decide-draft.ts';
import type { DraftDecision } from '../../subscriptions/draft/draft-operation.ts';
import type { Operation } from '../../subscriptions/operation.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import {
  hasSteps,
  type PricedLine,
  STEPS_SELECTION,
  stepPrice,
  toMinor,
} from '../../subscriptions/selling-plans/step-prices.ts';
import { createLineFact, toMoneyText } from '../../timeline/facts.ts';
import {
  type BillingOperationDeps,
  type BillingTurn,
  runBillingOperation,
} from '../settle/billing-operation.ts';

/** The first lines of a contract. */
export type ContractLines = {
  readonly nodes: readonly PricedLine[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};

type LineToPrice = PricedLine & { readonly id: string; readonly quantity: number };
type StepState = {
  readonly contract: ContractFacts & {
    readonly originOrder: PaidOrdersState['originOrder'];
    readonly lines: { readonly nodes: readonly LineToPrice[] };
  };
  readonly _svcCycles: PaidOrdersState['cycles'];
};

const CONTRACT_SELECTION = `${ORIGIN_ORDER_SELECTION} lines(first: 250) { nodes { id quantity ${STEPS_SELECTION} } }`;

/** Whether a line may need another price than its current one. True if not all lines were read. */
export function mayHaveStepPrice({ nodes, pageInfo }: ContractLines): boolean {
  return pageInfo.hasNextPage || nodes.some(hasSteps);
}

/** `kept lower`: the platform refused the new prices, which are higher: the order is charged with the present prices. */
type StepPricesOutcome = 'set' | 'kept lower' | 'refused';

/**
 * Sets the prices of the lines for the next order, with an entry in the timeline. Idempotent.
 * @throws the errors of a draft operation
 */
export async function setStepPrices(
  deps: BillingOperationDeps,
  turn: Pick<BillingTurn, 'endAtMs' | 'store'>,
  { contractId, requestId }: { readonly contractId: string; readonly requestId: string },
): Promise<StepPricesOutcome> {
  let totalDifference = 0n;
  const operation: Operation = (operationDeps, request) =>
    decideDraft<StepState>(operationDeps, request, {
      contractArgument: 'subscriptionContractId',
      reads: {
        contractSelection: CONTRACT_SELECTION,
        ...buildPaidOrdersReads(deps.now()),
      },
      decide: (state) => {
        const prices = listStepPrices(state);
        totalDifference = prices.reduce((sum, price) => sum + price.differenceMinor, 0n);
        return toStepPriceDecision(prices);
      },
    });
  const { userErrors } = await runBillingOperation(deps, operation, {
    ...{ turn, requestId },
    reason: "The price of the plan's next step.",
    args: { subscriptionContractId: contractId },
  });
  if (userErrors.length === 0) return 'set';
  return totalDifference > 0n ? 'kept lower' : 'refused';
}

type StepPrice = {
  readonly line: LineToPrice;
  readonly price: Money;
  /** By how much the line, with its quantity, becomes more expensive, in the currency's minor units. */
  readonly differenceMinor: bigint;
};

function listStepPrices({ contract, _svcCycles: cycles }: StepState): StepPrice[] {
  const paidOrderCount = countPaidOrders({ originOrder: contract.originOrder, cycles });
  return contract.lines.nodes.filter(hasSteps).flatMap((line) => {
    const price = stepPrice(line, paidOrderCount);
    const unitDifference = toMinor(price) - toMinor(line.currentPrice);
    const differenceMinor = unitDifference * BigInt(line.quantity);
    return unitDifference === 0n ? [] : [{ line, price, differenceMinor }];
  });
}

function toStepPriceDecision(prices: readonly StepPrice[]): DraftDecision<StepState> {
  if (prices.length === 0) return { kind: 'unchanged' };
  const priceFacts = prices.map(({ line: { id, currentPrice }, price }) =>
    createLineFact(id, 'currentPrice', {
      before: toMoneyText(currentPrice),
      after: toMoneyText(price),
    }),
  );
  return {
    kind: 'change',
    intent: { action: 'subscription_lines_updated', details: { isPriceStep: true }, changes: priceFacts },
    mutations: prices.map(({ line, price: { amount } }) => ({
      mutation: 'subscriptionDraftLineUpdate',
      args: {
        lineId: ['ID!', line.id],
        input: ['SubscriptionLineUpdateInput!', { currentPrice: amount }],
      },
      toClientField: () => null,
    })),
    showsChange: (state) => listStepPrices(state).length === 0,
  };
}
