/**
 * Sign-out. It survives a lost connection: the session ends immediately on the device, and the service receives the
 * sign-out as soon as it is reachable.
 */
import { isFinal } from '../errors/service-error.ts';
import { sendSignInWithRetries } from './ask-sign-in.ts';
import { type SessionDeps, toSession } from './parts.ts';
import type { Records, StoredSignOut } from './records.ts';
import { shareConcurrentRuns } from './share-runs.ts';

/** The maximum number of sign-outs that wait for a connection; older ones are dropped. */
const MAX_STORED_SIGN_OUTS = 5;

/**
 * Signs out.
 * @throws STORAGE when the tokens could not be deleted; then the session is unchanged.
 */
export async function signOut(parts: SessionDeps): Promise<void> {
  const unqueuedSignOut = await parts.withRecords(async (records) => {
    const storedSession = await records.session();
    // A full storage must not prevent the sign-out. Without a queued record, the service receives it now or never.
    const isSignOutStored = await storeSignOut(records, storedSession).catch(() => false);
    await records.write('signIns', []);
    await records.write('session', null);
    parts.announce(toSession(null));
    return isSignOutStored ? null : storedSession;
  });
  if (unqueuedSignOut !== null) void sendSignOut(parts, unqueuedSignOut);
}

/** Queues a sign-out for the service. */
export async function storeSignOut(records: Records, endedSession: StoredSignOut | null): Promise<boolean> {
  if (endedSession !== null)
    await records.write(
      'signOuts',
      [toSignOut(endedSession), ...(await records.read('signOuts'))].slice(0, MAX_STORED_SIGN_OUTS),
    );
  return true;
}

function toSignOut({ customerId, refreshToken }: StoredSignOut): StoredSignOut {
  return { customerId, refreshToken };
}

/**
 * Creates the function that sends all queued sign-outs to the service. The next run retries transient errors.
 * @throws STORAGE when the storage fails.
 */
export function createSignOutSender(parts: SessionDeps): () => Promise<void> {
  const sendAll = shareConcurrentRuns(() => sendAllSignOuts(parts));
  return () => sendAll(undefined);
}

async function sendAllSignOuts(parts: SessionDeps): Promise<void> {
  for (const signOut of await parts.withRecords((records) => records.read('signOuts'))) {
    if (!(await sendSignOut(parts, signOut))) continue;
    await parts.withRecords(async (records) => {
      const signOuts = await records.read('signOuts');
      await records.write(
        'signOuts',
        signOuts.filter(({ refreshToken }) => refreshToken !== signOut.refreshToken),
      );
    });
  }
}

function sendSignOut(parts: SessionDeps, signOut: StoredSignOut): Promise<boolean> {
  return sendSignInWithRetries(parts, { step: 'revoke', fields: toSignOut(signOut) }, () => true).catch(
    isFinal,
  );
}
