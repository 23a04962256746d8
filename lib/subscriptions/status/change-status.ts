/** Pauses, activates or cancels a contract at the platform. If the response is lost, it reads the outcome. */
import { ifAnswered } from '../../errors/if-answered.ts';
import { answeredAt, placesOf } from '../answer-selection.ts';
import type { AppliedOutcome, OperationDeps, OperationRequest } from '../operation.ts';
import {
  type OperationError,
  type OperationOutcome,
  type PlatformUserError,
  refuseAsPlatform,
  refusedWith,
} from '../operation-error.ts';
import { platformActor } from '../platform-actor.ts';
import { readContractState } from '../read-contract-state.ts';
import { sendChange, settleLostAnswer, USER_ERRORS } from '../send-change.ts';

/** The client's argument that names the contract. */
export const CONTRACT_ARGUMENT = 'subscriptionContractId';

const MUTATIONS = {
  PAUSED: 'subscriptionContractPause',
  ACTIVE: 'subscriptionContractActivate',
  CANCELLED: 'subscriptionContractCancel',
} as const;

/** `contractId` has the platform's namespace. The contract was read with another status. */
type StatusChange = { readonly contractId: string; readonly to: keyof typeof MUTATIONS };

const OWN = ['$_svcContractId: ID!', '$_svcActor: SubscriptionActor'];
const ARGUMENTS = `${CONTRACT_ARGUMENT}: $_svcContractId, actor: $_svcActor`;

/**
 * Returns the contract in the client's selection, or userErrors CONTRACT_TERMINATED and INVALID. Sends one platform
 * request, and a second one if the first is refused or its response is lost.
 * @throws OUTCOME_UNKNOWN when the second request does not show the change
 */
export async function changeStatus(
  deps: OperationDeps,
  request: OperationRequest,
  change: StatusChange,
): Promise<AppliedOutcome> {
  const find = () => findDone(deps, request, change);
  const outcome = await settleLostAnswer(() => send(deps, request, change), find);
  if (outcome.answered !== null) return outcome;
  // The platform may refuse because an identical request came first: this request is then redundant.
  const found = await ifAnswered(find);
  return found === undefined ? outcome : { ...found, isOthers: true };
}

/** Returns the contract, if it has the requested status. */
async function findDone(
  deps: OperationDeps,
  { selection }: OperationRequest,
  { contractId, to }: StatusChange,
): Promise<OperationOutcome | undefined> {
  const read = await readContractState(deps, { contractId, reads: { contract: '' }, answer: selection });
  if (read.state?.contract.status !== to) return undefined;
  return { answered: answeredAt(selection, read.data), userErrors: [], errors: read.errors };
}

async function send(
  deps: OperationDeps,
  { args, selection }: OperationRequest,
  { contractId, to }: StatusChange,
): Promise<OperationOutcome> {
  const { answered, userErrors, errors } = await sendChange(deps, {
    selection,
    own: OWN,
    name: 'change',
    mutation: `${MUTATIONS[to]}(${ARGUMENTS})`,
    payload: `${placesOf(selection, 'contract')} ${USER_ERRORS}`,
    variables: { _svcContractId: contractId, _svcActor: platformActor(deps, args) },
  });
  if (userErrors.length > 0) return refusedWith(userErrors.map(toOwnError));
  return { answered, userErrors: [], errors };
}

/** The platform's argument has the same name and is its only one. */
function toOwnError({ field, message, code }: PlatformUserError): OperationError {
  const own = field?.includes(CONTRACT_ARGUMENT) ? [CONTRACT_ARGUMENT] : null;
  return refuseAsPlatform({ field: own, message, code });
}
