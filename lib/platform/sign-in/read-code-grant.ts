/**
 * Reads the platform's answers of success. A code grant counts only with an id_token that was signed by the
 * platform's keys, for this client and this sign-in (OpenID Connect Core, section 3.1.3.7).
 */
import * as oauth from 'oauth4webapi';
import { parseJsonObject } from '../../domain/json-object.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { RawAnswer } from '../send-request.ts';
import { toAuthorizationServer } from './authorization-server.ts';
import type { KeySet } from './key-set.ts';

/** The platform's tokens of one customer. Secrets. */
export type PlatformTokens = {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: string;
  readonly expiresInSeconds: number;
};

type CodeGrantReading =
  | { readonly kind: 'accepted'; readonly subject: string; readonly tokens: PlatformTokens }
  /** The id_token did not pass. `reason`: for the log, without a word of the token. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The answer is no grant at all: HTML, a cut body. */
  | { readonly kind: 'unreadable' };

type CodeGrantAnswer = {
  readonly store: StoreRecord;
  readonly clientId: string;
  readonly answer: RawAnswer;
  /** When the answer came: the id_token is judged at this time, ± 60 s, however late it is read. */
  readonly receivedAtMs: number;
  readonly nonce: string;
};

const CLOCK_TOLERANCE_SECONDS = 60;
const USUAL_LIFE_SECONDS = 3600;

/** Reads the answer to a code. TEMPORARILY_UNAVAILABLE if the platform's keys cannot be had now. */
export async function readCodeGrant(keySet: KeySet, request: CodeGrantAnswer): Promise<CodeGrantReading> {
  const body = parseJsonObject(request.answer.body);
  if (typeof body?.access_token !== 'string' || typeof body.id_token !== 'string')
    return { kind: 'unreadable' };
  const server = toAuthorizationServer(request.store.signIn);
  // The platform's documentation shows answers without token_type, which the library asks for.
  const response = Response.json({ token_type: 'bearer', ...body });
  try {
    const grant = await oauth.processAuthorizationCodeResponse(server, clientOf(request), response, {
      expectedNonce: request.nonce,
      requireIdToken: true,
    });
    await checkSignature(keySet, request.store, response);
    const subject = oauth.getValidatedIdTokenClaims(grant)?.sub ?? '';
    return { kind: 'accepted', subject, tokens: toTokens(grant) };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return { kind: 'rejected', reason: error instanceof Error ? error.message : 'unknown' };
  }
}

/** The pair in a successful answer to a refresh grant, or undefined if one of the two is missing. */
export function readRefreshed(
  answer: RawAnswer,
): { refreshToken: string; expiresInSeconds: number } | undefined {
  const body = parseJsonObject(answer.body);
  if (typeof body?.access_token !== 'string' || typeof body.refresh_token !== 'string') return undefined;
  if (body.access_token === '' || body.refresh_token === '') return undefined;
  return { refreshToken: body.refresh_token, expiresInSeconds: readLife(body.expires_in) };
}

function clientOf({ clientId, receivedAtMs }: CodeGrantAnswer): oauth.Client {
  return {
    client_id: clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    // The library reads the clock itself: this turns it back to when the answer came.
    [oauth.clockSkew]: Math.floor(receivedAtMs / 1000) - Math.floor(Date.now() / 1000),
  };
}

/** The signature's check is a call of its own. An unknown key id may be a new key: the set is asked for again. */
async function checkSignature(keySet: KeySet, store: StoreRecord, response: Response): Promise<void> {
  try {
    return await validate(await keySet.get(store), store, response);
  } catch (error) {
    const isUnknownKey =
      error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isUnknownKey) throw error;
  }
  const reloaded = await keySet.reload(store);
  if (reloaded !== undefined) return validate(reloaded, store, response);
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: 'the id_token is signed with a key that the key set does not have yet',
    retryAfterSeconds: 10,
  });
}

function validate(jwks: oauth.JWKS, { signIn }: StoreRecord, response: Response): Promise<void> {
  return oauth.validateApplicationLevelSignature(toAuthorizationServer(signIn), response, {
    [oauth.jwksCache]: { jwks, uat: Math.floor(Date.now() / 1000) },
    [oauth.customFetch]: () => Promise.reject(new Error('the key set is given')),
  });
}

function toTokens(grant: oauth.TokenEndpointResponse): PlatformTokens {
  return {
    accessToken: grant.access_token,
    refreshToken: grant.refresh_token,
    idToken: grant.id_token ?? '',
    expiresInSeconds: readLife(grant.expires_in),
  };
}

function readLife(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : USUAL_LIFE_SECONDS;
}
