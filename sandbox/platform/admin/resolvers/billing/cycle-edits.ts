/** Edits of single cycles: skip, unskip, move, and undo. */
import { type BillingCycle, findCycleAt, findCycleByIndex } from '../../../state/billing-cycles.ts';
import type { ContractRecord, CycleEdit } from '../../../state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../state/instant.ts';
import type { StoreState } from '../../../state/state.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { isTerminated, updateTimestamp } from '../contracts/contract-changes.ts';
import { type CycleInput, isSelectedCycle, selectCycle } from './billing-cycles.ts';
import { hasPendingAttempt } from './charges.ts';

type CycleEditError = { field: string[]; message: string; code: string };

/** How far ahead a cycle can be edited if the store has the limit of a year. */
const MAX_EDIT_REACH_MS = 366 * DAY_MS;

/** Returns the cycle to change, or the reason why it cannot change. Billed cycles are final. */
function findChangeableCycle(
  input: CycleInput,
  { store, nowMs }: AdminContext,
): BillingCycle | CycleEditError {
  const contract = store.contracts.get(requireGidNumber(input.contractId, 'SubscriptionContract'));
  const fieldPath = ['billingCycleInput', 'contractId'];
  if (contract === undefined)
    return { field: fieldPath, message: 'Subscription contract does not exist', code: 'INVALID' };
  if (isTerminated(contract))
    return { field: fieldPath, message: 'Subscription contract is terminated', code: 'INVALID' };
  const cycleSelection = selectCycle(contract, input.selector, nowMs);
  const selectorField = ['billingCycleInput', 'selector', input.selector.index == null ? 'date' : 'index'];
  if (!isSelectedCycle(cycleSelection)) return { field: selectorField, ...cycleSelection };
  if (hasPendingAttempt(cycleSelection, store.attempts)) {
    return {
      field: selectorField,
      message: 'Billing cycle has incomplete billing attempts in progress',
      code: 'INCOMPLETE_BILLING_ATTEMPTS',
    };
  }
  if (cycleSelection.billed)
    return { field: selectorField, message: 'Billing cycle is already billed', code: 'INVALID' };
  if (cycleSelection.startMs - nowMs > MAX_EDIT_REACH_MS && behaviourOfStore(store, 'editReach') === 'year') {
    return {
      field: selectorField,
      message: 'Billing cycle selector cannot select upcoming billing cycle past limit',
      code: 'UPCOMING_CYCLE_LIMIT_EXCEEDED',
    };
  }
  return cycleSelection;
}

function setCycleEdit(
  { contract, index }: BillingCycle,
  change: Partial<CycleEdit>,
  nowMs: number,
): BillingCycle | null {
  const cycleEdit = {
    skipped: false,
    billingDate: null,
    contract: null,
    ...contract.cycleEdits[index],
    ...change,
  };
  if (!cycleEdit.skipped && cycleEdit.billingDate === null && cycleEdit.contract === null)
    delete contract.cycleEdits[index];
  else contract.cycleEdits[index] = cycleEdit;
  updateTimestamp(contract, nowMs);
  return findCycleByIndex(contract, index);
}

type CycleInputArg = { billingCycleInput: CycleInput };

/** Creates the resolver of skip or unskip. Both have only one error code. */
function createSkipResolver(skipped: boolean) {
  return (_parent: unknown, { billingCycleInput }: CycleInputArg, context: AdminContext) => {
    const changeableCycle = findChangeableCycle(billingCycleInput, context);
    if (!('contract' in changeableCycle))
      return createUserErrorPayload(changeableCycle.field, changeableCycle.message, 'INVALID');
    return {
      billingCycle: setCycleEdit(changeableCycle, createSkipEdit(context.store, skipped), context.nowMs),
    };
  };
}

function createSkipEdit(store: StoreState, skipped: boolean): Partial<CycleEdit> {
  return skipped && behaviourOfStore(store, 'skippedDates') === 'dropped'
    ? { skipped, billingDate: null }
    : { skipped };
}

type ScheduleEditInput = { billingDate?: string | null; skip?: boolean | null; reason: string };

function resolveScheduleEdit(
  _parent: unknown,
  { billingCycleInput, input }: CycleInputArg & { input: ScheduleEditInput },
  context: AdminContext,
) {
  const changeableCycle = findChangeableCycle(billingCycleInput, context);
  if (!('contract' in changeableCycle))
    return createUserErrorPayload(changeableCycle.field, changeableCycle.message, changeableCycle.code);
  const { billingDate = null, skip = null } = input;
  if (billingDate === null && skip === null) {
    return createUserErrorPayload(
      ['input'],
      'Must take in parameters to modify schedule',
      'EMPTY_BILLING_CYCLE_EDIT_SCHEDULE_INPUT',
    );
  }
  if (billingDate !== null && (skip ?? changeableCycle.skipped)) {
    return createUserErrorPayload(
      ['input', 'billingDate'],
      'Billing date cannot be set on skipped billing cycle',
      'BILLING_DATE_SET_ON_SKIPPED',
    );
  }
  if (billingDate !== null && isOutsideCycle(changeableCycle, Date.parse(billingDate), context.store)) {
    const message = 'Billing date of a cycle cannot be set to a value outside of its billing date range';
    return createUserErrorPayload(['input', 'billingDate'], message, 'OUT_OF_BOUNDS');
  }
  const cycleChange: Partial<CycleEdit> = skip === null ? {} : createSkipEdit(context.store, skip);
  if (billingDate !== null)
    cycleChange.billingDate = Date.parse(billingDate) === changeableCycle.endMs ? null : billingDate;
  return { billingCycle: setCycleEdit(changeableCycle, cycleChange, context.nowMs) };
}

function isOutsideCycle({ startMs, endMs }: BillingCycle, billingMs: number, store: StoreState): boolean {
  if (behaviourOfStore(store, 'cycleBounds') === 'instant') return billingMs < startMs || billingMs > endMs;
  const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: store.ianaTimezone, dateStyle: 'short' });
  const [billingDay, firstDay, lastDay] = [billingMs, startMs, endMs].map((ms) => dayFormat.format(ms));
  return String(billingDay) < String(firstDay) || String(billingDay) > String(lastDay);
}

function resolveEditDelete(_parent: unknown, { billingCycleInput }: CycleInputArg, context: AdminContext) {
  const changeableCycle = findChangeableCycle(billingCycleInput, context);
  if (!('contract' in changeableCycle))
    return createUserErrorPayload(changeableCycle.field, changeableCycle.message, changeableCycle.code);
  if (!changeableCycle.edited) {
    return createUserErrorPayload(
      ['billingCycleInput'],
      "There's no contract or schedule edit associated with the targeted billing cycle(s).",
      'NO_CYCLE_EDITS',
    );
  }
  return { billingCycles: [removeCycleEdit(changeableCycle.contract, changeableCycle.index, context.nowMs)] };
}

/** Deletes all edits from the current cycle on, however far ahead: the mutation selects no cycle. */
function resolveEditsDelete(
  _parent: unknown,
  { contractId }: { contractId: string },
  { store, nowMs }: AdminContext,
) {
  const contract = store.contracts.get(requireGidNumber(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return createUserErrorPayload(['contractId'], 'Subscription contract does not exist', 'INVALID');
  const currentIndex = findCycleAt(contract, nowMs)?.index ?? Number.POSITIVE_INFINITY;
  const editedIndices = Object.keys(contract.cycleEdits)
    .map(Number)
    .filter((index) => index >= currentIndex);
  if (editedIndices.length === 0) {
    return createUserErrorPayload(
      ['contractId'],
      "There's no contract or schedule edit associated with the targeted billing cycle(s).",
      'NO_CYCLE_EDITS',
    );
  }
  return { billingCycles: editedIndices.map((index) => removeCycleEdit(contract, index, nowMs)) };
}

function removeCycleEdit(contract: ContractRecord, index: number, nowMs: number): BillingCycle | null {
  delete contract.cycleEdits[index];
  updateTimestamp(contract, nowMs);
  return findCycleByIndex(contract, index);
}

/**
 * Returns the schedule edits after a change of interval: skips stay with their index, and from `fromIndex` on, moved
 * dates are reset.
 */
export function retainEditsAfterNewPolicy(
  contract: ContractRecord,
  fromIndex: number,
): Record<string, CycleEdit> {
  const remainingEditEntries = Object.entries(contract.cycleEdits).map(
    ([index, edit]): [string, CycleEdit] =>
      Number(index) < fromIndex ? [index, edit] : [index, { ...edit, billingDate: null }],
  );
  return Object.fromEntries(
    remainingEditEntries.filter(
      ([, edit]) => edit.skipped || edit.billingDate !== null || edit.contract !== null,
    ),
  );
}

/** Formats an instant as a day, for messages. */
export function formatDay(ms: number): string {
  return formatIsoInstant(ms).slice(0, 10);
}

export const cycleEditResolvers: ResolverMap = {
  Mutation: {
    subscriptionBillingCycleEditDelete: resolveEditDelete,
    subscriptionBillingCycleEditsDelete: resolveEditsDelete,
    subscriptionBillingCycleScheduleEdit: resolveScheduleEdit,
    subscriptionBillingCycleSkip: createSkipResolver(true),
    subscriptionBillingCycleUnskip: createSkipResolver(false),
  },
};
