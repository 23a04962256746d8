/** The first step of a sign-in: creates the values with which the app sends the customer to the platform. */

import type { Locale } from '../domain/locale.ts';
import type { ShopDomain } from '../domain/shop-domain.ts';
import { codeChallengeOf, createCodeVerifier } from '../domain/tokens/code-verifier.ts';
import { hashSignInNonce, NONCE_RANDOM_BYTES, nonceFormat, toOpenIdNonce } from '../domain/tokens/nonce.ts';
import { buildAuthorizationUrl } from '../platform/sign-in/build-authorization-url.ts';
import { passCrashPoint } from './crash-point.ts';
import { findInstalledStore } from './find-installed-store.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { appSignInTarget, requirePageTarget } from './sign-in-target.ts';

type StartedSignIn = {
  readonly authUrl: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly state: string;
  readonly redirectUri: string;
};

type SignInStartRequest = {
  readonly shop: ShopDomain;
  /** The language of the platform's pages. Without it, the platform uses that of the browser. */
  readonly locale?: Locale | null | undefined;
  /** The page to which the browser returns. Without it, the browser returns to the app. */
  readonly redirectUri?: string | null | undefined;
};

const STATE_BYTES = 16;
const SIGN_IN_TTL_SECONDS = 2 * 60 * 60;

/**
 * Starts the sign-in of a customer. The table stores only the code challenge and the nonce's hash, not the verifier or
 * the nonce. The page is stored, too, so that the exchange can only be completed for the same page.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws INVALID_REDIRECT_URI when the page is not entered for the store
 * @throws CLIENT_ID_NOT_CONFIGURED when the store has no client id for the sign-in
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function startSignIn(deps: SignInDeps, request: SignInStartRequest): Promise<StartedSignIn> {
  const store = await findInstalledStore(deps, request.shop);
  const pageTarget = request.redirectUri == null ? undefined : requirePageTarget(store, request.redirectUri);
  const { redirectUri, clientId } = pageTarget ?? appSignInTarget(store);
  const startedAtMs = deps.now();
  const codeVerifier = createCodeVerifier(deps.random);
  const codeChallenge = codeChallengeOf(codeVerifier);
  const random = deps.random(NONCE_RANDOM_BYTES);
  const key = await deps.tokenKeys.signingKey(store.refusedKids);
  const nonce = nonceFormat.encode({ random, startedAtMs, shopId: store.shopId }, key, codeChallenge);
  const encodedChallenge = codeChallenge.toString('base64url');
  await deps.signIns.create({
    nonceHash: hashSignInNonce(nonce),
    shopId: store.shopId,
    challenge: encodedChallenge,
    startedAtMs,
    state: 'pending',
    ...(pageTarget !== undefined && { redirectUri: pageTarget.redirectUri }),
    expiresAt: Math.ceil(startedAtMs / 1000) + SIGN_IN_TTL_SECONDS,
  });
  passCrashPoint('start.after-put');
  const oauthState = Buffer.from(deps.random(STATE_BYTES)).toString('base64url');
  const authUrl = buildAuthorizationUrl({
    signIn: store.signIn,
    clientId,
    redirectUri,
    state: oauthState,
    codeChallenge: encodedChallenge,
    nonce: toOpenIdNonce(nonce),
    locale: request.locale ?? undefined,
  });
  return { authUrl, verifier: codeVerifier, nonce, state: oauthState, redirectUri };
}
