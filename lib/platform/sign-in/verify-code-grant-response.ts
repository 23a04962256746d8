/**
 * Parses the platform's successful token responses. A code grant is valid only with an id_token that the platform's
 * keys signed for this client and this sign-in (OpenID Connect Core, section 3.1.3.7).
 */
import * as oauth from 'oauth4webapi';
import { parseJsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { RawPlatformResponse } from '../send-request.ts';
import { toAuthorizationServer } from './authorization-server.ts';
import type { SigningKeySet } from './signing-key-set.ts';

/** The platform's tokens of one customer. Secrets. */
export type PlatformTokens = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: string;
  readonly expiresInSeconds: number;
};

type CodeGrantVerdict =
  | { readonly kind: 'accepted'; readonly subject: string; readonly tokens: PlatformTokens }
  /** The id_token is invalid. `reason`: for the log, without any part of the token. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The response is no grant: HTML, or a truncated body. */
  | { readonly kind: 'unreadable' };

type ReceivedCodeGrantResponse = {
  readonly store: StoreRecord;
  readonly clientId: string;
  readonly response: RawPlatformResponse;
  /** When the response arrived: the id_token is validated for this time, ± 60 s, even if it is parsed later. */
  readonly receivedAtMs: number;
  readonly nonce: string;
};

const CLOCK_TOLERANCE_SECONDS = 60;
const USUAL_TOKEN_LIFETIME_SECONDS = 3600;

/**
 * Parses the response to a code.
 * @throws TEMPORARILY_UNAVAILABLE when the platform's keys cannot be loaded now
 */
export async function verifyCodeGrantResponse(
  keySet: SigningKeySet,
  request: ReceivedCodeGrantResponse,
): Promise<CodeGrantVerdict> {
  const responseBody = parseJsonObject(request.response.body);
  if (typeof responseBody?.access_token !== 'string' || typeof responseBody.id_token !== 'string')
    return { kind: 'unreadable' };
  const server = toAuthorizationServer(request.store.signIn);
  // The platform's documentation shows responses without token_type, which the library requires.
  const response = Response.json({ token_type: 'bearer', ...responseBody });
  try {
    const grant = await oauth.processAuthorizationCodeResponse(server, toOauthClient(request), response, {
      expectedNonce: request.nonce,
      requireIdToken: true,
    });
    await validateIdTokenWithReloadedKeys(keySet, request.store, response);
    const subject = oauth.getValidatedIdTokenClaims(grant)?.sub ?? '';
    return { kind: 'accepted', subject, tokens: toPlatformTokens(grant) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return { kind: 'rejected', reason: error instanceof Error ? error.message : 'unknown' };
  }
}

/**
 * Returns the pair of a successful response to a refresh grant.
 * @returns undefined when one of the tokens is missing
 */
export function parseRefreshedTokens(
  rawResponse: RawPlatformResponse,
): { refreshToken: string; expiresInSeconds: number } | undefined {
  const body = parseJsonObject(rawResponse.body);
  if (typeof body?.access_token !== 'string' || typeof body.refresh_token !== 'string') return undefined;
  if (body.access_token === '' || body.refresh_token === '') return undefined;
  return { refreshToken: body.refresh_token, expiresInSeconds: parseTokenLifetimeSeconds(body.expires_in) };
}

function toOauthClient({ clientId, receivedAtMs }: ReceivedCodeGrantResponse): oauth.Client {
  return {
    client_id: clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    // The library reads the clock itself: this offset sets it back to when the response arrived.
    [oauth.clockSkew]: Math.floor(receivedAtMs / 1000) - Math.floor(Date.now() / 1000),
  };
}

/**
 * The library validates the signature in a separate call. An unknown key id may be a new key: the set is loaded
 * again.
 */
async function validateIdTokenWithReloadedKeys(
  keySet: SigningKeySet,
  store: StoreRecord,
  response: Response,
): Promise<void> {
  try {
    return await validateIdTokenSignature(await keySet.get(store), store, response);
  } catch (error) {
    const isUnknownKey =
      error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isUnknownKey) throw error;
  }
  const reloadedKeys = await keySet.reload(store);
  if (reloadedKeys !== undefined) return validateIdTokenSignature(reloadedKeys, store, response);
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'the id_token is signed with a key that the key set does not have yet',
    retryAfterSeconds: 10,
  });
}

function validateIdTokenSignature(
  jwks: oauth.JWKS,
  { signIn }: StoreRecord,
  response: Response,
): Promise<void> {
  return oauth.validateApplicationLevelSignature(toAuthorizationServer(signIn), response, {
    [oauth.jwksCache]: { jwks, uat: Math.floor(Date.now() / 1000) },
    [oauth.customFetch]: () => Promise.reject(new Error('the key set is given')),
  });
}

function toPlatformTokens(grant: oauth.TokenEndpointResponse): PlatformTokens {
  return {
    accessToken: grant.access_token,
    refreshToken: grant.refresh_token,
    idToken: grant.id_token ?? '',
    expiresInSeconds: parseTokenLifetimeSeconds(grant.expires_in),
  };
}

function parseTokenLifetimeSeconds(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_TOKEN_LIFETIME_SECONDS;
}
