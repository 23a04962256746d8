/** Asks the platform to pause, activate or cancel a contract, and finds out what came of it if its answer is lost. */
import { ifAnswered } from '../../errors/if-answered.ts';
import { answeredAt, placesOf } from '../answer-selection.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import {
  type OperationError,
  type OperationOutcome,
  type PlatformUserError,
  refuseAsPlatform,
  refusedWith,
} from '../operation-error.ts';
import { platformActor } from '../platform-actor.ts';
import { readContractState } from '../read-contract-state.ts';
import type { RecordedOutcome } from '../recorded-change.ts';
import { sendChange, settleLostAnswer, USER_ERRORS } from '../send-change.ts';

/** The client's argument that names the contract. */
export const CONTRACT_ARGUMENT = 'subscriptionContractId';

const MUTATIONS = {
  PAUSED: 'subscriptionContractPause',
  ACTIVE: 'subscriptionContractActivate',
  CANCELLED: 'subscriptionContractCancel',
} as const;

/** `contractId` as the platform names it; the contract's status is another one, as was read. */
type StatusChange = { readonly contractId: string; readonly to: keyof typeof MUTATIONS };

const OWN = ['$_svcContractId: ID!', '$_svcActor: SubscriptionActor'];
const ARGUMENTS = `${CONTRACT_ARGUMENT}: $_svcContractId, actor: $_svcActor`;

/**
 * The contract in the client's selection, or userErrors CONTRACT_TERMINATED and INVALID. One platform request, a
 * second one if it is refused or its answer is lost: OUTCOME_UNKNOWN if that does not show the change.
 */
export async function changeStatus(
  deps: OperationDeps,
  request: OperationRequest,
  change: StatusChange,
): Promise<RecordedOutcome> {
  const find = () => findDone(deps, request, change);
  const outcome = await settleLostAnswer(() => send(deps, request, change), find);
  if (outcome.answered !== null) return outcome;
  // The platform may refuse because another request for the same came first: then this one is a repeat.
  const found = await ifAnswered(find);
  return found === undefined ? outcome : { ...found, isOthers: true };
}

/** The contract as it is, if it has the status that was asked for. */
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

/** The platform's argument has the same name; it has no others. */
function toOwnError({ field, message, code }: PlatformUserError): OperationError {
  const own = field?.includes(CONTRACT_ARGUMENT) ? [CONTRACT_ARGUMENT] : null;
  return refuseAsPlatform({ field: own, message, code });
}
