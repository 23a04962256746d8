/** Billing cycles: one by index or date, and pages of them. Changing them is cycle-edits.ts. */
import {
  type BillingCycle,
  cycleAt,
  cycleByIndex,
  cyclesBetween,
  lastNameableIndex,
} from '../../../state/billing-cycles.ts';
import type { ContractRecord } from '../../../state/contract-records.ts';
import { dayMs, isoInstant } from '../../../state/instant.ts';
import { wayOf } from '../../../state/unpublished.ts';
import { apiError, invalidId } from '../../api-error.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { editedContractView } from '../contracts/edited-contracts.ts';

export type CycleSelector = { index?: number | null; date?: string | null };
export type CycleInput = { contractId: string; selector: CycleSelector };

/** Why a selector names no cycle; the codes are the platform's. */
export type CycleRefusal = { message: string; code: string };

/** The cycle that a selector names at that time, or why not. */
export function selectCycle(
  contract: ContractRecord,
  { index, date }: CycleSelector,
  nowMs: number,
): BillingCycle | CycleRefusal {
  if ((index == null) === (date == null)) {
    return { message: 'Exactly one of index or date is required', code: 'INVALID' };
  }
  if (index != null && index < 1)
    return { message: 'The index selector is invalid', code: 'INVALID_CYCLE_INDEX' };
  const cycle = index != null ? cycleByIndex(contract, index) : cycleAt(contract, Date.parse(date ?? ''));
  if (cycle === null) {
    return index != null
      ? {
          message: 'Billing cycle selector cannot select billing cycle outside of index range',
          code: 'CYCLE_INDEX_OUT_OF_RANGE',
        }
      : {
          message: 'Billing cycle selector cannot select billing cycle outside of start date range',
          code: 'CYCLE_START_DATE_OUT_OF_RANGE',
        };
  }
  if (cycle.index > lastNameableIndex(contract, nowMs)) {
    return {
      message: 'Billing cycle selector cannot select upcoming billing cycle past limit',
      code: 'UPCOMING_CYCLE_LIMIT_EXCEEDED',
    };
  }
  return cycle;
}

/** Whether `selectCycle` found one. */
export function isCycle(found: BillingCycle | CycleRefusal): found is BillingCycle {
  return 'contract' in found;
}

type CyclesArgs = ConnectionArgs & {
  contractId: string;
  billingCyclesDateRangeSelector?: { startDate: string; endDate: string } | null;
  billingCyclesIndexRangeSelector?: { startIndex: number; endIndex: number } | null;
};

function billingCycles(_parent: unknown, args: CyclesArgs, context: AdminContext) {
  const contract = context.store.contracts.get(numberOf(args.contractId, 'SubscriptionContract'));
  if (contract === undefined) throw invalidId(args.contractId);
  return connectionOf(cyclesInRange(contract, args, context), args, (cycle) => cycle.index);
}

const LONG_RANGE_MS = 10 * 366 * dayMs;

/** The cycles from the first one on without a selector. A date range takes every cycle that overlaps it. */
function cyclesInRange(
  contract: ContractRecord,
  args: CyclesArgs,
  { store, nowMs }: AdminContext,
): BillingCycle[] {
  const last = lastNameableIndex(contract, nowMs);
  const { billingCyclesDateRangeSelector: dates, billingCyclesIndexRangeSelector: indices } = args;
  if (dates != null && indices != null) throw invalidRange('only one selector can be given');
  if (indices != null) {
    if (indices.startIndex < 1) throw invalidRange('index out of range: indices start at 1');
    if (indices.endIndex < indices.startIndex)
      throw invalidRange('endIndex must not be less than startIndex');
    return cyclesBetween(contract, indices.startIndex, Math.min(indices.endIndex, last));
  }
  if (dates == null) return cyclesBetween(contract, 1, last);
  const [fromMs, toMs] = [Date.parse(dates.startDate), Date.parse(dates.endDate)];
  if (toMs < fromMs) throw invalidRange('endDate must not be before startDate');
  if (toMs - fromMs > LONG_RANGE_MS && wayOf(store, 'longRanges') === 'refused')
    throw invalidRange('the range is too long');
  const first = cycleAt(contract, fromMs)?.index ?? (fromMs < Date.parse(contract.createdAt) ? 1 : last + 1);
  const final = cycleAt(contract, toMs)?.index ?? (toMs < Date.parse(contract.createdAt) ? 0 : last);
  return cyclesBetween(contract, first, Math.min(final, last));
}

function invalidRange(message: string): Error {
  return apiError(message, 'INVALID_FIELD_ARGUMENTS');
}

function billingCycle(
  _parent: unknown,
  args: { billingCycleInput: CycleInput },
  { store, nowMs }: AdminContext,
) {
  const { contractId, selector } = args.billingCycleInput;
  const contract = store.contracts.get(numberOf(contractId, 'SubscriptionContract'));
  if (contract === undefined) return null;
  const found = selectCycle(contract, selector, nowMs);
  return isCycle(found) ? found : null;
}

export const billingCycleResolvers: ResolverMap = {
  QueryRoot: { subscriptionBillingCycle: billingCycle, subscriptionBillingCycles: billingCycles },
  SubscriptionBillingCycle: fieldsOf<BillingCycle>({
    billingAttemptExpectedDate: ({ expectedMs }) => isoInstant(expectedMs),
    billingAttempts: ({ contract, index }, args: ConnectionArgs, { store }) => {
      const attempts = sortedBy(store.attempts.values(), (attempt) => attempt.id);
      return connectionOf(
        attempts.filter((attempt) => attempt.contractId === contract.id && attempt.cycleIndex === index),
        args,
        (attempt) => attempt.id,
      );
    },
    cycleEndAt: ({ endMs }) => isoInstant(endMs),
    cycleIndex: ({ index }) => index,
    cycleStartAt: ({ startMs }) => isoInstant(startMs),
    editedContract: ({ contract, index }) => editedContractView(contract, index),
    sourceContract: ({ contract }) => contract,
    status: ({ billed }) => (billed ? 'BILLED' : 'UNBILLED'),
  }),
};
