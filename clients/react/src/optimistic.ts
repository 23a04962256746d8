/**
 * What a change will do to a subscription, as far as an app can know it. A change is applied when data is displayed, and
 * is never written to the cache: a refetch cannot undo it, and a rejected change leaves nothing behind. Applied to data
 * that already has the change, each function returns the same data.
 */
import type {
  BillingCycle,
  CustomerClient,
  Operation,
  PaymentState,
  RetryPaymentPayload,
  RetryPaymentVariables,
  SubscriptionDetails,
} from 'subscription-management-client';

type SubscriptionOperations = CustomerClient['subscriptions'] & {
  readonly retryPayment: Operation<RetryPaymentVariables, RetryPaymentPayload>;
};

/** A change of a subscription, by the name of the client's function. */
export type ChangeName =
  | 'skip'
  | 'unskip'
  | 'reschedule'
  | 'sendNow'
  | 'postpone'
  | 'revertPostponement'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'updateInterval'
  | 'updateLines'
  | 'updateDelivery'
  | 'updatePaymentMethod'
  | 'retryPayment'
  | 'applyDiscountCode'
  | 'removeDiscount';

/** The arguments of a change without its contract, which the hook has. */
export type ChangeInput<Name extends ChangeName> = Omit<
  NonNullable<Parameters<SubscriptionOperations[Name]>[0]>,
  'contractId'
>;
/** The result of a change: `subscription` and `event`, and what the change has beside them. */
export type ChangeResult<Name extends ChangeName> = Awaited<ReturnType<SubscriptionOperations[Name]>>;

/** A change whose response has not arrived yet. */
export type PendingChange = {
  readonly name: ChangeName;
  readonly contractId: string;
  readonly input: unknown;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
};

type PauseAfterChange = Omit<NonNullable<SubscriptionDetails['currentPause']>, 'pausedAt'> & {
  readonly pausedAt?: string | null;
};
type OrdersPage = { readonly nodes: readonly BillingCycle[] };
/** The parts of a subscription that a change can affect. An item of the list has only some of them. */
type SubscriptionView = Partial<
  Pick<SubscriptionDetails, 'status' | 'nextOrder' | 'postponement' | 'discounts' | 'lines'>
> & {
  readonly billingCycles?: OrdersPage | null;
  readonly currentPause?: PauseAfterChange | null;
  readonly billingPolicy?: Pick<SubscriptionDetails['billingPolicy'], 'interval' | 'intervalCount'>;
};

type EffectByChange = {
  readonly [Name in ChangeName]?: (
    view: SubscriptionView,
    input: ChangeInput<Name>,
    submittedAt: number,
  ) => SubscriptionView;
};

/** Changes without an entry depend on what only the service knows: prices, delivery options, its clock. */
const EFFECT_BY_CHANGE: EffectByChange = {
  skip: (view, { cycleIndex }) => withChangedOrder(view, { cycleIndex, skipped: true }),
  unskip: (view, { cycleIndex }) => withChangedOrder(view, { cycleIndex, skipped: false }),
  reschedule: (view, { cycleIndex, billingDate }) =>
    withChangedOrder(view, { cycleIndex, billingAttemptExpectedDate: toInstant(billingDate) }),
  postpone: ({ nextOrder }, { to }) =>
    nextOrder ? { nextOrder: { ...nextOrder, date: toInstant(to) } } : {},
  revertPostponement: () => ({ postponement: null }),
  pause: (_view, { until = null, reason = null }, submittedAt) => ({
    status: 'PAUSED',
    currentPause: { pausedAt: new Date(submittedAt).toISOString(), resumesAt: until, reason },
  }),
  resume: () => ({ status: 'ACTIVE', currentPause: null }),
  cancel: () => ({ status: 'CANCELLED', nextOrder: null }),
  updateInterval: ({ billingPolicy }, { interval }) =>
    billingPolicy && interval ? { billingPolicy: { ...billingPolicy, ...interval } } : {},
  updateLines: ({ lines }, input) => (lines ? { lines: withChangedLines(lines, input) } : {}),
  removeDiscount: ({ discounts }, { discountId }) =>
    discounts
      ? { discounts: { ...discounts, nodes: discounts.nodes.filter(({ id }) => id !== discountId) } }
      : {},
};

/** Returns the subscription with one changed order, and with the next order that results from it. */
function withChangedOrder(
  { billingCycles, nextOrder }: SubscriptionView,
  { cycleIndex, ...change }: Partial<BillingCycle> & Pick<BillingCycle, 'cycleIndex'>,
): SubscriptionView {
  if (!billingCycles) return {};
  const changedOrders = billingCycles.nodes.map((order) =>
    order.cycleIndex === cycleIndex ? withOrderDate({ ...order, overdue: null, ...change }, change) : order,
  );
  // An unchanged order that precedes the next one is overdue: it cannot become the next order.
  const overdueOrders = billingCycles.nodes.filter(
    (order) =>
      order.cycleIndex !== cycleIndex &&
      !order.skipped &&
      Date.parse(order.billingAttemptExpectedDate) < Date.parse(nextOrder?.date ?? ''),
  );
  const nextCycle = changedOrders.find(
    (order, index) =>
      !order.skipped &&
      order.status !== 'BILLED' &&
      !order.isWithinPause &&
      !overdueOrders.some((overdueOrder) => overdueOrder === billingCycles.nodes[index]),
  );
  return {
    billingCycles: { ...billingCycles, nodes: changedOrders },
    ...(nextOrder &&
      nextCycle && {
        nextOrder: {
          ...nextOrder,
          cycleIndex: nextCycle.cycleIndex,
          date: nextCycle.billingAttemptExpectedDate,
        },
      }),
  };
}

/** Returns the order with its date. A restored order has the date that was shown while it was skipped. */
function withOrderDate(
  order: BillingCycle,
  { billingAttemptExpectedDate: movedDate }: Partial<BillingCycle>,
): BillingCycle {
  if (order.skipped) return order;
  const date = movedDate ?? order.orderDate ?? order.billingAttemptExpectedDate;
  return { ...order, billingAttemptExpectedDate: date, orderDate: date };
}

function withChangedLines(
  lines: SubscriptionDetails['lines'],
  { update, remove }: ChangeInput<'updateLines'>,
): SubscriptionDetails['lines'] {
  const removedLineIds = [remove ?? []].flat();
  const lineUpdates = [update ?? []].flat();
  const updatedLines = lines.nodes
    .filter(({ id }) => !removedLineIds.includes(id))
    .map((line) => {
      const quantity = lineUpdates.find(({ lineId }) => lineId === line.id)?.quantity;
      return quantity == null ? line : { ...line, quantity };
    });
  return { ...lines, nodes: updatedLines };
}

/** Returns an instant of the day: at noon UTC it is the same day in nearly all zones. */
const toInstant = (dayOrInstant: string) =>
  dayOrInstant.length > 10 ? dayOrInstant : `${dayOrInstant}T12:00:00Z`;

type OptimisticEffect = (view: SubscriptionView, input: unknown, submittedAt: number) => SubscriptionView;

/** Returns the data as it will be after the changes, in their order. */
export function withChanges<Data extends SubscriptionView>(
  data: Data,
  changes: readonly PendingChange[],
): Data {
  let optimisticData = data;
  for (const { name, input, submittedAt } of changes) {
    // The hook of this name has checked the input's type.
    const applyEffect = EFFECT_BY_CHANGE[name] as OptimisticEffect | undefined;
    // A pause may be called without input.
    optimisticData = { ...optimisticData, ...applyEffect?.(optimisticData, input ?? {}, submittedAt) };
  }
  return optimisticData;
}

/** Returns the payment as it is after the customer has requested another try. */
export function withRequestedRetry<Payment extends Pick<PaymentState, 'nextTryAt' | 'canRetry'>>(
  payment: Payment | null,
  changes: readonly PendingChange[],
): Payment | null {
  const pendingRetry = changes.find(({ name }) => name === 'retryPayment');
  if (!payment || !pendingRetry) return payment;
  return { ...payment, nextTryAt: new Date(pendingRetry.submittedAt).toISOString(), canRetry: false };
}

/** Returns upcoming orders as they will be after the changes. */
export function withChangedOrders<Order extends BillingCycle>(
  orders: readonly Order[],
  changes: readonly PendingChange[],
): readonly Order[] {
  const view: SubscriptionView = { billingCycles: { nodes: orders } };
  const changedCycles = withChanges(view, changes).billingCycles?.nodes ?? [];
  return orders.map((order, index) => ({ ...order, ...changedCycles[index] }));
}
