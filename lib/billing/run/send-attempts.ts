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
  /** Whether the store may still be charged: no stop, and not switched off. Read again. */
  readonly mayCharge: (turn: BillingTurn) => Promise<boolean>;
  readonly batchLimits: BatchLimits;
};

/** How many batches of each store are under way at once. */
type BatchLimits = ReturnType<typeof createBatchLimits>;

const MAX_BATCHES = 6;
const HALVED_MS = 60_000;
const MAX_STORES = 1_000;
const LOST_ANSWER_AGAIN_AFTER_MS = 120_000;
const MAX_REMINDER_WRITES = 5;
/** The refusal of an attempt whose key others had used: the platform returned their attempt. */
const KEY_USED = 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';

/** An attempt that is sent: the charge is WAITING, and the intent is written. */
type SentAttempt = OrderToSend & {
  readonly waiting: BillingCharge;
  readonly open: OpenChange;
  readonly originTime: string;
};
type AttemptPayload = {
  readonly subscriptionBillingAttempt: ReturnedAttempt | null;
  readonly userErrors: readonly PlatformUserError[];
};

/** Creates the limits of a container. The platform's user error THROTTLED halves the limit of its store for a minute. */
export function createBatchLimits(now: () => number) {
  const halvedLimitByStore = createLruCache<ShopId, { readonly limit: number; readonly untilMs: number }>(
    MAX_STORES,
  );
  const limitOf = (shopId: ShopId): number => {
    const { limit, untilMs } = halvedLimitByStore.get(shopId) ?? { limit: MAX_BATCHES, untilMs: 0 };
    return now() < untilMs ? limit : MAX_BATCHES;
  };
  const halveLimit = (shopId: ShopId): void =>
    halvedLimitByStore.set(shopId, { limit: Math.ceil(limitOf(shopId) / 2), untilMs: now() + HALVED_MS });
  return { limitOf, halveLimit };
}

/**
 * Sends the attempts, unless billing was stopped: then the charges are as before, and are evaluated when it is resumed.
 * Returns the orders whose answer was lost, or shows an attempt that may be of another order: their
 * charges are evaluated again in two minutes.
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
      return waitingCharge === undefined ? [] : [{ ...order, waiting: waitingCharge }];
    }),
  );
  if (startedAttempts.length === 0) return [];
  const attemptPayloads = await createAttempts(deps, turn, startedAttempts);
  if (attemptPayloads === 'stopped') return attemptPayloads;
  if (attemptPayloads.some((payload) => payload?.userErrors[0]?.code === 'THROTTLED'))
    deps.batchLimits.halveLimit(turn.store.shopId);
  const lost = await awaitAll(
    startedAttempts.map(async (sent, index) => {
      const payload = attemptPayloads[index];
      if (payload && (await concludeAttempt(deps, turn, { sent, payload })) === 'concluded') return undefined;
      await remindOfOrder(deps, sent.charge, deps.now() + LOST_ANSWER_AGAIN_AFTER_MS);
      return sent.charge;
    }),
  );
  return lost.filter((ref) => ref !== undefined);
}

/** Returns undefined when another process has changed the charge: it is evaluated again. */
async function writeWaiting(
  deps: EvaluateDeps,
  { stored, charge, order }: OrderToSend,
): Promise<BillingCharge | undefined> {
  const nowMs = deps.now();
  const writtenCharge = await deps.charges.replace(
    stored,
    withChargeChange(charge, {
      ...{ state: 'WAITING', attemptId: undefined, sentAtMs: nowMs },
      idempotencyKey: deriveIdempotencyKey(order.sourceContract, order, firstKeyNumberOf(charge)),
      firstTryAtMs: charge.firstTryAtMs ?? nowMs,
      ...{ nextTryAtMs: undefined, endsAtMs: undefined },
      // The reminder of a retry stands until the attempt is known.
      remindAtMs: stored.remindAtMs,
    }),
  );
  if (writtenCharge !== 'refused') return writtenCharge;
  await remindOfOrder(deps, stored, nowMs);
  return undefined;
}

/**
 * Returns the number from which the keys of the order are numbered. Others can send the service's key for another order
 * first, so the next key has a number that they do not know. It stays the same, so that the platform runs the key once.
 */
function firstKeyNumberOf({ refusalCode, foundAtMs, expectedAtMs }: BillingCharge): number {
  return refusalCode === KEY_USED ? (foundAtMs ?? expectedAtMs) : 0;
}

/** Lets an open charge without a reminder be evaluated again at a time. */
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

/** Writes the intents. If one cannot be written, none is sent. */
async function beginAttempts(
  deps: EvaluateDeps,
  { store }: BillingTurn,
  orders: readonly (OrderToSend & { readonly waiting: BillingCharge })[],
): Promise<SentAttempt[]> {
  const startResults = await Promise.allSettled(
    orders.map(async (toSend): Promise<SentAttempt> => {
      const { waiting, order } = toSend;
      const beginIntent = deps.timeline.begin({
        shopId: store.shopId,
        actor: { kind: 'SERVICE' },
        requestId: `billing-${waiting.contractNumber}-${waiting.cycleIndex}`,
        readAtMs: deps.now(),
      });
      const details = {
        billingCycleIndex: waiting.cycleIndex,
        expectedDate: order.billingAttemptExpectedDate,
        idempotencyKey: waiting.idempotencyKey ?? null,
      };
      const contractId = order.sourceContract.id;
      const open = await beginIntent({ action: 'billing_cycle_charged', contractId, details, changes: [] });
      return { ...toSend, open, originTime: chooseOriginTime(order, deps.now()) };
    }),
  );
  const startedAttempts = startResults.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failedStart = startResults.find((one) => one.status === 'rejected');
  if (failedStart === undefined) return startedAttempts;
  await removeIntents(startedAttempts);
  throw failedStart.reason;
}

async function removeIntents(sending: readonly SentAttempt[]): Promise<void> {
  await awaitAll(sending.map(({ open }) => open.notDone()));
}

/** Returns the payloads in the order of the attempts; undefined where the answer was lost. */
async function createAttempts(
  deps: SendAttemptsDeps,
  turn: BillingTurn,
  sending: readonly SentAttempt[],
): Promise<(AttemptPayload | null | undefined)[] | 'stopped'> {
  const { store, endAtMs } = turn;
  const rootTexts = sending.map(
    (_, index) => `a${index}: subscriptionBillingAttemptCreate(subscriptionContractId: $c${index},
      subscriptionBillingAttemptInput: $i${index}) {
      subscriptionBillingAttempt { ${ENDED_ATTEMPT_SELECTION} ${RETURNED_ATTEMPT_SELECTION} } userErrors { field message code } }`,
  );
  const declarations = sending.map(
    (_, index) => `$c${index}: ID!, $i${index}: SubscriptionBillingAttemptInput!`,
  );
  const document = `mutation(${declarations.join(', ')}) { ${rootTexts.join(' ')} }`;
  const variables = Object.fromEntries(
    sending.flatMap(({ order, waiting, originTime }, index) => [
      [`c${index}`, order.sourceContract.id],
      [
        `i${index}`,
        {
          billingCycleSelector: { index: waiting.cycleIndex },
          idempotencyKey: waiting.idempotencyKey,
          originTime,
        },
      ],
    ]),
  );
  let isStopped = false;
  // After the wait for points, which may be long: a stop has its effect within ten seconds.
  const beforeSend = async () => {
    isStopped = !(await deps.mayCharge(turn));
    if (isStopped) throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'billing was stopped' });
  };
  try {
    const { data } = await deps.sendWithinBudget({
      ...{ store, endAtMs, document, variables, mutates: true, costKey: document, beforeSend },
      ...{ expectedCost: sending.length * MUTATION_POINTS, waitBudget: createWaitBudget() },
    });
    return sending.map((_, index) => data?.[`a${index}`] as AttemptPayload | null | undefined);
  } catch (error) {
    if (!provesNothingChanged(error)) return [];
    await removeIntents(sending);
    // After a crash instead, the charges stay WAITING, and the next reading shows that nothing was sent.
    await awaitAll(sending.map(({ waiting, stored }) => deps.charges.replace(waiting, stored)));
    if (isStopped) return 'stopped';
    throw error;
  }
}

type AnsweredAttempt = { readonly sent: SentAttempt; readonly payload: AttemptPayload };

async function concludeAttempt(
  deps: EvaluateDeps,
  { settings, store }: BillingTurn,
  { sent, payload }: AnsweredAttempt,
): Promise<'concluded' | 'uncertain'> {
  const { waiting, open } = sent;
  const { subscriptionBillingAttempt: attempt, userErrors } = payload;
  const attemptOwner = attempt === null ? undefined : classifyAttempt(sent, attempt);
  if (attemptOwner === 'uncertain') return attemptOwner;
  if (attempt === null || attemptOwner === 'other') {
    await open.notDone();
    const code = attemptOwner === 'other' ? KEY_USED : (userErrors[0]?.code ?? 'INVALID');
    const zone = { shopId: store.shopId, hour: settings.hour, timeZone: timeZoneOf(store) };
    const chargeChange = decideAfterRefusal(waiting, { code, atMs: deps.now() }, zone);
    const writtenCharge = await deps.charges.replace(waiting, withChargeChange(waiting, chargeChange));
    if (writtenCharge !== 'refused' && writtenCharge.state === 'REPORTED')
      await recordUnpaidOrder(deps, writtenCharge);
    return 'concluded';
  }
  const knownCharge = withChargeChange(waiting, {
    attemptId: attempt.id,
    refusalCode: undefined,
    remindAtMs: undefined,
  });
  // Refused when the outcome of the attempt was recorded in the meantime.
  await deps.charges.replace(waiting, knownCharge);
  const attemptOutcome = toAttemptOutcome(attempt);
  if (isFinalAttemptOutcome(attemptOutcome) || attemptOutcome.kind === 'action required') {
    const { shopId, contractNumber: contract, cycleIndex } = waiting;
    await deps.chargeEnded({ shopId, contract, cycleIndex, attempt, outcome: attemptOutcome });
  }
  await open.attempted(attempt);
  return 'concluded';
}

function classifyAttempt({ waiting, order, originTime }: SentAttempt, attempt: ReturnedAttempt) {
  const { sentAtMs = 0 } = waiting;
  const contractId = order.sourceContract.id;
  const attemptsBefore = order.billingAttempts.nodes;
  return classifyReturnedAttempt(attempt, { contractId, originTime, sentAtMs, attemptsBefore });
}
