/**
 * Sign-out. It survives a lost connection: the session ends immediately on the device, and the service receives the
 * sign-out as soon as it is reachable.
 */
import { isFinal } from '../errors/service-error.ts';
import type { Records, StoredSignOut } from './records.ts';
import { sendSignInWithRetries } from './send-sign-in.ts';
import { type SessionDeps, toSession } from './session-deps.ts';
import { shareConcurrentRuns } from './share-concurrent-runs.ts';

/** The maximum number of sign-outs that wait for a connection; older ones are dropped. */
const MAX_STORED_SIGN_OUTS = 5;

/**
 * Signs out.
 * @throws STORAGE when the tokens could not be deleted; then the session is unchanged.
 */
export async function signOut(deps: SessionDeps): Promise<void> {
  const unqueuedSignOut = await deps.withRecords(async (records) => {
    const storedSession = await records.session();
    // A full storage must not prevent the sign-out. Without a queued record, the service receives it now or never.
    const isSignOutStored = await storeSignOut(records, storedSession).catch(() => false);
    await records.write('signIns', []);
    await records.write('session', null);
    deps.announce(toSession(null));
    return isSignOutStored ? null : storedSession;
  });
  if (unqueuedSignOut !== null) void sendSignOut(deps, unqueuedSignOut);
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
export function createSignOutSender(deps: SessionDeps): () => Promise<void> {
  const sendAll = shareConcurrentRuns(() => sendAllSignOuts(deps));
  return () => sendAll(undefined);
}

async function sendAllSignOuts(deps: SessionDeps): Promise<void> {
  for (const signOut of await deps.withRecords((records) => records.read('signOuts'))) {
    if (!(await sendSignOut(deps, signOut))) continue;
    await deps.withRecords(async (records) => {
      const signOuts = await records.read('signOuts');
      await records.write(
        'signOuts',
        signOuts.filter(({ refreshToken }) => refreshToken !== signOut.refreshToken),
      );
    });
  }
}

function sendSignOut(deps: SessionDeps, signOut: StoredSignOut): Promise<boolean> {
  return sendSignInWithRetries(deps, { step: 'revoke', fields: toSignOut(signOut) }, () => true).catch(
    isFinal,
  );
}
