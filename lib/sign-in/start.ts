/** The first step of a sign-in: creates the values with which the app sends the customer to the platform. */

import type { Locale } from '../domain/locale.ts';
import type { ShopDomain } from '../domain/shop-domain.ts';
import { redirectUriOf } from '../domain/sign-in/redirect-uri.ts';
import { challengeOf, createCodeVerifier } from '../domain/tokens/code-verifier.ts';
import { hashNonce, NONCE_RANDOM_BYTES, nonceFormat, toOpenIdNonce } from '../domain/tokens/nonce.ts';
import { buildAuthorizationUrl } from '../platform/sign-in/authorization-url.ts';
import { crashPoint } from './crash-point.ts';
import { findInstalledStore, requireClientId } from './find-installed-store.ts';
import type { SignInDeps } from './sign-in-deps.ts';

type StartAnswer = {
  readonly authUrl: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly state: string;
  readonly redirectUri: string;
};

type StartRequest = {
  readonly shop: ShopDomain;
  /** The language of the platform's pages. Without it, the platform uses that of the browser. */
  readonly locale?: Locale | null | undefined;
};

const STATE_BYTES = 16;
const RETENTION_SECONDS = 2 * 60 * 60;

/**
 * Starts the sign-in of a customer. The table stores only the code challenge and the nonce's hash, not the verifier or
 * the nonce.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws CLIENT_ID_NOT_CONFIGURED when the store has no client id for the sign-in
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function startSignIn(deps: SignInDeps, { shop, locale }: StartRequest): Promise<StartAnswer> {
  const store = await findInstalledStore(deps, shop);
  const clientId = requireClientId(store);
  const startedAtMs = deps.now();
  const verifier = createCodeVerifier(deps.random);
  const challenge = challengeOf(verifier);
  const random = deps.random(NONCE_RANDOM_BYTES);
  const key = await deps.tokenKeys.signing(store.refusedKids);
  const nonce = nonceFormat.encode({ random, startedAtMs, shopId: store.shopId }, key, challenge);
  const encodedChallenge = challenge.toString('base64url');
  await deps.signIns.create({
    nonceHash: hashNonce(nonce),
    shopId: store.shopId,
    challenge: encodedChallenge,
    startedAtMs,
    state: 'pending',
    expiresAt: Math.ceil(startedAtMs / 1000) + RETENTION_SECONDS,
  });
  crashPoint('start.after-put');
  const state = Buffer.from(deps.random(STATE_BYTES)).toString('base64url');
  const redirectUri = redirectUriOf(store.shopId);
  const authUrl = buildAuthorizationUrl({
    signIn: store.signIn,
    clientId,
    redirectUri,
    state,
    challenge: encodedChallenge,
    nonce: toOpenIdNonce(nonce),
    locale: locale ?? undefined,
  });
  return { authUrl, verifier, nonce, state, redirectUri };
}
