/** The pair of tokens: kept in secure storage, refreshed before it ends, one refresh at a time. */
import { callService, hasCode, ServiceError } from './call-service.ts';
import { type Device, readStored } from './device.ts';

/** Refreshed this long before the service would refuse the token. */
const MARGIN_MS = 2 * 60_000;
/** The service gives a token at least 10 minutes, so a device whose clock is wrong does not refresh all the time. */
const LEAST_LIFE_MS = 5 * 60_000;

/** What exchange and refresh answer. */
export type Pair = { accessToken: string; refreshToken: string; customerId: number; expiresAt: string };
export type Session = Pair & { receivedAtMs: number };

export async function storeSession({ storage, now }: Device, pair: Pair): Promise<Session> {
  const session = { ...pair, receivedAtMs: now() };
  await storage.write('session', JSON.stringify(session));
  return session;
}

/** A token that is still good. Throws SIGNED_OUT when the sign-in is over, and only then. */
export function freshAccessToken(device: Device, refused?: string): Promise<string> {
  return device.inTurn(async () => {
    // Read in turn, just before it is used: whoever came before may have stored a newer pair.
    const session = await readStored<Session>(device, 'session');
    if (session === null) throw new ServiceError('SIGNED_OUT');
    return isYoung(session, device.now()) && session.accessToken !== refused
      ? session.accessToken
      : await refresh(device, session);
  });
}

function isYoung({ expiresAt, receivedAtMs }: Session, nowMs: number): boolean {
  return nowMs < Date.parse(expiresAt) - MARGIN_MS || nowMs - receivedAtMs < LEAST_LIFE_MS;
}

async function refresh(device: Device, { customerId, refreshToken }: Session): Promise<string> {
  try {
    const body = { shop: device.shop, customerId, refreshToken };
    const pair = await callService(device, { path: '/headless-auth/refresh', body });
    // Stored before its first use.
    return (await storeSession(device, pair)).accessToken;
  } catch (error) {
    // Only these two end a sign-in; whatever else happens, the pair is kept and tried again.
    if (!hasCode(error, 'INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND')) throw error;
    await device.storage.remove('session');
    throw new ServiceError('SIGNED_OUT');
  }
}
