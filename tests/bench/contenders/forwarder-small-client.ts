/** The bare forwarder, with the read of the session by our client. */
import { forward } from './forwarder.ts';
import { readSessionSmall } from './read-session-small.ts';

export async function handler(event: { readonly body: string }) {
  await readSessionSmall();
  return forward(event);
}
