/**
 * Makes the billing attempts of orders, ten in one request. Each charge is WAITING with its key before its attempt is sent,
 * so that after a crash or a lost answer the same key is sent again, or its attempt is found.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { createLruCache } from '../../domain/lru-cache.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { provesNothingChanged } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { MUTATION_POINTS } from '../../platform/admin-api/query-points.ts';
import { createWaitBudget } from '../../platform/admin-api/wait-for-points.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { chooseOriginTime } from '../../subscriptions/charge/choose-origin-time.ts';
import {
  classifyReturnedAttempt,
  RETURNED_ATTEMPT_SELECTION,
  type ReturnedAttempt,
} from '../../subscriptions/charge/classify-returned-attempt.ts';
import { deriveIdempotencyKey } from '../../subscriptions/charge/find-existing-attempt.ts';
import type { PlatformUserError } from '../../subscriptions/operation-error.ts';
import {
  ENDED_ATTEMPT_SELECTION,
  isFinalAttemptOutcome,
  toAttemptOutcome,
} from '../../timeline/attempt-outcome.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import {
  type BillingCharge,
  isOpenCharge,
  type OrderRef,
  withChargeChange,
} from '../records/charge-record.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { decideAfterRefusal } from '../settle/decide-after-refusal.ts';
import { recordUnpaidOrder } from '../settle/record-unpaid-order.ts';
import type { EvaluateDeps, OrderToSend } from './evaluate-orders.ts';

export type SendAttemptsDeps = EvaluateDeps & {
  /** Reads anew whether the store may still be charged: billing is neither stopped nor switched off. */
  readonly mayCharge: (turn: BillingTurn) => Promise<boolean>;
  readonly batchLimits: BatchLimits;
};

/** The maximum number of concurrent batches of each store. */
type BatchLimits = ReturnType<typeof createBatchLimits>;

const MAX_CONCURRENT_BATCHES = 6;
const HALVED_LIMIT_DURATION_MS = 60_000;
const MAX_STORES_WITH_HALVED_LIMIT = 1_000;
const LOST_ANSWER_REREAD_DELAY_MS = 120_000;
const MAX_REMINDER_WRITES = 5;
/** The code that is stored when another client had used the idempotency key, so that the platform returned its attempt. */
const KEY_USED_BY_OTHERS_CODE = 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';

/** An attempt that is being sent: its charge is WAITING, and its intent is written. */
type SentAttempt = OrderToSend & {
  readonly waitingCharge: BillingCharge;
  readonly openChange: OpenChange;
  readonly originTime: string;
};
type AttemptPayload = {
  readonly subscriptionBillingAttempt: ReturnedAttempt | null;
  readonly userErrors: readonly PlatformUserError[];
};

/** Creates this container's limits of concurrent batches. `halveLimit` lasts for a minute, and follows the error THROTTLED. */
export function createBatchLimits(now: () => number) {
  const halvedLimitByStore = createLruCache<ShopId, { readonly limit: number; readonly untilMs: number }>(
    MAX_STORES_WITH_HALVED_LIMIT,
  );
  const limitOf = (shopId: ShopId): number => {
    const { limit, untilMs } = halvedLimitByStore.get(shopId) ?? {
      limit: MAX_CONCURRENT_BATCHES,
      untilMs: 0,
    };
    return now() < untilMs ? limit : MAX_CONCURRENT_BATCHES;
  };
  const halveLimit = (shopId: ShopId): void =>
    halvedLimitByStore.set(shopId, {
      limit: Math.ceil(limitOf(shopId) / 2),
      untilMs: now() + HALVED_LIMIT_DURATION_MS,
    });
  return { limitOf, halveLimit };
}

/**
 * Sends the attempts, unless billing was stopped: then the charges are as before, and are evaluated when it is resumed.
 * Returns the orders whose response was lost, or names an attempt that may be of another order: their charges are evaluated
 * again in two minutes.
 * @throws the errors of the Admin API client after which nothing was changed, TEMPORARILY_UNAVAILABLE
 */
export async function sendAttempts(
  deps: SendAttemptsDeps,
  turn: BillingTurn,
  orders: readonly OrderToSend[],
): Promise<readonly OrderRef[] | 'stopped'> {
  const waitingCharges = await awaitAll(orders.map((order) => writeWaiting(deps, order)));
  const startedAttempts = await beginAttempts(
    deps,
    turn,
    orders.flatMap((order, index) => {
      const waitingCharge = waitingCharges[index];
      return waitingCharge === undefined ? [] : [{ ...order, waitingCharge }];
    }),
  );
  if (startedAttempts.length === 0) return [];
  const attemptPayloads = await createAttempts(deps, turn, startedAttempts);
  if (attemptPayloads === 'stopped') return attemptPayloads;
  if (attemptPayloads.some((payload) => payload?.userErrors[0]?.code === 'THROTTLED'))
    deps.batchLimits.halveLimit(turn.store.shopId);
  const ordersWithLostAnswer = await awaitAll(
    startedAttempts.map(async (sentAttempt, index) => {
      const payload = attemptPayloads[index];
      if (payload && (await concludeAttempt(deps, turn, { sentAttempt, payload })) === 'concluded')
        return undefined;
      await remindOfOrder(deps, sentAttempt.charge, deps.now() + LOST_ANSWER_REREAD_DELAY_MS);
      return sentAttempt.charge;
    }),
  );
  return ordersWithLostAnswer.filter((ref) => ref !== undefined);
}

/**
 * Writes the charge as WAITING, with the attempt's idempotency key. Returns undefined when another process has changed the
 * charge: then it is evaluated again.
 */
async function writeWaiting(
  deps: EvaluateDeps,
  { storedCharge, charge, order }: OrderToSend,
): Promise<BillingCharge | undefined> {
  const nowMs = deps.now();
  const writtenCharge = await deps.charges.replace(
    storedCharge,
    withChargeChange(charge, {
      ...{ state: 'WAITING', attemptId: undefined, sentAtMs: nowMs },
      idempotencyKey: deriveIdempotencyKey(order.sourceContract, order, firstKeyNumberOf(charge)),
      firstTryAtMs: charge.firstTryAtMs ?? nowMs,
      ...{ nextTryAtMs: undefined, endsAtMs: undefined },
      // The reminder of a retry stands until the attempt is known.
      remindAtMs: storedCharge.remindAtMs,
    }),
  );
  if (writtenCharge !== 'refused') return writtenCharge;
  await remindOfOrder(deps, storedCharge, nowMs);
  return undefined;
}

/**
 * Returns the first number of the order's idempotency keys. Another client can send the service's key for another order
 * first. So after such a refusal the keys start at a number that no other client knows. It is the same at each try, so that
 * the platform runs each key once.
 */
function firstKeyNumberOf({ refusalCode, foundAtMs, expectedAtMs }: BillingCharge): number {
  return refusalCode === KEY_USED_BY_OTHERS_CODE ? (foundAtMs ?? expectedAtMs) : 0;
}

/** Has an open charge evaluated again at `atMs` (epoch milliseconds), unless it has an earlier reminder. */
export async function remindOfOrder(
  { charges }: Pick<EvaluateDeps, 'charges'>,
  ref: OrderRef,
  atMs: number,
): Promise<void> {
  for (let writeAttempts = 0; writeAttempts < MAX_REMINDER_WRITES; writeAttempts++) {
    const charge = await charges.find(ref);
    if (charge === undefined || !isOpenCharge(charge)) return;
    if (charge.remindAtMs !== undefined && charge.remindAtMs <= atMs) return;
    const remindedCharge = withChargeChange(charge, { remindAtMs: atMs });
    if ((await charges.replace(charge, remindedCharge)) !== 'refused') return;
  }
}

/** Writes the attempts' intents. If one cannot be written, removes the others and throws, so that no attempt is sent. */
async function beginAttempts(
  deps: EvaluateDeps,
  { store }: BillingTurn,
  orders: readonly (OrderToSend & { readonly waitingCharge: BillingCharge })[],
): Promise<SentAttempt[]> {
  const startResults = await Promise.allSettled(
    orders.map(async (orderToSend): Promise<SentAttempt> => {
      const { waitingCharge, order } = orderToSend;
      const beginIntent = deps.timeline.begin({
        shopId: store.shopId,
        actor: { kind: 'SERVICE' },
        requestId: `billing-${waitingCharge.contractNumber}-${waitingCharge.cycleIndex}`,
        readAtMs: deps.now(),
      });
      const details = {
        billingCycleIndex: waitingCharge.cycleIndex,
        expectedDate: order.billingAttemptExpectedDate,
        idempotencyKey: waitingCharge.idempotencyKey ?? null,
      };
      const contractId = order.sourceContract.id;
      const openChange = await beginIntent({
        action: 'billing_cycle_charged',
        contractId,
        details,
        changes: [],
      });
      return { ...orderToSend, openChange, originTime: chooseOriginTime(order, deps.now()) };
    }),
  );
  const startedAttempts = startResults.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failedStart = startResults.find((one) => one.status === 'rejected');
  if (failedStart === undefined) return startedAttempts;
  await removeIntents(startedAttempts);
  throw failedStart.reason;
}

async function removeIntents(attempts: readonly SentAttempt[]): Promise<void> {
  await awaitAll(attempts.map(({ openChange }) => openChange.settleAsNotDone()));
}

/** Sends the attempts in one request. Returns their payloads in the same order; undefined where the response was lost. */
async function createAttempts(
  deps: SendAttemptsDeps,
  turn: BillingTurn,
  attempts: readonly SentAttempt[],
): Promise<(AttemptPayload | null | undefined)[] | 'stopped'> {
  const { store, endAtMs } = turn;
  const rootTexts = attempts.map(
    (_, index) => `a${index}: subscriptionBillingAttemptCreate(subscriptionContractId: $c${index},
      subscriptionBillingAttemptInput: $i${index}) {
      subscriptionBillingAttempt { ${ENDED_ATTEMPT_SELECTION} ${RETURNED_ATTEMPT_SELECTION} } userErrors { field message code } }`,
  );
  const declarations = attempts.map(
    (_, index) => `$c${index}: ID!, $i${index}: SubscriptionBillingAttemptInput!`,
  );
  const document = `mutation(${declarations.join(', ')}) { ${rootTexts.join(' ')} }`;
  const variables = Object.fromEntries(
    attempts.flatMap(({ order, waitingCharge, originTime }, index) => [
      [`c${index}`, order.sourceContract.id],
      [
        `i${index}`,
        {
          billingCycleSelector: { index: waitingCharge.cycleIndex },
          idempotencyKey: waitingCharge.idempotencyKey,
          originTime,
        },
      ],
    ]),
  );
  let isStopped = false;
  // Check for a stop after the wait for points, which may be long: a stop has to take effect within ten seconds.
  const beforeSend = async () => {
    isStopped = !(await deps.mayCharge(turn));
    if (isStopped) throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'billing was stopped' });
  };
  try {
    const { data } = await deps.sendWithinBudget({
      ...{ store, endAtMs, document, variables, mutates: true, costKey: document, beforeSend },
      ...{ expectedCost: attempts.length * MUTATION_POINTS, waitBudget: createWaitBudget() },
    });
    return attempts.map((_, index) => data?.[`a${index}`] as AttemptPayload | null | undefined);
  } catch (error) {
    if (!provesNothingChanged(error)) return [];
    await removeIntents(attempts);
    // If the process crashes before this write, the charges stay WAITING: the next read of the orders finds no attempt.
    await awaitAll(
      attempts.map(({ waitingCharge, storedCharge }) => deps.charges.replace(waitingCharge, storedCharge)),
    );
    if (isStopped) return 'stopped';
    throw error;
  }
}

type AnsweredAttempt = { readonly sentAttempt: SentAttempt; readonly payload: AttemptPayload };

async function concludeAttempt(
  deps: EvaluateDeps,
  { settings, store }: BillingTurn,
  { sentAttempt, payload }: AnsweredAttempt,
): Promise<'concluded' | 'uncertain'> {
  const { waitingCharge, openChange } = sentAttempt;
  const { subscriptionBillingAttempt: attempt, userErrors } = payload;
  const attemptOwner = attempt === null ? undefined : classifyAttempt(sentAttempt, attempt);
  if (attemptOwner === 'uncertain') return attemptOwner;
  if (attempt === null || attemptOwner === 'other') {
    await openChange.settleAsNotDone();
    const code = attemptOwner === 'other' ? KEY_USED_BY_OTHERS_CODE : (userErrors[0]?.code ?? 'INVALID');
    const storeHour = { shopId: store.shopId, hour: settings.hour, timeZone: timeZoneOf(store) };
    const chargeChange = decideAfterRefusal(waitingCharge, { code, atMs: deps.now() }, storeHour);
    const writtenCharge = await deps.charges.replace(
      waitingCharge,
      withChargeChange(waitingCharge, chargeChange),
    );
    if (writtenCharge !== 'refused' && writtenCharge.state === 'REPORTED')
      await recordUnpaidOrder(deps, writtenCharge);
    return 'concluded';
  }
  const knownCharge = withChargeChange(waitingCharge, {
    attemptId: attempt.id,
    refusalCode: undefined,
    remindAtMs: undefined,
  });
  // This write is refused, and need not succeed, when the outcome of the attempt was recorded in the meantime.
  await deps.charges.replace(waitingCharge, knownCharge);
  const attemptOutcome = toAttemptOutcome(attempt);
  if (isFinalAttemptOutcome(attemptOutcome) || attemptOutcome.kind === 'action required') {
    const { shopId, contractNumber: contract, cycleIndex } = waitingCharge;
    await deps.applyOutcomeToCharge({ shopId, contract, cycleIndex, attempt, outcome: attemptOutcome });
  }
  await openChange.settleWithAttempt(attempt);
  return 'concluded';
}

function classifyAttempt({ waitingCharge, order, originTime }: SentAttempt, attempt: ReturnedAttempt) {
  const { sentAtMs = 0 } = waitingCharge;
  const contractId = order.sourceContract.id;
  const attemptsBefore = order.billingAttempts.nodes;
  return classifyReturnedAttempt(attempt, { contractId, originTime, sentAtMs, attemptsBefore });
}
