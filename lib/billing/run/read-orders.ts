/**
 * Reads orders at the platform immediately before they are charged: the billing cycle with its attempts, and the contract.
 * Up to ten orders in one request.
 */
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { readWithinBudget, type SendWithinBudget } from '../../platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { ENDED_ATTEMPT_SELECTION, type ObservedAttempt } from '../../timeline/attempt-outcome.ts';
import { contractGid } from '../../timeline/event-record.ts';
import { MAX_PAYMENT_ATTEMPTS_PER_ORDER, type OrderRef } from '../records/charge-record.ts';

export type ReadOrdersDeps = {
  readonly sendWithinBudget: SendWithinBudget;
  readonly platformGidNamespace: string;
};

type ContractState = {
  readonly id: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly customerPaymentMethod: { readonly id: string } | null;
  readonly billingPolicy: { readonly maxCycles: number | null };
};

/** An order as the platform shows it. Times are ISO 8601 in whole seconds. */
export type OrderState = {
  readonly cycleIndex: number;
  readonly billingAttemptExpectedDate: string;
  readonly cycleStartAt: string;
  readonly cycleEndAt: string;
  readonly skipped: boolean;
  /** The order's own content; null for an order that was only moved. */
  readonly editedContract: { readonly updatedAt: string } | null;
  /** BILLED or UNBILLED. */
  readonly status: string;
  /** The last eleven attempts. */
  readonly billingAttempts: { readonly nodes: readonly ObservedAttempt[] };
  readonly sourceContract: ContractState;
  /** The last attempts of the two orders that follow; empty unless `withLaterOrders` was set. */
  readonly laterAttempts: readonly ObservedAttempt[];
};

/** `missing`: there is no such cycle or contract. `unreadable`: the platform reported an error for this order alone. */
export type OrderReading = OrderState | 'missing' | 'unreadable';

/** One more than the attempts that card networks allow. */
const ATTEMPTS_PER_ORDER = MAX_PAYMENT_ATTEMPTS_PER_ORDER + 1;
const ORDER_SELECTION = `cycleIndex billingAttemptExpectedDate cycleStartAt cycleEndAt skipped status editedContract { updatedAt }
  billingAttempts(first: ${ATTEMPTS_PER_ORDER}, reverse: true) { nodes { ${ENDED_ATTEMPT_SELECTION} } }
  sourceContract { id status updatedAt customerPaymentMethod { id } billingPolicy { maxCycles } }`;
/** The points of reading one order, estimated. */
export const POINTS_PER_ORDER = 19;
const LATER_ORDER_COUNT = 2;
const LATER_ORDER_SELECTION =
  'billingAttempts(first: 5, reverse: true) { nodes { id idempotencyKey createdAt state { __typename } } }';

type ReadOrdersTurn = {
  readonly store: StoreRecord;
  readonly endAtMs: number;
  /** Whether attempts of the following orders are read, too. */
  readonly withLaterOrders: boolean;
};

/**
 * Reads orders, in the order of `refs`.
 * @throws the errors of the Admin API client; THROTTLED when the store's points do not suffice before `endAtMs`
 */
export async function readOrders(
  deps: ReadOrdersDeps,
  { withLaterOrders, ...turn }: ReadOrdersTurn,
  refs: readonly OrderRef[],
): Promise<OrderReading[]> {
  const cycleOffsets = withLaterOrders ? [0, 1, LATER_ORDER_COUNT] : [0];
  const cycleRoots = refs.flatMap(({ contractNumber, cycleIndex }, index) =>
    cycleOffsets.map((cycleOffset) => ({
      name: rootName(index, cycleOffset),
      selection: cycleOffset === 0 ? ORDER_SELECTION : LATER_ORDER_SELECTION,
      input: {
        contractId: contractGid(contractNumber, deps.platformGidNamespace),
        selector: { index: cycleIndex + cycleOffset },
      },
    })),
  );
  const declarations = cycleRoots.map(({ name }) => `$${name}: SubscriptionBillingCycleInput!`);
  const rootTexts = cycleRoots.map(
    ({ name, selection }) =>
      `${name}: subscriptionBillingCycle(billingCycleInput: $${name}) { ${selection} }`,
  );
  const { data, errors } = await readWithinBudget(deps, turn, {
    document: `query(${declarations.join(', ')}) { ${rootTexts.join(' ')} }`,
    variables: Object.fromEntries(cycleRoots.map(({ name, input }) => [name, input])),
    expectedCost: refs.length * POINTS_PER_ORDER,
  });
  if (data === null) throw failedReadError('the orders', errors);
  const failedRootNames = new Set(errors.map(({ path }) => path?.[0]));
  return refs.map((_, index) => {
    const order = data[rootName(index, 0)] as Omit<OrderState, 'laterAttempts'> | null | undefined;
    if (!order) return failedRootNames.has(rootName(index, 0)) ? 'unreadable' : 'missing';
    const laterOrders = cycleOffsets
      .slice(1)
      .map((cycleOffset) => data[rootName(index, cycleOffset)] as OrderAttempts | null);
    return { ...order, laterAttempts: laterOrders.flatMap((order) => order?.billingAttempts.nodes ?? []) };
  });
}

type OrderAttempts = Pick<OrderState, 'billingAttempts'>;

function rootName(index: number, cycleOffset: number): string {
  return `o${index}_${cycleOffset}`;
}
