/** Reads orders at the platform, and does what their state demands. Returns those for which an attempt has to be made. */
import { awaitAll } from '../../domain/await-all.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { type ChargeEnded, toAttemptOutcome } from '../../timeline/attempt-outcome.ts';
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
  decideOrder,
  endOfFirstDays,
  isLaterOrderDue,
  type OrderVerdict,
  toContractState,
} from './decide-order.ts';
import { isLaterOrderPaid, readPaidOrderCount, wasInactiveWhenDue } from './read-order-context.ts';
import { type OrderReading, type OrderState, type ReadOrdersDeps, readOrders } from './read-orders.ts';
import { setStepPrices } from './set-step-prices.ts';

export type EvaluateDeps = ReadOrdersDeps &
  EndChargeDeps & { readonly charges: BillingCharges; readonly chargeEnded: ChargeEnded };

/** An open charge whose order is read. `isEnding`: its tries are over, so it ends if nothing else decides. */
export type OrderTask = { readonly charge: BillingCharge; readonly isEnding: boolean };

/** An order for which an attempt has to be made. `stored` is the charge as it stands in the table. */
export type OrderToSend = {
  readonly stored: BillingCharge;
  readonly charge: BillingCharge;
  readonly order: OrderState;
};

const UNREADABLE_AGAIN_AFTER_MS = 3_600_000;
const OPEN_ACTION_AGAIN_AFTER_MS = 3 * 60_000;

type EvaluatedOrders = {
  readonly toSend: readonly OrderToSend[];
  /** Whether the store's points did not suffice for some of the orders: they are unchanged. */
  readonly isIncomplete: boolean;
};

/**
 * Evaluates orders of different contracts, whose charge claims the caller has.
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function evaluateOrders(
  deps: EvaluateDeps,
  turn: BillingTurn,
  tasks: readonly OrderTask[],
): Promise<EvaluatedOrders> {
  const observedOrders = await readOrders(
    deps,
    { ...turn, withLaterOrders: isInFirstDays(deps, turn) },
    tasks.map(({ charge }) => charge),
  );
  const evaluationResults = await awaitAll(
    tasks.map((task, index) =>
      evaluateOrder(deps, turn, task, observedOrders[index] ?? 'unreadable').catch(toThrottled),
    ),
  );
  const ordersToSend = evaluationResults.filter((order) => order !== undefined && order !== 'throttled');
  return { toSend: ordersToSend, isIncomplete: evaluationResults.includes('throttled') };
}

/** An order that the points do not suffice for must not keep back the others: their prices may take all points again. */
function toThrottled(error: unknown): 'throttled' {
  if (error instanceof ServiceError && error.code === 'THROTTLED') return 'throttled';
  throw error;
}

function isInFirstDays({ now }: Pick<EvaluateDeps, 'now'>, { settings, store }: BillingTurn): boolean {
  const end = endOfFirstDays(settings);
  return end !== undefined && isoDayIn(timeZoneOf(store), now()) < end;
}

async function evaluateOrder(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { charge: stored, isEnding }: OrderTask,
  order: OrderReading,
): Promise<OrderToSend | undefined> {
  if (order === 'unreadable' || order === 'missing') {
    const nowMs = deps.now();
    const chargeChange =
      order === 'missing'
        ? createClosingChange('SKIPPED', 'MOVED', nowMs)
        : { remindAtMs: nowMs + UNREADABLE_AGAIN_AFTER_MS };
    await deps.charges.replace(stored, withChargeChange(stored, chargeChange));
    return undefined;
  }
  const timeZone = timeZoneOf(turn.store);
  const countedCharge = await applyFailedAttempts(deps, { turn, charge: stored }, order);
  const expectedAtMs = Date.parse(order.billingAttemptExpectedDate);
  const charge = withChargeChange(countedCharge, { isLastOrder: undefined });
  const paidOrderCount = await countPaidIfLimited(deps, turn, order);
  const chargesOfContract = await deps.charges.listOfContract(charge);
  const verdict = decideOrder({
    ...{ charge, order, timeZone, paidOrderCount, settings: turn.settings, nowMs: deps.now() },
    isEnding: isEnding || (countedCharge !== stored && hasEnded(countedCharge, deps.now())),
    wasInactiveWhenDue: await wasInactiveWhenDue(deps, charge, order),
    isLaterOrderPaid: isLaterOrderPaid(charge, order),
    older: chargesOfContract.filter((one) => one.cycleIndex < charge.cycleIndex && isOpenCharge(one)),
    isLaterOrderDue: isLaterOrderDue(charge, chargesOfContract, deps.now()),
  });
  if (verdict.kind !== 'send') {
    const movedCharge = verdict.kind === 'close' ? charge : withChargeChange(charge, { expectedAtMs });
    await applyVerdict(deps, turn, { stored, charge: movedCharge, order }, verdict);
    return undefined;
  }
  if (!coversOrder(turn.settings, { ...charge, expectedAtMs }, timeZone)) {
    await closeUnpaidCharge(
      deps,
      stored,
      withChargeChange(charge, createClosingChange('ENDED', 'BILLING_OFF', deps.now())),
    );
    return undefined;
  }
  const { maxCycles } = order.sourceContract.billingPolicy;
  const isLastOrder = maxCycles !== null && (paidOrderCount ?? 0) + 1 >= maxCycles;
  const orderToSend = { stored, charge: withChargeChange(charge, { expectedAtMs, isLastOrder }), order };
  return (await setPrices(deps, turn, orderToSend)) ? orderToSend : undefined;
}

function hasEnded({ nextTryAtMs, endsAtMs }: BillingCharge, nowMs: number): boolean {
  return nextTryAtMs === undefined && endsAtMs !== undefined && endsAtMs <= nowMs;
}

/** Counts the paid orders where the contract has a last one. */
async function countPaidIfLimited(
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
  { stored, charge, order }: OrderToSend,
  verdict: Exclude<OrderVerdict, { readonly kind: 'send' }>,
): Promise<void> {
  if (verdict.kind === 'close')
    await closeUnpaidCharge(deps, stored, withChargeChange(charge, verdict.change));
  else if (verdict.kind === 'wait')
    await deps.charges.replace(stored, withChargeChange(charge, verdict.change));
  else if (verdict.kind === 'leave')
    await deps.charges.replace(stored, withChargeChange(stored, verdict.change));
  else if (verdict.kind === 'billed') await recordPaidOrder(deps, charge, order);
  else if (verdict.kind === 'end older') await endOlderCharges(deps, turn, { stored, charge }, verdict.older);
  else if (verdict.kind === 'expire') {
    await expireAfterLastOrder(deps, turn, charge);
    await closeUnpaidCharge(
      deps,
      stored,
      withChargeChange(charge, createClosingChange('SKIPPED', 'BEYOND_LAST_ORDER', deps.now())),
    );
  } else {
    const writtenCharge = await deps.charges.replace(stored, charge);
    if (writtenCharge !== 'refused')
      await endCharge(deps, { turn, charge: writtenCharge }, toContractState(order));
  }
}

/** The order is paid: its successful attempts say by which order and amount, if the platform still shows them. */
async function recordPaidOrder(
  { charges, chargeEnded }: EvaluateDeps,
  charge: BillingCharge,
  { billingAttempts }: OrderState,
): Promise<void> {
  const { shopId, contractNumber: contract, cycleIndex } = charge;
  const paid = billingAttempts.nodes.filter((attempt) => toAttemptOutcome(attempt).kind === 'charged');
  for (const attempt of paid.toReversed())
    await chargeEnded({ shopId, contract, cycleIndex, attempt, outcome: { kind: 'charged' } });
  if (paid.length > 0) return;
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

/** Older orders in dunning end first; this one is then evaluated again. */
async function endOlderCharges(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { stored, charge }: Pick<OrderToSend, 'charge' | 'stored'>,
  older: readonly BillingCharge[],
): Promise<void> {
  const observedOrders = await readOrders(deps, { ...turn, withLaterOrders: false }, older);
  for (const [index, one] of older.entries()) {
    const order = observedOrders[index];
    if (order === undefined || typeof order === 'string') continue;
    if (order.status === 'BILLED') await recordPaidOrder(deps, one, order);
    else await endCharge(deps, { turn, charge: one }, toContractState(order));
  }
  // An older order stays open while the outcome of its final action is unknown: evaluated at once, this order would find it
  // open again.
  const isOpen = (await deps.charges.findMany(older)).some((one) => one !== undefined && isOpenCharge(one));
  const remindAtMs = deps.now() + (isOpen ? OPEN_ACTION_AGAIN_AFTER_MS : 0);
  await deps.charges.replace(stored, withChargeChange(charge, { remindAtMs }));
}

/** Sets the price of the order. Returns false when the charge was closed instead. */
async function setPrices(
  deps: EvaluateDeps,
  turn: BillingTurn,
  { order, stored, charge }: OrderToSend,
): Promise<boolean> {
  if (order.editedContract !== null || charge.contractUpdatedAt === order.sourceContract.updatedAt)
    return true;
  const requestId = `billing-${charge.contractNumber}-${charge.cycleIndex}-price`;
  const priceOutcome = await setStepPrices(deps, turn, { contractId: order.sourceContract.id, requestId });
  if (priceOutcome !== 'refused') return true;
  await closeUnpaidCharge(
    deps,
    stored,
    withChargeChange(charge, createClosingChange('REPORTED', 'PRICE_REFUSED', deps.now())),
  );
  return false;
}
