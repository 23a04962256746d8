/** Runs and charges as values of the schema, with ids in the platform's namespace, and the parsers of these ids. */
import type {
  BillingCharge,
  BillingChargeState,
  OrderRef,
} from '../../../lib/billing/records/charge-record.ts';
import { countTries, isOpenCharge, nextAllowedTryMs } from '../../../lib/billing/records/charge-record.ts';
import type { BillingRun } from '../../../lib/billing/records/run-record.ts';
import { isBillingStopped, toVisibleRunStatus } from '../../../lib/billing/settings/visible-run-status.ts';
import { formatGid, parseGid } from '../../../lib/domain/gid.ts';
import { floorToSecond, formatInstant } from '../../../lib/domain/instant.ts';
import { isIsoDay } from '../../../lib/domain/time-zone.ts';
import { type ContractNumber, contractGid } from '../../../lib/timeline/event-record.ts';
import type { RunContext } from '../../plan/run-context.ts';
import { createBillingDeps } from './billing-deps.ts';

type ServiceValue = Readonly<Record<string, unknown>>;
type OrderOfStore = Pick<OrderRef, 'contractNumber' | 'cycleIndex'>;

const RUN_TYPE = 'BillingRun';
const CHARGE_TYPE = 'BillingCharge';

/** Returns a BillingRun by field names, without `charges`. `isStopped`: whether billing is stopped. */
export function toRunValue(context: RunContext, run: BillingRun, isStopped: boolean): ServiceValue {
  const { date, holdReason, expectedCount, foundCount, totals, startedAtMs, doneAtMs } = run;
  const { foundTotals = [] } = run;
  const countOf = (state: BillingChargeState) => run.countByState?.[state] ?? 0;
  return {
    ...{ id: formatRunGid(context, date), date, foundCount, totals: totals ?? [], foundTotals },
    status: toVisibleRunStatus(run, isStopped),
    holdReason: holdReason ?? null,
    expectedCount: expectedCount ?? null,
    dueCount: countOf('DUE'),
    waitingCount: countOf('WAITING'),
    actionRequiredCount: countOf('ACTION_REQUIRED'),
    retryingCount: countOf('RETRYING'),
    chargedCount: countOf('CHARGED'),
    endedCount: countOf('ENDED'),
    skippedCount: countOf('SKIPPED'),
    reportedCount: countOf('REPORTED'),
    startedAt: formatTime(startedAtMs),
    doneAt: formatTime(doneAtMs),
  };
}

/** Returns a BillingCharge by field names. */
export function toChargeValue(context: RunContext, charge: BillingCharge): ServiceValue {
  const { contractNumber, cycleIndex, runDate, expectedAtMs, state, reason } = charge;
  const platformNamespace = context.identity.namespaces.platform;
  return {
    id: formatGid({
      namespace: platformNamespace,
      type: CHARGE_TYPE,
      tail: `${contractNumber}.${cycleIndex}`,
    }),
    contractId: contractGid(contractNumber, platformNamespace),
    ...{ cycleIndex, state, runId: formatRunGid(context, runDate), expectedAt: formatTime(expectedAtMs) },
    reason: isOpenCharge(charge) ? null : (reason ?? null),
    tryCount: countTries(charge),
    lastErrorCode: charge.lastErrorCode ?? null,
    nextTryAt: formatTime(nextAllowedTryMs(charge)),
    billingAttemptId: charge.attemptId ?? null,
    amount: state === 'CHARGED' ? (charge.amount ?? null) : null,
    orderId: charge.orderId ?? null,
  };
}

/**
 * Reads a run by its id, without `charges`.
 * @returns undefined when the store has no such run
 */
export async function findRunValue(context: RunContext, id: unknown): Promise<ServiceValue | undefined> {
  const date = parseRunGid(id);
  const { runs } = createBillingDeps(context);
  const run = date === undefined ? undefined : await runs.find(context.store.shopId, date);
  return run && toRunValue(context, run, await isStoreStopped(context));
}

/**
 * Reads the charge of an order.
 * @returns undefined when the order has none
 */
export async function findChargeValue(
  context: RunContext,
  order: OrderOfStore,
): Promise<ServiceValue | undefined> {
  const { charges } = createBillingDeps(context);
  const charge = await charges.find({ ...order, shopId: context.store.shopId });
  return charge && toChargeValue(context, charge);
}

/**
 * Reads whether billing of the store is stopped.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function isStoreStopped(context: RunContext): Promise<boolean> {
  return isBillingStopped(createBillingDeps(context), context.store);
}

/**
 * Parses a run's id, in any namespace, into its day.
 * @returns undefined when the value is not such an id
 */
export function parseRunGid(value: unknown): string | undefined {
  const gid = parseGid(String(value));
  return gid?.type === RUN_TYPE && isIsoDay(gid.tail) ? gid.tail : undefined;
}

/**
 * Parses a charge's id, in any namespace.
 * @returns undefined when the value is not such an id
 */
export function parseChargeGid(value: unknown): OrderOfStore | undefined {
  const gid = parseGid(String(value));
  if (gid?.type !== CHARGE_TYPE) return undefined;
  const [, contract, cycle] = /^([1-9]\d{0,19})\.([1-9]\d{0,8})$/.exec(gid.tail) ?? [];
  if (contract === undefined) return undefined;
  return { contractNumber: contract as ContractNumber, cycleIndex: Number(cycle) };
}

function formatRunGid({ identity }: RunContext, date: string): string {
  return formatGid({ namespace: identity.namespaces.platform, type: RUN_TYPE, tail: date });
}

/** Formats epoch milliseconds without a fraction of a second; null for undefined. */
export function formatTime(ms: number | undefined): string | null {
  return ms === undefined ? null : formatInstant(floorToSecond(ms));
}
