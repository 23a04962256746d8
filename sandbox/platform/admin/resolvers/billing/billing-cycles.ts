/** Reads billing cycles: one by index or date, and pages. cycle-edits.ts changes them. */
import {
  type BillingCycle,
  findCycleAt,
  findCycleByIndex,
  lastSelectableIndex,
  listCyclesBetween,
} from '../../../state/billing-cycles.ts';
import type { ContractRecord } from '../../../state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../state/instant.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import { createApiError, createInvalidIdError } from '../../api-error.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toEditedContractView } from '../contracts/edited-contracts.ts';

export type CycleSelector = { index?: number | null; date?: string | null };
export type CycleInput = { contractId: string; selector: CycleSelector };

/** The error of a selector that matches no cycle, with the platform's code. */
export type CycleSelectionError = { message: string; code: string };

/** Returns the selected cycle at that time, or the error. */
export function selectCycle(
  contract: ContractRecord,
  { index, date }: CycleSelector,
  nowMs: number,
): BillingCycle | CycleSelectionError {
  if ((index == null) === (date == null)) {
    return { message: 'Exactly one of index or date is required', code: 'INVALID' };
  }
  if (index != null && index < 1)
    return { message: 'The index selector is invalid', code: 'INVALID_CYCLE_INDEX' };
  const cycle =
    index != null ? findCycleByIndex(contract, index) : findCycleAt(contract, Date.parse(date ?? ''));
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
  if (cycle.index > lastSelectableIndex(contract, nowMs)) {
    return {
      message: 'Billing cycle selector cannot select upcoming billing cycle past limit',
      code: 'UPCOMING_CYCLE_LIMIT_EXCEEDED',
    };
  }
  return cycle;
}

/** Returns whether `selectCycle` returned a cycle. */
export function isSelectedCycle(selection: BillingCycle | CycleSelectionError): selection is BillingCycle {
  return 'contract' in selection;
}

type BillingCyclesArgs = ConnectionArgs & {
  contractId: string;
  billingCyclesDateRangeSelector?: { startDate: string; endDate: string } | null;
  billingCyclesIndexRangeSelector?: { startIndex: number; endIndex: number } | null;
};

function resolveBillingCycles(_parent: unknown, args: BillingCyclesArgs, context: AdminContext) {
  const contract = context.store.contracts.peek(requireGidNumber(args.contractId, 'SubscriptionContract'));
  if (contract === undefined) throw createInvalidIdError(args.contractId);
  return createConnection(listCyclesInRange(contract, args, context), args, (cycle) => cycle.index);
}

const MAX_RANGE_MS = 10 * 366 * DAY_MS;

/**
 * Returns the cycles of the selected range, or all from the first one without a selector. A date range includes every
 * cycle that overlaps it.
 */
function listCyclesInRange(
  contract: ContractRecord,
  args: BillingCyclesArgs,
  { store, nowMs }: AdminContext,
): BillingCycle[] {
  const lastSelectable = lastSelectableIndex(contract, nowMs);
  const { billingCyclesDateRangeSelector: dateRange, billingCyclesIndexRangeSelector: indexRange } = args;
  if (dateRange != null && indexRange != null)
    throw createInvalidRangeError('only one selector can be given');
  if (indexRange != null) {
    if (indexRange.startIndex < 1) throw createInvalidRangeError('index out of range: indices start at 1');
    if (indexRange.endIndex < indexRange.startIndex)
      throw createInvalidRangeError('endIndex must not be less than startIndex');
    return listCyclesBetween(contract, indexRange.startIndex, Math.min(indexRange.endIndex, lastSelectable));
  }
  if (dateRange == null) return listCyclesBetween(contract, 1, lastSelectable);
  const [fromMs, toMs] = [Date.parse(dateRange.startDate), Date.parse(dateRange.endDate)];
  if (toMs < fromMs) throw createInvalidRangeError('endDate must not be before startDate');
  if (toMs - fromMs > MAX_RANGE_MS && behaviourOfStore(store, 'longRanges') === 'refused')
    throw createInvalidRangeError('the range is too long');
  const rangeStartIndex =
    findCycleAt(contract, fromMs)?.index ??
    (fromMs < Date.parse(contract.createdAt) ? 1 : lastSelectable + 1);
  const rangeEndIndex =
    findCycleAt(contract, toMs)?.index ?? (toMs < Date.parse(contract.createdAt) ? 0 : lastSelectable);
  return listCyclesBetween(contract, rangeStartIndex, Math.min(rangeEndIndex, lastSelectable));
}

function createInvalidRangeError(message: string): Error {
  return createApiError(message, 'INVALID_FIELD_ARGUMENTS');
}

function resolveBillingCycle(
  _parent: unknown,
  args: { billingCycleInput: CycleInput },
  { store, nowMs }: AdminContext,
) {
  const { contractId, selector } = args.billingCycleInput;
  const contract = store.contracts.peek(requireGidNumber(contractId, 'SubscriptionContract'));
  if (contract === undefined) return null;
  const cycleSelection = selectCycle(contract, selector, nowMs);
  return isSelectedCycle(cycleSelection) ? cycleSelection : null;
}

export const billingCycleResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionBillingCycle: resolveBillingCycle,
    subscriptionBillingCycles: resolveBillingCycles,
  },
  SubscriptionBillingCycle: typeResolvers<BillingCycle>({
    billingAttemptExpectedDate: ({ expectedMs }) => formatIsoInstant(expectedMs),
    billingAttempts: ({ contract, index }, args: ConnectionArgs, { store }) => {
      const attempts = sortByKey(store.attempts.ofContract(contract.id), (attempt) => attempt.id);
      const attemptsOfCycle = attempts.filter((attempt) => attempt.cycleIndex === index);
      return createConnection(attemptsOfCycle, args, (attempt) => attempt.id);
    },
    cycleEndAt: ({ endMs }) => formatIsoInstant(endMs),
    cycleIndex: ({ index }) => index,
    cycleStartAt: ({ startMs }) => formatIsoInstant(startMs),
    editedContract: ({ contract, index }) => toEditedContractView(contract, index),
    sourceContract: ({ contract }) => contract,
    status: ({ billed }) => (billed ? 'BILLED' : 'UNBILLED'),
  }),
};
