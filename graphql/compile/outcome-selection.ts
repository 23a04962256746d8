/**
 * Selects more of a forwarded change's payload than the client does, so that the response shows the result of
 * the change.
 */
import {
  type AdminResponse,
  isEveryMutationRootDenied,
} from '../../lib/platform/admin-api/admin-response.ts';
import type { StoredResponse } from '../../lib/storage/idempotency-record.ts';
import {
  RETURNED_ATTEMPT_SELECTION,
  type ReturnedAttempt,
} from '../../lib/subscriptions/charge/classify-returned-attempt.ts';
import { ATTEMPT_SELECTION } from '../../lib/timeline/attempt-outcome.ts';
import type { ForwardedChange } from '../plan/forwarded-change.ts';
import { findFieldPolicy } from '../schema/field-policy.ts';
import { schemaTable } from '../schema/generated/schema-table.ts';
import { ADDRESS_SELECTION } from './prior-state.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { typeOfField, unwrapTypeReference } from './selection/type-reference.ts';

const REFUSALS_ALIAS = `${SERVICE_ALIAS}Refusals`;

const BILLING_ATTEMPT_ALIAS = `${SERVICE_ALIAS}Attempted`;

const CREATED_CONTRACT_ALIAS = `${SERVICE_ALIAS}Made`;

const ADDRESS_AFTER_ALIAS = `${SERVICE_ALIAS}AddressAfter`;

const JOB_ALIAS = `${SERVICE_ALIAS}Job`;

const CREATED_ADDRESS_ALIAS = `${SERVICE_ALIAS}MadeAddress`;

/**
 * Returns the internal selection that is added to the client's selection of the payload. `isResultStored`: whether the
 * result is stored for a retry, or a customer gets the user errors. The selection then has all fields of the user errors,
 * and the ids of the job and of the created address.
 */
export function writeOutcomeSelection(
  { makesContract, makesAttempt, makesJob, makesAddress, address }: ForwardedChange,
  payloadType: string,
  isResultStored: boolean,
): string {
  const createdContractText = makesContract ? ` ${CREATED_CONTRACT_ALIAS}: contract { id }` : '';
  const attemptText = makesAttempt
    ? ` ${BILLING_ATTEMPT_ALIAS}: subscriptionBillingAttempt { ${ATTEMPT_SELECTION} ${RETURNED_ATTEMPT_SELECTION} }`
    : '';
  const addressText = address ? ` ${ADDRESS_AFTER_ALIAS}: address ${ADDRESS_SELECTION}` : '';
  const jobText = makesJob && isResultStored ? ` ${JOB_ALIAS}: job { id }` : '';
  const createdAddressText =
    makesAddress && isResultStored ? ` ${CREATED_ADDRESS_ALIAS}: address { id }` : '';
  const errorFields = listUserErrorFields(payloadType);
  const refusalsText = writeRefusalsField(
    isResultStored ? errorFields.join(' ') : selectErrorCode(errorFields),
  );
  return `${refusalsText}${createdContractText}${attemptText}${addressText}${jobText}${createdAddressText}`;
}

/**
 * Returns the internal selection that shows whether a mutation without a timeline entry was refused. Empty
 * when the payload type has no user errors.
 */
export function writeRefusalSelection(payloadType: string): string {
  const errorFields = listUserErrorFields(payloadType);
  return errorFields.length === 0 ? '' : writeRefusalsField(selectErrorCode(errorFields));
}

function writeRefusalsField(errorFieldsText: string): string {
  return `${REFUSALS_ALIAS}: userErrors { ${errorFieldsText} }`;
}

type MutationOutcome = {
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly contractId?: string | undefined;
  readonly attempt?: ReturnedAttempt | undefined;
  readonly address?: unknown;
  /** What a retry of the mutation gets as its response. */
  readonly response?: Partial<StoredResponse>;
};

/**
 * Reads the outcome of a forwarded mutation from the platform's response; `key` is the root's response key. A missing payload
 * is `refused` if the platform denied every root, else `unknown`.
 */
export function readMutationOutcome({ data, errors }: AdminResponse, key: string): MutationOutcome {
  const mutationPayload = data?.[key] as Record<string, unknown> | null | undefined;
  if (mutationPayload === null || mutationPayload === undefined) {
    return { outcome: isEveryMutationRootDenied({ data, errors }) ? 'refused' : 'unknown' };
  }
  const payloadErrors = mutationPayload[REFUSALS_ALIAS];
  if (!Array.isArray(payloadErrors)) return { outcome: 'refused' };
  if (payloadErrors.length > 0) return { outcome: 'refused', response: { userErrors: payloadErrors } };
  const createdContract = mutationPayload[CREATED_CONTRACT_ALIAS] as
    | { readonly id: string }
    | null
    | undefined;
  const attempt = mutationPayload[BILLING_ATTEMPT_ALIAS] as ReturnedAttempt | null | undefined;
  // An attempt was made, but the response does not identify it.
  if (attempt === null) return { outcome: 'unknown' };
  const payloadJob = mutationPayload[JOB_ALIAS] as { readonly id: string } | null | undefined;
  const createdAddress = mutationPayload[CREATED_ADDRESS_ALIAS] as { readonly id: string } | null | undefined;
  const ids = {
    ...(createdAddress && { address: createdAddress.id }),
    ...(createdContract && { contract: createdContract.id }),
    ...(attempt && { subscriptionBillingAttempt: attempt.id }),
    ...(payloadJob && { job: payloadJob.id }),
  };
  return {
    outcome: 'done',
    contractId: createdContract?.id,
    attempt,
    address: mutationPayload[ADDRESS_AFTER_ALIAS],
    response: { ids },
  };
}

/** Returns the field that the request's log line needs. Some user errors of the platform have no code. */
function selectErrorCode(fields: readonly string[]): string {
  return fields.includes('code') ? 'code' : 'message';
}

/** Returns the platform's fields of the payload's user errors; none when its type has no user errors. */
function listUserErrorFields(payloadType: string): string[] {
  const type = unwrapTypeReference(typeOfField(unwrapTypeReference(payloadType), 'userErrors') ?? '');
  const policyOf = (name: string) => (type in schemaTable ? findFieldPolicy(type, name) : undefined);
  return ['field', 'message', 'code'].filter((name) => policyOf(name)?.isService === false);
}
