/** A contract that the operator has named for the measurements, and how one is come by. */
import { type Ask, rootOf } from './platform-answer.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type Anchor = {
  readonly type: string;
  readonly day: number;
  readonly month: number | null;
  readonly cutoffDay: number | null;
};
export type Policy = {
  readonly interval: string;
  readonly intervalCount: number;
  readonly anchors: readonly Anchor[];
};
export type TestLine = {
  readonly id: string;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly currentPrice: Money;
  readonly lineDiscountedPrice: Money;
  readonly pricingPolicy: {
    readonly basePrice: Money;
    readonly cycleDiscounts: readonly {
      readonly adjustmentType: string;
      readonly afterCycle: number;
      readonly computedPrice: Money;
      readonly adjustmentValue: { readonly amount?: string };
    }[];
  } | null;
};
export type TestContract = {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
  readonly currencyCode: string;
  readonly billingPolicy: Policy & { readonly minCycles: number | null; readonly maxCycles: number | null };
  readonly deliveryPolicy: Policy;
  readonly deliveryPrice: Money;
  /** The first order; null: there is none, or it is hidden. */
  readonly originOrder: { readonly id: string; readonly test: boolean } | null;
  readonly lines: { readonly nodes: readonly TestLine[] };
};

const POLICY = 'interval intervalCount anchors { type day month cutoffDay }';
const MONEY = '{ amount currencyCode }';
/** The selection that brings a contract in the shape of `TestContract`. */
const CONTRACT = `id status createdAt currencyCode billingPolicy { ${POLICY} minCycles maxCycles } deliveryPolicy { ${POLICY} }
  deliveryPrice ${MONEY} originOrder { id test }
  lines(first: 50) { nodes { id quantity variantId currentPrice ${MONEY} lineDiscountedPrice ${MONEY}
    pricingPolicy { basePrice ${MONEY} cycleDiscounts { adjustmentType afterCycle computedPrice ${MONEY}
      adjustmentValue { ... on MoneyV2 { amount } } } } } }`;

export const NO_CONTRACT =
  'No contract was named that fits: buy a subscription in the store with a test payment, and add its number as --contract';

/** The contract as it is now. Unmeasurable if there is none. */
export async function readTestContract(ask: Ask, id: string): Promise<TestContract> {
  const document = `query FirstContactContract($id: ID!) { subscriptionContract(id: $id) { ${CONTRACT} } }`;
  return rootOf<TestContract>(await ask(document, { id }), 'subscriptionContract');
}

/** The first of the named contracts that lives and fits. */
export function chosenContract(
  { contracts }: { readonly contracts: readonly TestContract[] },
  fits: (contract: TestContract) => boolean = () => true,
): TestContract | undefined {
  return contracts.find((contract) => ['ACTIVE', 'FAILED'].includes(contract.status) && fits(contract));
}

/** What one order of it costs before taxes, for example `38.00 USD`. */
export function orderPrice({ lines, deliveryPrice, currencyCode }: TestContract): string {
  const cents = [...lines.nodes.map((line) => line.lineDiscountedPrice), deliveryPrice].map(({ amount }) =>
    Math.round(Number(amount) * 100),
  );
  return `${(cents.reduce((sum, each) => sum + each, 0) / 100).toFixed(2)} ${currencyCode}`;
}

/** The number of an id, as people name it. */
export function numberOf({ id }: { readonly id: string }): string {
  return /\d+$/.exec(id)?.[0] ?? id;
}
