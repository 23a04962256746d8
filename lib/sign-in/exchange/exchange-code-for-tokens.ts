/**
 * The second step of a sign-in: exchanges the platform's authorization code for a session of the service. After a
 * failure or a crash at any point, repeating the same request continues the work: the code is used once, and one
 * session is created.
 */
import { createHash } from 'node:crypto';
import { awaitAll } from '../../domain/await-all.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SignInRecord } from '../../storage/sessions/sign-ins.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { passCrashPoint } from '../crash-point.ts';
import { findInstalledStore, requireClientId } from '../find-installed-store.ts';
import { createSession } from '../sessions/create-session.ts';
import { computeTokenPair, type TokenPair } from '../sessions/token-pair.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { appSignInTarget, findPageTarget, type SignInTarget } from '../sign-in-target.ts';
import { checkNonce } from './check-nonce.ts';
import { type ClaimedSignIn, claimSignIn, type SignInClaimRequest } from './claim-sign-in.ts';
import { commitSignIn } from './commit-sign-in.ts';
import { exchangeAndStoreCodeGrant } from './exchange-and-store-code-grant.ts';
import type { ExchangeRequest, ResolvedExchange } from './exchange-context.ts';
import { identifyCustomer } from './identify-customer.ts';
import { findSeedForRetriedExchange } from './retry-exchange.ts';

/**
 * Returns the first token pair of the new session.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws CLIENT_ID_NOT_CONFIGURED when the store has no client id for the sign-in
 * @throws INVALID_NONCE when the sign-in is unknown or expired, or its session is in use
 * @throws SIGN_IN_REJECTED when the app must start a new sign-in
 * @throws TEMPORARILY_UNAVAILABLE when the app should repeat the request
 */
export async function exchangeCodeForTokens(deps: SignInDeps, request: ExchangeRequest): Promise<TokenPair> {
  const store = await findInstalledStore(deps, request.shop);
  if (store.webSignIn === undefined) requireClientId(store);
  const nonceHash = await checkNonce(deps, { ...request, store });
  const claimRequest: SignInClaimRequest = {
    nonceHash,
    codeHash: createHash('sha256').update(request.code).digest('base64url'),
    checkSignIn: (signIn) => void signInTargetOf(store, signIn),
    prepare: async () => {
      await awaitAll([deps.checkPinnedSignInAddresses(store), deps.keySet.get(store)]);
    },
  };
  const claimResult = await claimSignIn(deps, claimRequest);
  passCrashPoint('exchange.after-claim');
  const sessionSeed =
    claimResult.kind === 'held'
      ? await completeExchange(deps, claimResult.claimedSignIn, {
          ...request,
          store,
          signInTarget: signInTargetOf(store, claimResult.claimedSignIn.signIn),
        })
      : await findSeedForRetriedExchange(deps, store.shopId, claimResult);
  const { startedAtMs } = claimResult.kind === 'held' ? claimResult.claimedSignIn.signIn : claimResult;
  const session = await createSession(deps, {
    shopId: store.shopId,
    nonceHash,
    startedAtMs,
    seed: sessionSeed,
  });
  const tokenPair = await computeTokenPair(deps, session);
  if (tokenPair === undefined)
    throw new ServiceError('SIGN_IN_REJECTED', { internal: 'the key was removed' });
  return tokenPair;
}

/**
 * Returns the target with which the sign-in was started.
 * @throws SIGN_IN_REJECTED when the page is no longer entered for the store
 */
function signInTargetOf(store: StoreRecord, { redirectUri }: SignInRecord): SignInTarget {
  if (redirectUri === undefined) return appSignInTarget(store);
  const pageTarget = findPageTarget(store, redirectUri);
  if (pageTarget === undefined)
    throw new ServiceError('SIGN_IN_REJECTED', { internal: 'the page was removed from the store' });
  return pageTarget;
}

/**
 * Completes a claimed sign-in: gets tokens for the code, identifies the customer, and commits. If the platform's
 * response is already stored, starts with the identification.
 */
async function completeExchange(deps: SignInDeps, claimedSignIn: ClaimedSignIn, context: ResolvedExchange) {
  const grantedSignIn =
    claimedSignIn.signIn.state === 'granted'
      ? claimedSignIn
      : await exchangeAndStoreCodeGrant(deps, claimedSignIn, context);
  const identifiedCustomer = await identifyCustomer(deps, grantedSignIn, context);
  return commitSignIn(deps, grantedSignIn, { context, identifiedCustomer });
}
