/** Reads orders at the platform, and carries out what `decideOrder` decides, except that attempts are left to the caller. */
import { awaitAll } from '../../domain/await-all.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { UnfinishedIntervalChanges } from '../../subscriptions/interval/unfinished-intervals.ts';
import { type ApplyOutcomeToCharge, toAttemptOutcome } from '../../timeline/attempt-outcome.ts';
import {
  type BillingCharge,
  type ChargeChange,
  isOpenCharge,
  withChargeChange,
} from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import { coversOrder } from '../settings/covers-order.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { createClosingChange } from '../settle/decide-after-attempt.ts';
import { type EndChargeDeps, endCharge } from '../settle/end-charge.ts';
import { closeUnpaidCharge } from '../settle/record-unpaid-order.ts';
import { expireAfterLastOrder } from '../settle/run-settle-step.ts';
import { applyFailedAttempts } from './apply-failed-attempts.ts';
import {
  decideOlderOrder,
  decideOrder,
  endOfStricterChecks,
  isLaterOrderDue,
  type OrderVerdict,
  toFinalActionState,
} from './decide-order.ts';
import {
  isLaterOrderPaid,
  isSkipOfOrderPending,
  readPaidOrderCount,
  wasInactiveWhenDue,
} from './read-order-context.ts';
import { type OrderReading, type OrderState, type ReadOrdersDeps, readOrders } from './read-orders.ts';
import { setStepPrices } from './set-step-prices.ts';

export type EvaluateDeps = ReadOrdersDeps &
  EndChargeDeps & {
    readonly charges: BillingCharges;
    readonly applyOutcomeToCharge: ApplyOutcomeToCharge;
    readonly unfinishedIntervals: Pick<UnfinishedIntervalChanges, 'read'>;
  };

/** An open charge to evaluate. `isEnding`: its tries are over, so the order ends if no other rule decides. */
export type OrderTask = { readonly charge: BillingCharge; readonly isEnding: boolean };

/** An order for which an attempt is to be made. `storedCharge`: as it is in the table. `charge`: with the changes to write. */
export type OrderToSend = {
  readonly storedCharge: BillingCharge;
  readonly charge: BillingCharge;
  readonly order: OrderState;
};

const UNREADABLE_ORDER_REREAD_DELAY_MS = 3_600_000;
const UNFINISHED_INTERVAL_REREAD_DELAY_MS = 5 * 60_000;
const OPEN_FINAL_ACTION_REREAD_DELAY_MS = 3 * 60_000;

type EvaluatedOrders = {
  readonly ordersToSend: readonly OrderToSend[];
  /** Whether the store's points did not suffice for some of the orders: they are unchanged. */
  readonly isIncomplete: boolean;
};

/**
 * Evaluates orders of different contracts, which the caller has claimed. Returns those for which an attempt is to be made.
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function evaluateOrders(
  deps: EvaluateDeps,
  turn: BillingTurn,
  tasks: readonly OrderTask[],
): Promise<EvaluatedOrders> {
  const observedOrders = await readOrders(
    deps,
    { ...turn, withLaterOrders: hasStricterChecks(deps, turn) },
    tasks.map(({ charge }) => charge),
  );
  const evaluationResults = await awaitAll(
    tasks.map((task, index) =>
      evaluateOrder(deps, turn, task, observedOrders[index] ?? 'unreadable').catch(toThrottled),
    ),
  );
  const ordersToSend = evaluationResults.filter((order) => order !== undefined && order !== 'throttled');
  return { ordersToSend, isIncomplete: evaluationResults.includes('throttled') };
}

/** Turns the error THROTTLED into a result, so that one order without enough points does not keep back the other orders. */
function toThrottled(error: unknown): 'throttled' {
  if (error instanceof ServiceError && error.code === 'THROTTLED') return 'throttled';
  throw error;
}

function hasStricterChecks({ now }: Pick<EvaluateDeps, 'now'>, { settings, store }: BillingTurn): boolean {
  const stricterChecksEnd = endOfStricterChecks(settings);
  return stricterChecksEnd !== undefined && isoDayIn(timeZoneOf(store), now()) < stricterChecksEnd;
}

async function evaluateOrder(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { charge: storedCharge, isEnding }: OrderTask,
  order: OrderReading,
): Promise<OrderToSend | undefined> {
  if (order === 'unreadable' || order === 'missing') {
    const nowMs = deps.now();
    const chargeChange =
      order === 'missing'
        ? createClosingChange('SKIPPED', 'MOVED', nowMs)
        : { remindAtMs: nowMs + UNREADABLE_ORDER_REREAD_DELAY_MS };
    await deps.charges.replace(storedCharge, withChargeChange(storedCharge, chargeChange));
    return undefined;
  }
  if (await isSkipOfOrderPending(deps, storedCharge, order)) {
    const remindAtMs = deps.now() + UNFINISHED_INTERVAL_REREAD_DELAY_MS;
    await deps.charges.replace(storedCharge, withChargeChange(storedCharge, { remindAtMs }));
    return undefined;
  }
  const timeZone = timeZoneOf(turn.store);
  const countedCharge = await applyFailedAttempts(deps, { turn, charge: storedCharge }, order);
  const expectedAtMs = Date.parse(order.billingAttemptExpectedDate);
  const charge = withChargeChange(countedCharge, { isLastOrder: undefined });
  const paidOrderCount = await countPaidOrdersIfLimited(deps, turn, order);
  const chargesOfContract = await deps.charges.listOfContract(charge);
  const verdict = decideOrder({
    ...{ charge, order, timeZone, paidOrderCount, settings: turn.settings, nowMs: deps.now() },
    isEnding: isEnding || (countedCharge !== storedCharge && hasEndTimePassed(countedCharge, deps.now())),
    wasInactiveWhenDue: await wasInactiveWhenDue(deps, charge, order),
    isLaterOrderPaid: isLaterOrderPaid(charge, order),
    olderCharges: chargesOfContract.filter((one) => one.cycleIndex < charge.cycleIndex && isOpenCharge(one)),
    isLaterOrderDue: isLaterOrderDue(charge, chargesOfContract, deps.now()),
  });
  if (verdict.kind !== 'send') {
    const chargeWithNewDate = verdict.kind === 'close' ? charge : withChargeChange(charge, { expectedAtMs });
    await applyVerdict(deps, turn, { storedCharge, charge: chargeWithNewDate, order }, verdict);
    return undefined;
  }
  if (!coversOrder(turn.settings, { ...charge, expectedAtMs }, timeZone)) {
    await closeUnpaidCharge(
      deps,
      storedCharge,
      withChargeChange(charge, createClosingChange('ENDED', 'BILLING_OFF', deps.now())),
    );
    return undefined;
  }
  const { maxCycles } = order.sourceContract.billingPolicy;
  const isLastOrder = maxCycles !== null && (paidOrderCount ?? 0) + 1 >= maxCycles;
  const orderToSend = {
    storedCharge,
    charge: withChargeChange(charge, { expectedAtMs, isLastOrder }),
    order,
  };
  return (await setPrices(deps, turn, orderToSend)) ? orderToSend : undefined;
}

function hasEndTimePassed({ nextTryAtMs, endsAtMs }: BillingCharge, nowMs: number): boolean {
  return nextTryAtMs === undefined && endsAtMs !== undefined && endsAtMs <= nowMs;
}

/** Counts the contract's paid orders if it has a maximum of orders. */
async function countPaidOrdersIfLimited(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { sourceContract: { id, billingPolicy }, status }: OrderState,
): Promise<number | undefined> {
  if (billingPolicy.maxCycles === null || status === 'BILLED') return undefined;
  return readPaidOrderCount(deps, turn, id);
}

async function applyVerdict(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { storedCharge, charge, order }: OrderToSend,
  verdict: Exclude<OrderVerdict, { readonly kind: 'send' }>,
): Promise<void> {
  if (verdict.kind === 'close')
    await closeUnpaidCharge(deps, storedCharge, withChargeChange(charge, verdict.change));
  else if (verdict.kind === 'wait')
    await deps.charges.replace(storedCharge, withChargeChange(charge, verdict.change));
  else if (verdict.kind === 'leave')
    await deps.charges.replace(storedCharge, withChargeChange(storedCharge, verdict.change));
  else if (verdict.kind === 'billed') await recordPaidOrder(deps, charge, order);
  else if (verdict.kind === 'end older')
    await endOlderCharges(deps, turn, { storedCharge, charge }, verdict.olderCharges);
  else if (verdict.kind === 'expire') {
    await expireAfterLastOrder(deps, turn, charge);
    await closeUnpaidCharge(
      deps,
      storedCharge,
      withChargeChange(charge, createClosingChange('SKIPPED', 'BEYOND_LAST_ORDER', deps.now())),
    );
  } else {
    const writtenCharge = await deps.charges.replace(storedCharge, charge);
    if (writtenCharge !== 'refused')
      await endCharge(deps, { turn, charge: writtenCharge }, toFinalActionState(order));
  }
}

/**
 * Closes the charge of an order that is paid. Its successful attempts, if the platform still shows them, name the created
 * order and the amount.
 */
async function recordPaidOrder(
  { charges, applyOutcomeToCharge }: EvaluateDeps,
  charge: BillingCharge,
  { billingAttempts }: OrderState,
): Promise<void> {
  const { shopId, contractNumber: contract, cycleIndex } = charge;
  const paidAttempts = billingAttempts.nodes.filter(
    (attempt) => toAttemptOutcome(attempt).kind === 'charged',
  );
  for (const attempt of paidAttempts.toReversed())
    await applyOutcomeToCharge({ shopId, contract, cycleIndex, attempt, outcome: { kind: 'charged' } });
  if (paidAttempts.length > 0) return;
  const storedCharge = await charges.find(charge);
  if (storedCharge === undefined || !isOpenCharge(storedCharge)) return;
  const chargedFields: ChargeChange = {
    state: 'CHARGED',
    nextTryAtMs: undefined,
    endsAtMs: undefined,
    remindAtMs: undefined,
  };
  await charges.replace(storedCharge, withChargeChange(storedCharge, chargedFields));
}

/** Ends the contract's older orders in dunning, and has this order evaluated again after that. */
async function endOlderCharges(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { storedCharge, charge }: Pick<OrderToSend, 'charge' | 'storedCharge'>,
  olderCharges: readonly BillingCharge[],
): Promise<void> {
  const observedOrders = await readOrders(deps, { ...turn, withLaterOrders: false }, olderCharges);
  for (const [index, olderCharge] of olderCharges.entries()) {
    const order = observedOrders[index];
    if (order === undefined || typeof order === 'string') continue;
    const view = { charge: olderCharge, order, timeZone: timeZoneOf(turn.store), nowMs: deps.now() };
    await applyVerdict(deps, turn, { storedCharge: olderCharge, ...view }, decideOlderOrder(view));
  }
  // An older order stays open while the outcome of its final action is unknown: evaluated at once, this order would find it
  // open again.
  const isOlderChargeOpen = (await deps.charges.findMany(olderCharges)).some(
    (one) => one !== undefined && isOpenCharge(one),
  );
  const remindAtMs = deps.now() + (isOlderChargeOpen ? OPEN_FINAL_ACTION_REREAD_DELAY_MS : 0);
  await deps.charges.replace(storedCharge, withChargeChange(charge, { remindAtMs }));
}

/** Sets the prices of the order by the plan's steps. Returns false when the platform refused them: the charge is closed. */
async function setPrices(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { order, storedCharge, charge }: OrderToSend,
): Promise<boolean> {
  if (order.editedContract !== null || charge.contractUpdatedAt === order.sourceContract.updatedAt)
    return true;
  const requestId = `billing-${charge.contractNumber}-${charge.cycleIndex}-price`;
  const priceOutcome = await setStepPrices(deps, turn, { contractId: order.sourceContract.id, requestId });
  if (priceOutcome !== 'refused') return true;
  await closeUnpaidCharge(
    deps,
    storedCharge,
    withChargeChange(charge, createClosingChange('REPORTED', 'PRICE_REFUSED', deps.now())),
  );
  return false;
}
