/** Apollo Server in its default configuration, with the read of the session by the service's client. */
import { createApolloHandler } from './apollo-handler.ts';
import { readSessionSmall } from './read-session-small.ts';

const answer = createApolloHandler();

export async function handler(...call: Parameters<typeof answer>) {
  await readSessionSmall();
  return answer(...call);
}
