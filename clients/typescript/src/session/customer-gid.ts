/** The signed-in customer as GraphQL names people. */
import { ServiceError } from '../errors/service-error.ts';
import type { Session } from './session.ts';

/** Throws SIGNED_OUT if nobody is signed in. */
export async function customerGid({ session }: { session(): Promise<Session> }): Promise<string> {
  const current = await session();
  if (current.status !== 'signedIn') throw new ServiceError('SIGNED_OUT');
  return `gid://platform/Customer/${current.customerId}`;
}
