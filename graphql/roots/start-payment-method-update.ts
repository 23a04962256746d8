/**
 * `customerPaymentMethodStartUpdate`: returns the platform's URL where the customer can update the payment method. The
 * platform has one for some instruments only, today those of Shop Pay. Otherwise the service has the platform send the
 * e-mail of `EMAIL_MUTATION`, with the same cooldown and timeline entry as that mutation.
 * Anyone who has the URL can change how the customer pays, so it is neither stored nor logged.
 */

import { ServiceError } from '../../lib/errors/service-error.ts';
import { message } from '../../lib/messages/message.ts';
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import { requireOwnership, throwUnlessNotFound } from '../../lib/subscriptions/contract-facts.ts';
import {
  EMAIL_COOLDOWN_MINUTES,
  EMAIL_MUTATION,
  emailSentRecentlyError,
} from '../../lib/subscriptions/email-cooldown.ts';
import type { OperationRequest } from '../../lib/subscriptions/operation.ts';
import {
  createChangedOutcome,
  createRefusedOutcome,
  createUserError,
  fromPlatformUserError,
  type OperationOutcome,
  type PlatformUserError,
} from '../../lib/subscriptions/operation-error.ts';
import {
  type ApplyChangeResult,
  type ChangeIntent,
  decideAndRunChange,
} from '../../lib/timeline/run-change.ts';
import { readMutationOutcome } from '../compile/outcome-selection.ts';
import type { ObservedContractOwner } from '../plan/forwarded-change.ts';
import type { RunContext } from '../plan/run-context.ts';
import { createChangeDeps } from '../run/change-origin.ts';
import { sendWithCooldown } from '../run/send-with-cooldown.ts';

type PaymentMethodToUpdate = ObservedContractOwner & {
  readonly id: string;
  readonly revokedAt: string | null;
  readonly customer: { readonly id: string } | null;
  /** Null when the platform does not tell what the method is, for example a card. */
  readonly instrument: { readonly __typename: string } | null;
};

const ID_ARGUMENT = 'customerPaymentMethodId';
const READ_METHOD_QUERY = `query PaymentMethodToUpdate($id: ID!) {
  method: customerPaymentMethod(id: $id, showRevoked: true) {
    id revokedAt customer { id } instrument { __typename }
    subscriptionContracts(first: 100, reverse: true) { nodes { id status } }
  }
}`;
const GET_URL_MUTATION = `mutation GetUpdateUrl($id: ID!) {
  made: customerPaymentMethodGetUpdateUrl(customerPaymentMethodId: $id) {
    updatePaymentMethodUrl userErrors { code }
  }
}`;
const SEND_EMAIL_MUTATION = `mutation SendUpdateEmail($id: ID!) {
  ${EMAIL_MUTATION}(customerPaymentMethodId: $id) { _svcRefusals: userErrors { field message } }
}`;
/** The instruments that certainly have no URL. */
const INSTRUMENTS_WITHOUT_URL = ['CustomerCreditCard', 'CustomerPaypalBillingAgreement', 'BankAccount'];

/** Returns the timeline's intents of the e-mail, by the contracts that use the method. */
type CreateEmailIntents = (method: ObservedContractOwner) => readonly ChangeIntent[];

/**
 * Returns the URL or sends the e-mail: two requests to the platform, three for an instrument whose URL is refused.
 * @throws FORBIDDEN when the method does not exist, or is another customer's
 * @throws OUTCOME_UNKNOWN when the response to the e-mail was lost
 */
export async function startPaymentMethodUpdate(
  context: RunContext,
  { args }: OperationRequest,
  createEmailIntents: CreateEmailIntents,
): Promise<OperationOutcome> {
  const { identity } = context;
  const readAtMs = context.now();
  const { data, errors } = await sendDocument(context, READ_METHOD_QUERY, {
    id: args[ID_ARGUMENT],
    mutates: false,
  });
  throwUnlessNotFound(errors);
  if (data === null) throw failedReadError('the payment method', errors);
  const methodToUpdate = data.method as PaymentMethodToUpdate | null;
  const { actingCustomerId, namespaces } = identity;
  requireOwnership({ actingCustomerId, platformGidNamespace: namespaces.platform }, methodToUpdate);
  if (methodToUpdate === null) throw new ServiceError('FORBIDDEN');
  if (methodToUpdate.revokedAt !== null) {
    const fieldAndMessage = { field: [ID_ARGUMENT], message: message('paymentMethodRevoked') };
    return createRefusedOutcome([createUserError('INVALID', fieldAndMessage)], { emailSent: false });
  }
  const updateUrl = await findUpdateUrl(context, methodToUpdate);
  if (updateUrl === undefined)
    return sendAndRecordEmail(context, methodToUpdate, {
      intents: createEmailIntents(methodToUpdate),
      readAtMs,
    });
  return createChangedOutcome({ updateUrl, emailSent: false });
}

/**
 * Reads the URL. It changes nothing, so it is sent like a query.
 * @returns undefined when the platform gives none
 */
async function findUpdateUrl(
  context: RunContext,
  { id, instrument }: PaymentMethodToUpdate,
): Promise<string | undefined> {
  if (INSTRUMENTS_WITHOUT_URL.includes(instrument?.__typename ?? '')) return undefined;
  const { data } = await sendDocument(context, GET_URL_MUTATION, { id, mutates: false });
  const mutationPayload = data?.made as { readonly updatePaymentMethodUrl: string | null } | null | undefined;
  return mutationPayload?.updatePaymentMethodUrl ?? undefined;
}

/** Sends the e-mail and records it on the contracts that use the method, unless one was sent in the last minutes. */
async function sendAndRecordEmail(
  context: RunContext,
  method: PaymentMethodToUpdate,
  { intents, readAtMs }: { readonly intents: readonly ChangeIntent[]; readonly readAtMs: number },
): Promise<OperationOutcome> {
  const cooldown = { minutes: EMAIL_COOLDOWN_MINUTES, field: ID_ARGUMENT, refusal: emailSentRecentlyError };
  const emailChange = { cooldown, action: EMAIL_MUTATION, key: EMAIL_MUTATION, subject: method.id };
  const platformResponse = await sendWithCooldown(context, emailChange, () =>
    decideAndRunChange(createChangeDeps(context, readAtMs), async () => ({
      intents,
      claim: 'once',
      apply: () => sendUpdateEmail(context, method),
    })),
  );
  const unsentLocals = { emailSent: false };
  if ('refusal' in platformResponse) return createRefusedOutcome([platformResponse.refusal], unsentLocals);
  const payloadErrors = readMutationOutcome(platformResponse, EMAIL_MUTATION).response?.userErrors as
    | PlatformUserError[]
    | undefined;
  if (payloadErrors !== undefined)
    return createRefusedOutcome(
      payloadErrors.map((one) => fromPlatformUserError(one)),
      unsentLocals,
    );
  return createChangedOutcome(EMAIL_SENT_LOCALS);
}

const EMAIL_SENT_LOCALS = { updateUrl: null, emailSent: true };

async function sendUpdateEmail(
  context: RunContext,
  { id }: PaymentMethodToUpdate,
): Promise<ApplyChangeResult<AdminResponse>> {
  const platformResponse = await sendDocument(context, SEND_EMAIL_MUTATION, { id, mutates: true });
  const { outcome, response } = readMutationOutcome(platformResponse, EMAIL_MUTATION);
  if (outcome === 'unknown')
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'the response of the e-mail has no payload' });
  if (outcome === 'done')
    return { result: platformResponse, effect: 'done', retryResponse: { locals: EMAIL_SENT_LOCALS } };
  if (response === undefined) throw failedReadError('the e-mail', platformResponse.errors);
  return { result: platformResponse, effect: 'refused', retryResponse: response };
}

type DocumentRequest = { readonly id: unknown; readonly mutates: boolean };

function sendDocument(
  context: RunContext,
  document: string,
  { id, mutates }: DocumentRequest,
): Promise<AdminResponse> {
  const { store, deadlineAtMs, identity } = context;
  const callerNamespaces = identity.namespaces;
  return context.send({
    store,
    document,
    variables: { id },
    mutates,
    callerNamespaces,
    deadlineAtMs,
    costKey: document,
  });
}
