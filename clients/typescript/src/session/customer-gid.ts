/** The global id of the signed-in customer. */
import { ServiceError } from '../errors/service-error.ts';
import type { Session } from './session.ts';

/**
 * Returns the customer's global id.
 * @throws SIGNED_OUT when there is no session.
 */
export async function customerGid({ session }: { session(): Promise<Session> }): Promise<string> {
  const currentSession = await session();
  if (currentSession.status !== 'signedIn') throw new ServiceError('SIGNED_OUT');
  return `gid://platform/Customer/${currentSession.customerId}`;
}
