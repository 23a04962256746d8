/** The token pair that exchange and refresh return, and the use of its access token. */

import { notServiceResponseError, type ServiceResponse } from '../request/call-service.ts';
import type { StoredSession } from './records.ts';

/** The service's limits for the lifetime of an access token: 10 minutes and an hour. */
const MIN_TOKEN_LIFETIME_MS = 10 * 60_000;
const MAX_TOKEN_LIFETIME_MS = 60 * 60_000;
/** The client replaces a token this long before it expires. */
const EXPIRY_MARGIN_MS = 2 * 60_000;

type TokenPairContext = { readonly state: string; readonly nowMs: number };

/**
 * Converts a response to the stored session. The lifetime follows the service's clock if the device can read it from
 * the response, else the device's clock, within the service's limits.
 * @throws NETWORK for a response without a token pair.
 */
export function toStoredSession(
  { json, servedAtMs }: ServiceResponse,
  { state, nowMs }: TokenPairContext,
): StoredSession {
  const { accessToken, refreshToken, customerId, expiresAt } = json as Partial<StoredSession> & {
    readonly expiresAt?: string;
  };
  const expiresAtMs = Date.parse(expiresAt ?? '');
  if (!accessToken || !refreshToken || !customerId || !expiresAtMs) throw notServiceResponseError();
  const lifetimeMs = Math.min(
    Math.max(expiresAtMs - (servedAtMs ?? nowMs), MIN_TOKEN_LIFETIME_MS),
    MAX_TOKEN_LIFETIME_MS,
  );
  return { accessToken, refreshToken, customerId, receivedAtMs: nowMs, lifeMs: lifetimeMs, state };
}

/**
 * Whether the token can be used without a refresh. If the device's clock was set back, the service's 401 triggers the
 * refresh.
 */
export function isAccessTokenUsable(
  { accessToken, receivedAtMs, lifeMs: lifetimeMs }: StoredSession,
  use: TokenUse,
): boolean {
  return accessToken !== use.refused && use.nowMs - receivedAtMs < lifetimeMs - EXPIRY_MARGIN_MS;
}

/** `refused`: the access token that the service has just refused. */
type TokenUse = { readonly nowMs: number; readonly refused: string | undefined };
