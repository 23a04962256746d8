/** An app's steps as short functions. */
import { verifyCustomerToken } from '../../../../lib/credentials/verify-customer-token.ts';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import type { CrashPoint } from '../../../../lib/sign-in/crash-point.ts';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { refreshTokens } from '../../../../lib/sign-in/sessions/refresh-tokens.ts';
import { revokePresentedSession } from '../../../../lib/sign-in/sessions/revoke-presented-session.ts';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import type { SignInDeps } from '../../../../lib/sign-in/sign-in-deps.ts';
import { startSignIn } from '../../../../lib/sign-in/start-sign-in.ts';
import { SHOP, type World } from './world.ts';

export const ADA = 7001001 as CustomerId;

/** A sign-in up to the code, ready for `exchange`; with `redirectUri` that of a page. */
export async function signInToCode(world: World, subject = '7001001', redirectUri?: string) {
  const { authUrl, verifier, nonce } = await startSignIn(world.deps, { shop: SHOP, redirectUri });
  return { shop: SHOP, code: world.platform.signIn(authUrl, subject), verifier, nonce, userAgent: 'Phone/1' };
}

export async function signedIn(world: World): Promise<TokenPair> {
  return exchangeCodeForTokens(world.deps, await signInToCode(world));
}

export function refreshWith(deps: SignInDeps, { refreshToken }: Pick<TokenPair, 'refreshToken'>) {
  return refreshTokens(deps, { shop: SHOP, customerId: ADA, refreshToken });
}

export function revokeWith(deps: SignInDeps, { refreshToken }: Pick<TokenPair, 'refreshToken'>) {
  return revokePresentedSession(deps, { shop: SHOP, customerId: ADA, refreshToken });
}

/** Verifies the pair's access token like a GraphQL call. */
export async function use(deps: SignInDeps, { accessToken }: Pick<TokenPair, 'accessToken'>): Promise<void> {
  const { session } = await verifyCustomerToken(deps, `Bearer ${accessToken}`);
  await session.confirmation;
}

/** The code that a promise is refused with; `ok` if it is not. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** Runs `work` until a crash point, where its container crashes. */
export async function crashAt(point: CrashPoint, work: () => Promise<unknown>): Promise<void> {
  globalThis.FAULT_POINTS = true;
  globalThis.onCrashPoint = (name) => {
    if (name === point) throw new Crash(point);
  };
  try {
    await work();
    throw new Error(`${point} was not reached`);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  } finally {
    globalThis.FAULT_POINTS = undefined;
    globalThis.onCrashPoint = undefined;
  }
}

class Crash extends Error {}
