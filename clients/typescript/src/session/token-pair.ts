/** The pair of tokens that exchange and refresh answer, and how long its access token is used. */

import { type Answer, notOfTheService } from '../request/call-service.ts';
import type { StoredSession } from './records.ts';

/** The service gives an access token at least 10 minutes, and at most an hour. */
const MIN_LIFETIME_MS = 10 * 60_000;
const MAX_LIFETIME_MS = 60 * 60_000;
/** It is replaced this long before the service would refuse it. */
const MARGIN_MS = 2 * 60_000;

type Received = { readonly state: string; readonly nowMs: number };

/**
 * What is stored of an answer. Its life is told by the service's clock where the device shows it, else by the device's own,
 * and never believed to be longer or shorter than the service makes it. Throws NETWORK for what is no pair.
 */
export function toStoredSession({ json, servedAtMs }: Answer, { state, nowMs }: Received): StoredSession {
  const { accessToken, refreshToken, customerId, expiresAt } = json as Partial<StoredSession> & {
    readonly expiresAt?: string;
  };
  const expiresAtMs = Date.parse(expiresAt ?? '');
  if (!accessToken || !refreshToken || !customerId || !expiresAtMs) throw notOfTheService();
  const lifetimeMs = Math.min(
    Math.max(expiresAtMs - (servedAtMs ?? nowMs), MIN_LIFETIME_MS),
    MAX_LIFETIME_MS,
  );
  return { accessToken, refreshToken, customerId, receivedAtMs: nowMs, lifeMs: lifetimeMs, state };
}

/** Whether the token is used without asking for another. A clock that was put back since is mended by the service's 401. */
export function isGood({ accessToken, receivedAtMs, lifeMs: lifetimeMs }: StoredSession, use: Use): boolean {
  return accessToken !== use.refused && use.nowMs - receivedAtMs < lifetimeMs - MARGIN_MS;
}

/** `refused`: the access token that the service has just refused. */
type Use = { readonly nowMs: number; readonly refused: string | undefined };
