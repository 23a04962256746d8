/** Creates a billing attempt at the platform, and converts the platform's userErrors to those of a charge. */
import { ServiceError } from '../../errors/service-error.ts';
import { ATTEMPT_SELECTION } from '../../timeline/attempt-outcome.ts';
import { removeObjectLevel, writeSelectionsThroughObject } from '../contract-of-object.ts';
import type { AppliedOutcome, OperationDeps, OperationRequest } from '../operation.ts';
import {
  createRefusedOutcome,
  fromPlatformUserError,
  type OperationError,
  type PlatformUserError,
} from '../operation-error.ts';
import { platformActorArgument } from '../platform-actor.ts';
import { sendChange, USER_ERRORS_SELECTION } from '../send-change.ts';
import {
  classifyReturnedAttempt,
  RETURNED_ATTEMPT_SELECTION,
  type ReturnedAttempt,
} from './classify-returned-attempt.ts';
import { keyUsedByOtherChargeError } from './find-charge-error.ts';
import { ATTEMPT_CONTRACT_PATH } from './read-attempts-of-order.ts';

/** `contractId` is the platform's global id; `originTime` is ISO 8601. */
type BillingAttemptToCreate = {
  readonly contractId: string;
  readonly cycleIndex: number;
  readonly idempotencyKey: string;
  readonly originTime: string;
};

const ATTEMPT_VARIABLES = ['$_svcContractId: ID!', '$_svcInput: SubscriptionBillingAttemptInput!'];
const ATTEMPT_ARGUMENTS =
  'subscriptionContractId: $_svcContractId, subscriptionBillingAttemptInput: $_svcInput';

/**
 * Returns the attempt in the client's selection, or userErrors. One of them is IDEMPOTENCY_KEY_PARAMETER_MISMATCH: the
 * platform returned an attempt that another charge created with this key.
 * @throws OUTCOME_UNKNOWN when the response is lost, or does not show whether the attempt is of this order
 */
export async function createBillingAttempt(
  deps: OperationDeps,
  { args, selection }: OperationRequest,
  { contractId, cycleIndex, idempotencyKey, originTime }: BillingAttemptToCreate,
): Promise<AppliedOutcome> {
  const sentAtMs = deps.now();
  const { selectedFields, userErrors, errors } = await sendChange(deps, {
    selection,
    operationDeclarations: ATTEMPT_VARIABLES,
    mutationAlias: 'charge',
    mutationCall: `subscriptionBillingAttemptCreate(${ATTEMPT_ARGUMENTS})`,
    payloadSelection: `${writeSelectionsThroughObject(selection, ATTEMPT_CONTRACT_PATH)} ${USER_ERRORS_SELECTION}
    _svcAttempt: subscriptionBillingAttempt { ${ATTEMPT_SELECTION} ${RETURNED_ATTEMPT_SELECTION} }`,
    variables: {
      _svcContractId: contractId,
      _svcInput: {
        ...omitNullArguments(args, ['inventoryPolicy', 'paymentProcessingPolicy']),
        actor: platformActorArgument(deps, args),
        billingCycleSelector: { index: cycleIndex },
        idempotencyKey,
        originTime,
      },
    },
  });
  if (userErrors.length > 0) return createRefusedOutcome(userErrors.map(toChargeError));
  const { _svcAttempt, ...clientFields } = selectedFields;
  const returnedAttempt = _svcAttempt as ReturnedAttempt | null | undefined;
  if (!returnedAttempt) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'no attempt' });
  // The caller has checked that no attempt of this order has the key.
  const requestedAttempt = { contractId, originTime, sentAtMs, attemptsBefore: [] };
  const attemptOwner = classifyReturnedAttempt(returnedAttempt, requestedAttempt);
  if (attemptOwner === 'uncertain')
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the attempt may be of another cycle' });
  if (attemptOwner === 'other') return createRefusedOutcome([keyUsedByOtherChargeError(['idempotencyKey'])]);
  return {
    ...removeObjectLevel(selection, ATTEMPT_CONTRACT_PATH, { selectedFields: clientFields, errors }),
    userErrors: [],
    attempt: returnedAttempt,
  };
}

/** Returns the arguments that are not null. The platform uses its defaults for the others. */
function omitNullArguments(
  args: OperationRequest['args'],
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (args[name] == null ? [] : [[name, args[name]]])));
}

/** The client's arguments that have the same name as the platform's input field. */
const SAME_NAMED_ARGUMENTS = [
  'billingCycleSelector',
  'idempotencyKey',
  'inventoryPolicy',
  'paymentProcessingPolicy',
  'actor',
  'subscriptionContractId',
];

function toChargeError({ field, message, code }: PlatformUserError): OperationError {
  const argumentName = SAME_NAMED_ARGUMENTS.find((name) => field?.includes(name));
  return fromPlatformUserError({ field: argumentName === undefined ? null : [argumentName], message, code });
}
