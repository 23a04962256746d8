/**
 * Charges orders of one store: claims their contracts, reads the orders, and makes the attempts. First tries and retries
 * are alike. It may be killed at any point: the run's cursor, or the charge's reminder, leads to the order again.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import type { ChargeClaims } from '../../subscriptions/charge/charge-claims.ts';
import type { OrderRef } from '../records/charge-record.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { CLAIMED_ORDER_REREAD_DELAY_MS } from './decide-order.ts';
import { evaluateOrders, type OrderTask } from './evaluate-orders.ts';
import { remindOfOrder, type SendAttemptsDeps, sendAttempts } from './send-attempts.ts';

export type ChargeOrdersDeps = SendAttemptsDeps & {
  readonly chargeClaims: ChargeClaims;
  readonly newId: () => string;
};

/** The maximum number of orders that one request reads, or charges. */
export const ORDERS_PER_BATCH = 10;
/** Claims last 30 seconds. Orders whose attempts cannot be sent within this time are claimed and read again later. */
const CLAIM_USABLE_MS = 22_000;
/** The time for reading orders and setting prices. The rest of `CLAIM_USABLE_MS` is for sending the attempts. */
const MAX_EVALUATION_MS = 14_000;

/**
 * Charges up to ten orders of different contracts.
 * @returns `stopped` when billing was stopped before the attempts were sent; `again` when the claims' time, or the store's
 * points, did not suffice for all
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function chargeOrders(
  deps: ChargeOrdersDeps,
  turn: BillingTurn,
  tasks: readonly OrderTask[],
): Promise<'again' | 'done' | 'stopped'> {
  const claimedAtMs = deps.now();
  const claimToken = `billing-${deps.newId()}`;
  const claimOutcomes = await awaitAll(
    tasks.map(({ charge }) => deps.chargeClaims.claim(charge, { idempotencyKey: claimToken })),
  );
  const claimedTasks = tasks.filter((_, index) => claimOutcomes[index] === 'done');
  const unclaimedTasks = tasks.filter((_, index) => claimOutcomes[index] !== 'done');
  const rereadAtMs = claimedAtMs + CLAIMED_ORDER_REREAD_DELAY_MS;
  await awaitAll(unclaimedTasks.map(({ charge }) => deferOrder(deps, charge, rereadAtMs)));
  if (claimedTasks.length === 0) return 'done';
  let ordersWithLostAnswer: readonly OrderRef[] = [];
  try {
    const turnWithin = (maxMs: number) => ({ ...turn, endAtMs: Math.min(turn.endAtMs, claimedAtMs + maxMs) });
    const { ordersToSend, isIncomplete } = await evaluateOrders(
      deps,
      turnWithin(MAX_EVALUATION_MS),
      claimedTasks,
    );
    const evaluationOutcome = isIncomplete ? 'again' : 'done';
    if (ordersToSend.length === 0) return evaluationOutcome;
    const sendTurn = turnWithin(CLAIM_USABLE_MS);
    if (deps.now() >= sendTurn.endAtMs) return 'again';
    const sendOutcome = await sendAttempts(deps, sendTurn, ordersToSend);
    if (sendOutcome === 'stopped') return sendOutcome;
    ordersWithLostAnswer = sendOutcome;
    return evaluationOutcome;
  } finally {
    // If the response was lost, the attempt may be under way: the claim of its contract is left to expire.
    const concludedTasks = claimedTasks.filter(
      ({ charge }) => !ordersWithLostAnswer.some((ref) => isSameOrder(ref, charge)),
    );
    await awaitAll(
      concludedTasks.map(({ charge }) =>
        ignoreServiceError(() => deps.chargeClaims.release(charge, claimToken)),
      ),
    );
  }
}

/**
 * Has the order evaluated again at `atMs`. A reminder that is due is moved to then: otherwise the store's work would find it
 * again at once.
 */
async function deferOrder(deps: ChargeOrdersDeps, charge: OrderTask['charge'], atMs: number): Promise<void> {
  if (charge.remindAtMs === undefined) await remindOfOrder(deps, charge, atMs);
  else await deps.charges.replace(charge, { ...charge, remindAtMs: atMs });
}

function isSameOrder(one: OrderRef, other: OrderRef): boolean {
  return one.contractNumber === other.contractNumber && one.cycleIndex === other.cycleIndex;
}
