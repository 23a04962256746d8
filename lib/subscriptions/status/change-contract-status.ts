/**
 * Pauses, activates, cancels or expires a contract at the platform. If the response is lost, reads the contract to find out the
 * outcome.
 */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import type { AppliedOutcome, OperationDeps, OperationRequest } from '../operation.ts';
import {
  createRefusedOutcome,
  fromPlatformUserError,
  type OperationError,
  type OperationOutcome,
  type PlatformUserError,
} from '../operation-error.ts';
import { platformActorArgument } from '../platform-actor.ts';
import { readContractState } from '../read-contract-state.ts';
import {
  recoverLostResponse,
  selectedObjectsOf,
  sendChange,
  USER_ERRORS_SELECTION,
  writeFieldSelections,
} from '../send-change.ts';

/** The client's argument with the contract's id. */
export const CONTRACT_ID_ARGUMENT = 'subscriptionContractId';

const STATUS_MUTATIONS = {
  PAUSED: 'subscriptionContractPause',
  ACTIVE: 'subscriptionContractActivate',
  CANCELLED: 'subscriptionContractCancel',
  EXPIRED: 'subscriptionContractExpire',
} as const;

/** `contractId` is the platform's global id. When the contract was read, it did not have the target status. */
type StatusChange = { readonly contractId: string; readonly targetStatus: keyof typeof STATUS_MUTATIONS };

const STATUS_VARIABLES = ['$_svcContractId: ID!', '$_svcActor: SubscriptionActor'];
const STATUS_ARGUMENTS = `${CONTRACT_ID_ARGUMENT}: $_svcContractId, actor: $_svcActor`;

/**
 * Returns the contract in the client's selection, or the userErrors CONTRACT_TERMINATED and INVALID. Sends one platform
 * request, and another one if the first is refused or its response is lost.
 * @throws OUTCOME_UNKNOWN when the response is lost and the contract does not show the change
 */
export async function changeContractStatus(
  deps: OperationDeps,
  request: OperationRequest,
  change: StatusChange,
): Promise<AppliedOutcome> {
  const findAppliedChange = () => findCompletedChange(deps, request, change);
  const appliedOutcome = await recoverLostResponse(
    () => sendStatusMutation(deps, request, change),
    findAppliedChange,
  );
  if (appliedOutcome.selectedFields !== null) return appliedOutcome;
  // The platform may have refused because a concurrent request made the same change first.
  const foundStatus = await ignoreServiceError(findAppliedChange);
  return foundStatus === undefined ? appliedOutcome : { ...foundStatus, isMadeByOtherRequest: true };
}

/**
 * Returns the contract in the client's selection if it has the requested status.
 * @returns undefined when it has another status
 */
async function findCompletedChange(
  deps: OperationDeps,
  { selection }: OperationRequest,
  { contractId, targetStatus }: StatusChange,
): Promise<OperationOutcome | undefined> {
  const contractRead = await readContractState(deps, {
    contractId,
    reads: { contractSelection: '' },
    selection,
  });
  if (contractRead.state?.contract.status !== targetStatus) return undefined;
  return {
    selectedFields: selectedObjectsOf(selection, contractRead.data),
    userErrors: [],
    errors: contractRead.errors,
  };
}

async function sendStatusMutation(
  deps: OperationDeps,
  { args, selection }: OperationRequest,
  { contractId, targetStatus }: StatusChange,
): Promise<OperationOutcome> {
  const { selectedFields, userErrors, errors } = await sendChange(deps, {
    selection,
    operationDeclarations: STATUS_VARIABLES,
    mutationAlias: 'change',
    mutationCall: `${STATUS_MUTATIONS[targetStatus]}(${STATUS_ARGUMENTS})`,
    payloadSelection: `${writeFieldSelections(selection, 'contract')} ${USER_ERRORS_SELECTION}`,
    variables: { _svcContractId: contractId, _svcActor: platformActorArgument(deps, args) },
  });
  if (userErrors.length > 0) return createRefusedOutcome(userErrors.map(toServiceStatusError));
  return { selectedFields, userErrors: [], errors };
}

/** Converts a user error of the platform. The only argument has the same name at the platform and in the service. */
function toServiceStatusError({ field, message, code }: PlatformUserError): OperationError {
  const argumentPath = field?.includes(CONTRACT_ID_ARGUMENT) ? [CONTRACT_ID_ARGUMENT] : null;
  return fromPlatformUserError({ field: argumentPath, message, code });
}
