/**
 * A request waits here for the store's points. A customer's request may do so for two seconds in all: it holds an
 * instance of the function, of which all stores share one number, and a few connections would hold them all.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { type Throttled, throttled, throttledSeconds } from './admin-failure.ts';
import type { CustomerDebts } from './customer-debts.ts';
import type { Debtor, Spender } from './spender.ts';
import { CUSTOMER_SHARE, type ThrottleBuckets } from './throttle-buckets.ts';

/** How long one request of a customer may still wait for points, over all that it asks the platform. */
export type Patience = {
  leftMs: number;
  /** Something was changed already: the request waits until its deadline, and is not left half done for points. */
  isChanging: boolean;
  /** A part of the request was let in: the others wait for the store's points alone. */
  isLetIn: boolean;
  /** The points of the parts that were let in. */
  earlierPoints: number;
  /** The points that the whole request is likely to cost, 0 if its first part tells. */
  readonly expectedPoints: number;
  /** When the customer owes nothing of its share any more, as far as it is known, epoch milliseconds. */
  owedUntilMs: number;
  /** The points of the request were claimed: its later parts need no claim. */
  isClaimed: boolean;
  /** The points that were claimed and not spent yet; below 0: that were spent and are not noted yet. */
  unspentPoints: number;
  /** The points that were noted beyond any claim. */
  notedPoints: number;
  /** To be called when the request has ended: gives back what was claimed and not spent. Never throws. */
  giveBack?: () => Promise<void>;
};

type Waits = { readonly deadlineAtMs: number; readonly patience?: Patience | undefined };
type Spending = Waits & { readonly store: StoreRecord; readonly customerId?: Spender['customerId'] };

type Clock = { readonly now: () => number; readonly wait: (ms: number) => Promise<void> };
type Points = { readonly buckets: ThrottleBuckets };
type Deps = Clock &
  Points & {
    /** Loads what is needed only where points are scarce. Without it shares are counted in each container alone. */
    readonly loadDebts?: (() => Promise<CustomerDebts>) | undefined;
  };

const PATIENCE_MS = 2_000;
/** A try is not worth it with less time than this. */
const SHORTEST_TRY_MS = 250;
/** With so much of a bucket left, no customer has spent more than a share of it. */
const ENOUGH = 1 - CUSTOMER_SHARE;
/** With so much left, few changes are under way. */
const ENOUGH_FOR_CHANGES = 0.95;
/** The points of a request whose cost nobody knows yet. */
const LEAST_CLAIM = 10;
/** Fewer points are not worth a write. */
const NOTED_POINTS = 20;

type Expected = Pick<Patience, 'expectedPoints' | 'owedUntilMs'>;

/** The patience of a request that begins. */
export function createPatience({ expectedPoints = 0, owedUntilMs = 0 }: Partial<Expected> = {}): Patience {
  const begun = { isChanging: false, isLetIn: false, isClaimed: false };
  const points = { expectedPoints, earlierPoints: 0, unspentPoints: 0, notedPoints: 0 };
  return { leftMs: PATIENCE_MS, ...begun, ...points, owedUntilMs };
}

/** Waits for points, if there is time for it; false: there is not, and nothing was waited. */
export async function waitIfPatient(
  { now, wait }: Clock,
  { deadlineAtMs, patience }: Waits,
  waitMs: number,
): Promise<boolean> {
  if (now() + waitMs + SHORTEST_TRY_MS > deadlineAtMs) return false;
  if (patience !== undefined && !patience.isChanging) {
    if (waitMs > patience.leftMs) return false;
    patience.leftMs -= waitMs;
  }
  await wait(waitMs);
  return true;
}

/**
 * Returns when the request fits into the store's bucket, which it looks at again after its wait. Errors: THROTTLED,
 * QUERY_TOO_COMPLEX.
 */
export async function waitForPoints(deps: Deps, spending: Spending, cost: number): Promise<void> {
  const { buckets } = deps;
  const spender = spenderOf(spending);
  for (let hasWaited = false; ; hasWaited = true) {
    const admission = buckets.admit({ ...spender, hasWaited }, cost);
    if (admission === 'never') {
      throw new ServiceError('QUERY_TOO_COMPLEX', {
        message: `The query costs ${cost} points, more than the platform allows for one query. Request fewer objects.`,
      });
    }
    if (admission.waitMs === 0) {
      if (spending.patience !== undefined) await letIn(deps, spending.patience, { spender, cost });
      return;
    }
    // Who has spent its own share does not wait here: that would hold an instance for long.
    const mayWait = admission.ownMs === 0;
    if (!(mayWait && (await waitIfPatient(deps, spending, admission.waitMs))))
      throw throttled(buckets.promiseMs(spender, cost) / 1000);
  }
}

type Entry = { readonly spender: Spender; readonly cost: number };

/**
 * Lets a part of a request in. Where points are scarce, or the customer owes some, those of the whole request are claimed
 * before. A change is never given up once it has begun, so it claims its points as soon as few are missing.
 */
async function letIn({ buckets, loadDebts, now }: Deps, patience: Patience, entry: Entry): Promise<void> {
  const { shopId, customerId } = entry.spender;
  if (customerId !== undefined && loadDebts !== undefined && !patience.isClaimed) {
    const { left, spent, ...debtor } = buckets.debtorOf({ shopId, customerId });
    const enough = patience.expectedPoints > 0 ? ENOUGH_FOR_CHANGES : ENOUGH;
    if (left < enough || patience.owedUntilMs > now()) {
      const points = Math.max(LEAST_CLAIM, entry.cost, patience.expectedPoints);
      const debts = await loadDebts();
      // What was spent here while there were plenty counts, too, once the table begins to.
      const before = patience.owedUntilMs > now() ? 0 : spent;
      const claim = { points: points + before, noted: patience.notedPoints };
      const { waitMs, untilMs } = await debts.claim(debtor, claim, patience.owedUntilMs);
      if (waitMs > 0) throw throttled(waitMs / 1000);
      patience.owedUntilMs = untilMs;
      patience.isClaimed = debtor.maximum > 0;
      if (patience.isClaimed) {
        patience.unspentPoints += points;
        patience.giveBack = () => giveBack(debts, patience, debtor);
      }
    }
  }
  patience.isLetIn = true;
}

/** A few points are not worth a write. */
async function giveBack(debts: CustomerDebts, patience: Patience, debtor: Debtor): Promise<void> {
  const { unspentPoints, owedUntilMs } = patience;
  patience.unspentPoints = 0;
  if (unspentPoints >= NOTED_POINTS) await debts.giveBack(debtor, unspentPoints, owedUntilMs);
}

/** Counts what a request has spent beyond what was claimed for it, where points are scarce. Never throws. */
export async function noteSpent(
  { buckets, loadDebts, now }: Deps,
  { store, customerId, patience }: Spending,
  points: number,
): Promise<void> {
  if (patience === undefined) return;
  patience.earlierPoints += points;
  if (customerId === undefined || loadDebts === undefined) return;
  const { left, ...debtor } = buckets.debtorOf({ shopId: store.shopId, customerId });
  const isScarce = left < ENOUGH || patience.owedUntilMs > now();
  if (isScarce || patience.isClaimed) patience.unspentPoints -= points;
  // Whoever has claimed nothing did not know that points are scarce: others would not hear of it, however often that is.
  const least = patience.isClaimed ? NOTED_POINTS : 1;
  if (!isScarce || patience.unspentPoints > -least) return;
  patience.notedPoints -= patience.unspentPoints;
  patience.owedUntilMs = await (await loadDebts()).owe(debtor, -patience.unspentPoints);
  patience.unspentPoints = 0;
}

/** The error for a request that the platform has throttled and that cannot wait. */
export function comeAgain({ buckets }: Points, spending: Spending, told: Throttled): ServiceError {
  const cost = told.cost?.requestedQueryCost ?? 0;
  const spender = spenderOf(spending);
  const admission = told.cost === undefined ? 'never' : buckets.admit(spender, cost);
  if (admission === 'never') return throttled(throttledSeconds(told), told.cost);
  return throttled(buckets.promiseMs(spender, cost) / 1000, told.cost);
}

/** A change that has begun waits for nobody else, whatever its parts cost. */
function spenderOf({ store, customerId, patience }: Spending): Spender {
  return {
    shopId: store.shopId,
    customerId: patience?.isChanging ? undefined : customerId,
    isLetIn: patience?.isLetIn,
    owedUntilMs: patience?.owedUntilMs,
    claimedPoints: patience?.expectedPoints,
    earlierPoints: patience?.earlierPoints,
  };
}
