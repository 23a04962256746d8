/** The bare forwarder, with the read of the session: the least that a server of ours could do. */
import { forward } from './forwarder.ts';
import { readSession } from './read-session.ts';

export async function handler(event: { readonly body: string }) {
  await readSession();
  return forward(event);
}
