/**
 * Sign-out: the tokens are cleared here at once, and the service is told until it has heard it, so that a
 * lost connection neither keeps anybody signed in nor leaves a session behind.
 */
import { callService } from '../service/call-service.js';
import { keepTrying } from '../service/keep-trying.js';
import { ServiceError } from '../service/service-error.js';
import { clearSession, readPendingRevocation, readSession, storePendingRevocation } from './session-store.js';

export async function signOut() {
  // Under the lock of the refresh: the token revoked is the newest one.
  await navigator.locks.request('session', async () => {
    const session = readSession();
    if (session === undefined) return;
    const { shop, customerId, refreshToken } = session;
    storePendingRevocation({ shop, customerId, refreshToken });
    clearSession();
  });
  // Nobody waits for it: the customer is signed out already.
  void finishRevocation();
}

/** Tells the service about a sign-out it may not have heard of. Never throws: the next start tries again. */
export async function finishRevocation() {
  const pending = readPendingRevocation();
  if (pending === undefined) return;
  try {
    await keepTrying(() => callService({ method: 'DELETE', path: '/headless-auth/revoke', body: pending }));
  } catch (error) {
    if (error instanceof ServiceError && error.transient) return;
  }
  storePendingRevocation(undefined);
}
