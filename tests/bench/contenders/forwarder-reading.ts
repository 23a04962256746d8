/** The bare forwarder with the read of the session: the minimum of a server that checks sessions. */
import { forward } from './forwarder.ts';
import { readSession } from './read-session.ts';

export async function handler(event: { readonly body: string }) {
  await readSession();
  return forward(event);
}
