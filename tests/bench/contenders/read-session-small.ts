/**
 * The same read of session and store with our own DynamoDB client, so that contenders differ only in their GraphQL
 * server.
 */
import { composeStorage } from '../../../functions/compose/compose-storage.ts';
import { readEnvironment } from '../../../lib/config/environment.ts';
import { createSessionRepository } from '../../../lib/storage/sessions/sessions.ts';
import { session } from '../fixtures.ts';

const sessions = createSessionRepository(composeStorage(readEnvironment(), () => undefined));

/** Reads session and store in one request. Throws an error if the session is not there or not active. */
export async function readSessionSmall(): Promise<void> {
  const found = await sessions.findWithStore(session as never);
  if (found.session?.status !== 'active') throw new Error('The session is not there.');
}
