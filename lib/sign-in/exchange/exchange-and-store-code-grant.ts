/**
 * Exchanges the authorization code at the platform. The response is encrypted and stored in the sign-in before it is
 * parsed: a code works only once, so a later crash must not lose the response.
 */
import { sealText } from '../../credentials/sealed-box.ts';
import { type RawPlatformResponse, TransportError } from '../../platform/send-request.ts';
import { classifyTokenResponse } from '../../platform/sign-in/classify-token-response.ts';
import { codeGrantSealContext } from '../../storage/sessions/sign-ins.ts';
import type { WriteOutcome } from '../../storage/table.ts';
import { passCrashPoint } from '../crash-point.ts';
import { isTransientError } from '../is-transient-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import type { ResolvedExchange } from './exchange-context.ts';
import { markSignInRejected, releaseSignIn } from './release-sign-in.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

/** The content that is encrypted: the unchanged response, and when it was received (epoch milliseconds). */
export type StoredCodeGrant = { readonly answer: RawPlatformResponse; readonly receivedAtMs: number };

const MIN_TIME_FOR_CODE_EXCHANGE_MS = 7_000;
const TIME_RESERVED_AFTER_GRANT_MS = 2_000;
const CODE_GRANT_STORE_RETRY_MS = 200;

/**
 * Returns the sign-in with the encrypted response.
 * @throws SIGN_IN_REJECTED when the platform rejects the code
 * @throws TEMPORARILY_UNAVAILABLE when there is too little time, or the platform does not respond
 */
export async function exchangeAndStoreCodeGrant(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  context: ResolvedExchange,
): Promise<ClaimedSignIn> {
  const leftMs = claimedSignIn.deadlineAtMs - deps.now();
  if (leftMs < MIN_TIME_FOR_CODE_EXCHANGE_MS) {
    await releaseSignIn(deps, claimedSignIn, 'release');
    throw signInUnfinishedError('too late to spend the code');
  }
  const grantResponse = await deps.platform.grantCode({
    signIn: context.store.signIn,
    ...context.signInTarget,
    code: context.code,
    codeVerifier: context.verifier,
    timeoutMs: leftMs - TIME_RESERVED_AFTER_GRANT_MS,
  });
  passCrashPoint('exchange.after-code-grant');
  const tokenOutcome = classifyTokenResponse(grantResponse, 'code');
  if (tokenOutcome === 'code-refused')
    throw await markSignInRejected(deps, claimedSignIn, 'the platform refused the code');
  if (tokenOutcome !== 'granted' || grantResponse instanceof TransportError) {
    await releaseSignIn(deps, claimedSignIn, 'release');
    throw signInUnfinishedError(
      `no grant: ${grantResponse instanceof TransportError ? grantResponse.kind : grantResponse.status}`,
    );
  }
  return sealAndStoreCodeGrant(deps, claimedSignIn, {
    context,
    codeGrant: { answer: grantResponse, receivedAtMs: deps.now() },
  });
}

type CodeGrantToStore = { readonly context: ResolvedExchange; readonly codeGrant: StoredCodeGrant };

/**
 * Encrypts the response and stores it in the sign-in. Repeats the write until the deadline, because the code cannot be
 * exchanged again.
 */
async function sealAndStoreCodeGrant(
  deps: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  { context, codeGrant: storedCodeGrant }: CodeGrantToStore,
): Promise<ClaimedSignIn> {
  const sealContext = codeGrantSealContext({
    shopId: context.store.shopId,
    nonceHash: claimedSignIn.nonceHash,
  });
  const grant = await sealText(deps, sealContext, JSON.stringify(storedCodeGrant));
  let storeResult: WriteOutcome;
  for (;;) {
    try {
      storeResult = await deps.signIns.storeGrant(claimedSignIn, grant);
      break;
    } catch (error) {
      if (!isTransientError(error) || deps.now() >= claimedSignIn.deadlineAtMs) throw error;
      await deps.sleep(CODE_GRANT_STORE_RETRY_MS);
    }
  }
  if (storeResult.outcome === 'refused') throw signInUnfinishedError('the lease was lost');
  passCrashPoint('exchange.after-keep-grant');
  return { ...claimedSignIn, signIn: { ...claimedSignIn.signIn, state: 'granted', grant } };
}
