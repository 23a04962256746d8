/**
 * Changes one order with two platform requests. The first reads ownership and state. The second edits the schedule of
 * the cycle; if the order is already in the requested state, it only reads the client's selection. The contract is
 * selected through the changed cycle, because the platform's payload has only the cycle.
 */
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { ChangeIntent } from '../../timeline/run-change.ts';
import { findContractError, requireOwnership } from '../contract-facts.ts';
import { removeObjectLevel, writeSelectionsThroughObject } from '../contract-of-object.ts';
import type {
  AppliedOutcome,
  ClientSelection,
  OperationDecision,
  OperationDeps,
  OperationRequest,
} from '../operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
  type PlatformUserError,
} from '../operation-error.ts';
import {
  type ClaimDeps,
  decideWithOrdersClaimed,
  ordersBeingChangedError,
} from '../order-dates/claim-orders.ts';
import { orderDateOfCycle, type PostponementRecord } from '../order-dates/postponements.ts';
import { recoverLostResponse, sendChange, USER_ERRORS_SELECTION } from '../send-change.ts';
import { type BillingCycle, orderErrorDetails, scheduleEditReason } from './billing-cycle.ts';
import { CYCLE_ARGUMENT, CYCLE_VARIABLES, type CycleRef, cycleVariables, readCycle } from './read-cycle.ts';

type CycleChange = Pick<CycleScheduleEdit, 'input' | 'showsEdit' | 'toServiceError'> & {
  /** The user error that prevents the change. */
  readonly refusal: OperationError | undefined;
  readonly intent: Omit<ChangeIntent, 'contractId'>;
};

type PlanCycleChange = (
  cycle: BillingCycle,
  record: PostponementRecord | undefined,
) => CycleChange | Promise<CycleChange>;

/**
 * Decides on the change of one order. `planChange` is called with an order that exists and is not billed, and with
 * the contract's postponements. The outcome has the changed objects in the client's selection, or userErrors: INVALID
 * (the contract does not exist), CONTRACT_TERMINATED, CYCLE_NOT_FOUND, CYCLE_ALREADY_BILLED, CONCURRENT_UPDATE (a
 * postponement is in progress, or other ones were made while the order was read), and those of `planChange`.
 * @throws FORBIDDEN when the contract does not exist or is not the acting customer's
 */
export function decideCycleChange(
  deps: ClaimDeps,
  request: OperationRequest,
  planChange: PlanCycleChange,
): Promise<OperationDecision> {
  return decideOnCurrentOrder(deps, { request, planChange, readsLeft: MAX_CYCLE_READS });
}

/**
 * How often an order that is to be restored is read at most. It is read again when another request has postponed
 * orders of the contract in the meantime.
 */
const MAX_CYCLE_READS = 3;

type CycleChangeRequest = {
  readonly request: OperationRequest;
  readonly planChange: PlanCycleChange;
  readonly readsLeft: number;
};

/**
 * Decides on the change. If the change restores a skipped order, and a postponement was recorded since the
 * postponement record was read, reads everything again.
 */
function decideOnCurrentOrder(
  deps: ClaimDeps,
  { request, planChange, readsLeft }: CycleChangeRequest,
): Promise<OperationDecision> {
  const claimRequest = { argument: 'contractId', args: request.args, kind: 'single' } as const;
  return decideWithOrdersClaimed(deps, claimRequest, async (postponementRecord, ref) => {
    const cycleDecision = await decideOnCycle(deps, request, { record: postponementRecord, planChange });
    // A concurrent postponement may have skipped this order. Restoring it would then make it come twice: here, and as
    // the postponed order.
    const isRecordUnchanged = async () =>
      (await deps.postponements.read(ref))?.version === postponementRecord?.version;
    const isUnskipping = 'apply' in cycleDecision && request.args.skip === false;
    if (!isUnskipping || (await isRecordUnchanged())) return cycleDecision;
    return readsLeft > 1
      ? decideOnCurrentOrder(deps, { request, planChange, readsLeft: readsLeft - 1 })
      : createRefusedOutcome([ordersBeingChangedError()]);
  });
}

type CycleChangeContext = {
  readonly record: PostponementRecord | undefined;
  readonly planChange: PlanCycleChange;
};

async function decideOnCycle(
  deps: ClaimDeps,
  { args, selection }: OperationRequest,
  { record, planChange }: CycleChangeContext,
): Promise<OperationDecision> {
  const cycleRef = { contractId: String(args.contractId), billingCycleIndex: Number(args.billingCycleIndex) };
  const { contract, cycle } = await readCycle(deps, cycleRef);
  requireOwnership(deps, contract);
  const changeError = findContractError(contract, 'contractId') ?? findCycleError(cycle, cycleRef);
  if (changeError !== undefined) return createRefusedOutcome([changeError]);
  if (contract === undefined || cycle === undefined) throw new Error('neither found nor refused');
  const cycleChange = await planChange(cycle, record);
  if (cycleChange.refusal !== undefined) return createRefusedOutcome([cycleChange.refusal]);
  if (cycleChange.showsEdit(cycle)) {
    const isPayloadSelected = selection.payloadFields.length > 0;
    const { selectedFields, errors } = isPayloadSelected
      ? await readCycle(deps, cycleRef, selection)
      : { selectedFields: {}, errors: [] };
    return { selectedFields, userErrors: [], errors };
  }
  const { input, showsEdit, toServiceError } = cycleChange;
  return {
    intent: { ...cycleChange.intent, contractId: contract.id },
    apply: () => editCycleSchedule(deps, { cycleRef, selection, input, showsEdit, toServiceError }),
  };
}

/**
 * Returns the user error for an order that does not exist or is billed.
 * @returns undefined when the order can be changed
 */
function findCycleError(
  cycle: BillingCycle | undefined,
  { billingCycleIndex: cycleIndex }: CycleRef,
): OperationError | undefined {
  const fieldPath = ['billingCycleIndex'];
  if (cycle === undefined) return cycleNotFoundError(cycleIndex);
  if (cycle.status !== 'BILLED') return undefined;
  return createUserError(
    'CYCLE_ALREADY_BILLED',
    { field: fieldPath, message: message('orderPlaced') },
    orderErrorDetails(cycle),
  );
}

/** Returns the date by which clients and the timeline identify the order. ISO 8601. */
export function visibleOrderDate(
  { store, now }: Pick<OperationDeps, 'store' | 'now'>,
  cycle: BillingCycle,
  record: PostponementRecord | undefined,
): string {
  const dateContext = { dates: record?.dates, timeZone: timeZoneOf(store), nowMs: now() };
  return orderDateOfCycle(cycle, dateContext) ?? cycle.billingAttemptExpectedDate;
}

/** Returns the user error CYCLE_NOT_FOUND for the client's argument `billingCycleIndex`. */
export function cycleNotFoundError(cycleIndex: number): OperationError {
  const fieldAndMessage = { field: ['billingCycleIndex'], message: message('orderUnknown') };
  return createUserError('CYCLE_NOT_FOUND', fieldAndMessage, { cycleIndex });
}

type CycleScheduleEdit = {
  readonly cycleRef: CycleRef;
  readonly selection: ClientSelection;
  readonly input: { readonly skip?: boolean; readonly billingDate?: string };
  /**
   * Whether the cycle shows the edit. Called before the edit with the cycle as it was read, and after a lost response
   * with the cycle as it is then.
   */
  readonly showsEdit: (cycle: BillingCycle) => boolean;
  /** Converts a user error of the platform to one of the service. Its `field` is already the client's argument. */
  readonly toServiceError: (error: PlatformUserError) => OperationError;
};

const CYCLE_CONTRACT_PATH = { objectField: 'billingCycle', contractField: 'sourceContract' };
const SCHEDULE_EDIT_VARIABLES = [
  ...CYCLE_VARIABLES,
  '$_svcInput: SubscriptionBillingCycleScheduleEditInput!',
];

/**
 * Edits the schedule of the cycle. Returns the changed objects in the client's selection, or userErrors. Sends one
 * platform request, and another one if the response to the first is lost.
 */
function editCycleSchedule(deps: OperationDeps, edit: CycleScheduleEdit): Promise<AppliedOutcome> {
  return recoverLostResponse(
    () => sendScheduleEdit(deps, edit),
    async () => {
      const { cycle, selectedFields, errors } = await readCycle(deps, edit.cycleRef, edit.selection);
      const isEditVisible = cycle !== undefined && edit.showsEdit(cycle);
      return isEditVisible ? { selectedFields, userErrors: [], errors } : undefined;
    },
  );
}

async function sendScheduleEdit(
  deps: OperationDeps,
  { cycleRef, selection, input, toServiceError }: CycleScheduleEdit,
): Promise<OperationOutcome> {
  const changeResponse = await sendChange(deps, {
    selection,
    operationDeclarations: SCHEDULE_EDIT_VARIABLES,
    mutationAlias: 'edit',
    mutationCall: `subscriptionBillingCycleScheduleEdit(${CYCLE_ARGUMENT}, input: $_svcInput)`,
    payloadSelection: `${writeSelectionsThroughObject(selection, CYCLE_CONTRACT_PATH)} ${USER_ERRORS_SELECTION}`,
    variables: { ...cycleVariables(cycleRef), _svcInput: { reason: scheduleEditReason(deps), ...input } },
  });
  const { userErrors } = changeResponse;
  if (userErrors.length > 0)
    return createRefusedOutcome(userErrors.map(replaceFieldByClientArgument).map(toServiceError));
  return { ...removeObjectLevel(selection, CYCLE_CONTRACT_PATH, changeResponse), userErrors: [] };
}

/** The client's argument for each input field of the platform. */
const CLIENT_ARGUMENT_BY_FIELD: Readonly<Record<string, string>> = {
  contractId: 'contractId',
  selector: 'billingCycleIndex',
  skip: 'skip',
  billingDate: 'billingDate',
};

function replaceFieldByClientArgument({ field, message, code }: PlatformUserError): PlatformUserError {
  const argumentName = field
    ?.map((name) => CLIENT_ARGUMENT_BY_FIELD[name])
    .find((name) => name !== undefined);
  return { field: argumentName === undefined ? null : [argumentName], message, code };
}
