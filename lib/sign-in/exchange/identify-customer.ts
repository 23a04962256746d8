/** Identifies the customer who signed in, from the platform's token response that is stored in the sign-in. */
import { openSealedBox } from '../../credentials/sealed-box.ts';
import { type CustomerId, parseCustomerId } from '../../domain/customer-id.ts';
import { parseCustomerGid } from '../../domain/gid.ts';
import { parseJsonObject } from '../../domain/json-object.ts';
import { toOpenIdNonce } from '../../domain/tokens/nonce.ts';
import { TransportError } from '../../platform/send-request.ts';
import {
  type PlatformTokens,
  verifyCodeGrantResponse,
} from '../../platform/sign-in/verify-code-grant-response.ts';
import { codeGrantSealContext } from '../../storage/sessions/sign-ins.ts';
import { isTransientError } from '../is-transient-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import type { StoredCodeGrant } from './exchange-and-store-code-grant.ts';
import type { ResolvedExchange } from './exchange-context.ts';
import { markSignInRejected, releaseSignIn } from './release-sign-in.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

export type IdentifiedCustomer = {
  readonly customerId: CustomerId;
  readonly tokens: PlatformTokens;
  readonly receivedAtMs: number;
};

/**
 * Verifies the id token, and reads the customer of the access token from the platform. A `sub` that is a customer's id
 * must name the same customer; for a store with `trustsSubject`, it names the customer without this request.
 * After a temporary failure, releases the lease and keeps the stored response for the next attempt. If the response has
 * no tokens, deletes it, so that the next attempt exchanges the code again.
 * @throws SIGN_IN_REJECTED when the verification fails, or the customers differ
 * @throws TEMPORARILY_UNAVAILABLE when the platform does not respond, or its response has no tokens
 */
export async function identifyCustomer(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  context: ResolvedExchange,
): Promise<IdentifiedCustomer> {
  try {
    return await verifyTokensAndIdentify(deps, claimedSignIn, context);
  } catch (error) {
    if (isTransientError(error)) await releaseSignIn(deps, claimedSignIn, 'release');
    throw error;
  }
}

async function verifyTokensAndIdentify(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  context: ResolvedExchange,
): Promise<IdentifiedCustomer> {
  const sealContext = codeGrantSealContext({
    shopId: context.store.shopId,
    nonceHash: claimedSignIn.nonceHash,
  });
  const codeGrantText = await openSealedBox(deps.tokenKeys, sealContext, claimedSignIn.signIn.grant ?? '');
  if (codeGrantText === undefined)
    throw await markSignInRejected(deps, claimedSignIn, 'the kept grant does not open');
  const { answer: grantResponse, receivedAtMs } = JSON.parse(codeGrantText) as StoredCodeGrant;
  const { store, signInTarget } = context;
  const openIdNonce = toOpenIdNonce(context.nonce);
  const { clientId } = signInTarget;
  const codeGrantVerdict = await verifyCodeGrantResponse(deps.keySet, {
    store,
    clientId,
    response: grantResponse,
    receivedAtMs,
    nonce: openIdNonce,
  });
  if (codeGrantVerdict.kind === 'rejected')
    throw await markSignInRejected(deps, claimedSignIn, `id_token: ${codeGrantVerdict.reason}`);
  if (codeGrantVerdict.kind === 'unreadable') {
    await releaseSignIn(deps, claimedSignIn, 'reopen');
    throw signInUnfinishedError('the platform answered 200 without a grant');
  }
  const { subject, tokens } = codeGrantVerdict;
  const subjectCustomerId = parseCustomerId(subject) ?? parseCustomerGid(subject, deps.platformGidNamespace);
  if (subjectCustomerId !== undefined && store.trustsSubject === true)
    return { customerId: subjectCustomerId, tokens, receivedAtMs };
  const customerId = await queryCustomerId(deps, claimedSignIn, { context, accessToken: tokens.accessToken });
  if (subjectCustomerId !== undefined && subjectCustomerId !== customerId) {
    const { shopId } = store;
    const logFields = { alarm: 'sign_in_subject', shopId, named: subjectCustomerId, customerId };
    deps.logger.error('id_token.customer_mismatch_detected', logFields);
    throw await markSignInRejected(deps, claimedSignIn, 'sub names another customer');
  }
  return { customerId, tokens, receivedAtMs };
}

type CustomerQuery = { readonly context: ResolvedExchange; readonly accessToken: string };

/**
 * Reads the customer of the access token from the platform's Customer Account API: the platform does not document that
 * `sub` is the customer's id.
 */
async function queryCustomerId(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  { context, accessToken }: CustomerQuery,
): Promise<CustomerId> {
  const leftMs = Math.max(1, claimedSignIn.deadlineAtMs - deps.now());
  const customerResponse = await deps.platform.queryCustomerId({
    signIn: context.store.signIn,
    accessToken,
    origin: context.signInTarget.origin,
    timeoutMs: leftMs,
  });
  if (customerResponse instanceof TransportError || customerResponse.status !== 200) {
    throw signInUnfinishedError('the Customer Account API did not answer');
  }
  const customerResponseBody = parseJsonObject(customerResponse.body) as
    | { data?: { customer?: { id?: unknown } } }
    | undefined;
  const customerIdText = customerResponseBody?.data?.customer?.id;
  const customerId =
    typeof customerIdText === 'string'
      ? (parseCustomerGid(customerIdText, deps.platformGidNamespace) ?? parseCustomerId(customerIdText))
      : undefined;
  if (customerId === undefined)
    throw await markSignInRejected(deps, claimedSignIn, 'the platform names no customer');
  return customerId;
}
