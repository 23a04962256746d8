/** Sign-out, which a lost connection does not undo. */
import { callService, isPassing, keepTrying } from './call-service.ts';
import { type Device, readStored } from './device.ts';
import type { Session } from './session.ts';

/** The customer is signed out at once; the service is told as soon as it can be reached. */
export async function signOut(device: Device): Promise<void> {
  const { shop, storage } = device;
  // In turn: the token that is revoked is the newest one.
  await device.inTurn(async () => {
    const session = await readStored<Session>(device, 'session');
    if (session === null) return;
    const { customerId, refreshToken } = session;
    await storage.write('pending-revocation', JSON.stringify({ shop, customerId, refreshToken }));
    await storage.remove('session');
  });
  await finishRevocation(device);
}

/** Call it at every start of the app, too. */
export async function finishRevocation(device: Device): Promise<void> {
  const body = await readStored(device, 'pending-revocation');
  if (body === null) return;
  const revoke = () => callService(device, { method: 'DELETE', path: '/headless-auth/revoke', body });
  try {
    await keepTrying(device, revoke);
  } catch (error) {
    if (isPassing(error)) return;
  }
  await device.storage.remove('pending-revocation');
}
