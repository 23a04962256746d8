/**
 * Charges orders of one store: takes their claims, reads them, and makes their attempts. A first try and a retry are the
 * same. It may be killed at any point: the run's cursor, or the charge's reminder, still precedes the order.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import type { ChargeClaims } from '../../subscriptions/charge/charge-claims.ts';
import type { OrderRef } from '../records/charge-record.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { CLAIMED_AGAIN_AFTER_MS } from './decide-order.ts';
import { evaluateOrders, type OrderTask } from './evaluate-orders.ts';
import { remindOfOrder, type SendAttemptsDeps, sendAttempts } from './send-attempts.ts';

export type ChargeOrdersDeps = SendAttemptsDeps & {
  readonly chargeClaims: ChargeClaims;
  readonly newId: () => string;
};

/** How many orders one request reads, and charges. */
export const ORDERS_PER_BATCH = 10;
/** Claims last 30 seconds. Attempts that cannot be sent within this time are started again. */
const CLAIM_USABLE_MS = 22_000;
/** The time for reading and prices: the rest is for the attempts, which need points, too. */
const EVALUATION_MS = 14_000;

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
    tasks.map(({ charge }) => deps.chargeClaims.take(charge, { idempotencyKey: claimToken })),
  );
  const claimedTasks = tasks.filter((_, index) => claimOutcomes[index] === 'done');
  const otherTasks = tasks.filter((_, index) => claimOutcomes[index] !== 'done');
  const retryAtMs = claimedAtMs + CLAIMED_AGAIN_AFTER_MS;
  await awaitAll(otherTasks.map(({ charge }) => deferOrder(deps, charge, retryAtMs)));
  if (claimedTasks.length === 0) return 'done';
  let lost: readonly OrderRef[] = [];
  try {
    const turnWithin = (ms: number) => ({ ...turn, endAtMs: Math.min(turn.endAtMs, claimedAtMs + ms) });
    const { toSend, isIncomplete } = await evaluateOrders(deps, turnWithin(EVALUATION_MS), claimedTasks);
    const evaluationOutcome = isIncomplete ? 'again' : 'done';
    if (toSend.length === 0) return evaluationOutcome;
    const sendTurn = turnWithin(CLAIM_USABLE_MS);
    if (deps.now() >= sendTurn.endAtMs) return 'again';
    const sent = await sendAttempts(deps, sendTurn, toSend);
    if (sent === 'stopped') return sent;
    lost = sent;
    return evaluationOutcome;
  } finally {
    // The attempt of a lost answer may be under way: its claim expires by itself.
    const endedTasks = claimedTasks.filter(({ charge }) => !lost.some((ref) => isSameOrder(ref, charge)));
    await awaitAll(
      endedTasks.map(({ charge }) => ignoreServiceError(() => deps.chargeClaims.end(charge, claimToken))),
    );
  }
}

/** A reminder that is due is moved, so that the store's work does not meet it again at once. */
async function deferOrder(deps: ChargeOrdersDeps, ref: OrderTask['charge'], atMs: number): Promise<void> {
  if (ref.remindAtMs === undefined) await remindOfOrder(deps, ref, atMs);
  else await deps.charges.replace(ref, { ...ref, remindAtMs: atMs });
}

function isSameOrder(one: OrderRef, other: OrderRef): boolean {
  return one.contractNumber === other.contractNumber && one.cycleIndex === other.cycleIndex;
}
