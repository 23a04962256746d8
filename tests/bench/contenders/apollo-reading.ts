/** Apollo Server in its default configuration, with the read of the session. */
import { createApolloHandler } from './apollo-handler.ts';
import { readSession } from './read-session.ts';

const answer = createApolloHandler();

export async function handler(...call: Parameters<typeof answer>) {
  await readSession();
  return answer(...call);
}
