/**
 * Exchanges a sign-in's code for its tokens: sends the same request until the service responds, also after a restart of
 * the app.
 */

import { isFinal, ServiceError } from '../errors/service-error.ts';
import type { Records, StoredSession, StoredSignIn } from './records.ts';
import { sendSignInWithRetries } from './send-sign-in.ts';
import type { Session } from './session.ts';
import { type SessionDeps, toSession } from './session-deps.ts';
import { shareConcurrentRuns } from './share-concurrent-runs.ts';
import { storeSignOut } from './sign-out.ts';
import { toStoredSession } from './token-pair.ts';

export type ExchangeSignIn = (signIn: StoredSignIn) => Promise<Session>;

/** An address can arrive twice at the same time. Both calls share one exchange. */
export function createExchange(deps: SessionDeps): ExchangeSignIn {
  return shareConcurrentRuns(
    (signIn) => exchangeCode(deps, signIn),
    ({ state }) => state,
  );
}

/** Returns the newest sign-in whose code awaits a response. Skips one that has already become the stored session. */
export async function findNewestWaitingSignIn({
  withRecords,
}: SessionDeps): Promise<StoredSignIn | undefined> {
  return withRecords(async (records) => {
    const storedSession = await records.session();
    return (await records.read('signIns')).find(({ code, state }) => code && state !== storedSession?.state);
  });
}

async function exchangeCode(deps: SessionDeps, signIn: StoredSignIn): Promise<Session> {
  const { state, code, verifier, nonce } = signIn;
  try {
    const exchangedSession = await sendSignInWithRetries(
      deps,
      { step: 'exchange', fields: { code, verifier, nonce } },
      (response) => toStoredSession(response, { state, nowMs: deps.environment.now() }),
    );
    return await saveExchangedSession(deps, { signIn, next: exchangedSession });
  } catch (error) {
    if (isFinal(error)) await deps.withRecords((records) => deleteSignIns(records, signIn));
    throw error;
  }
}

type ExchangedSignIn = { readonly signIn: StoredSignIn; readonly next: StoredSession };

function saveExchangedSession(
  { withRecords, announce }: SessionDeps,
  { signIn, next: exchangedSession }: ExchangedSignIn,
): Promise<Session> {
  return withRecords(async (records) => {
    let storedSession = await records.session();
    if (storedSession?.state !== signIn.state) {
      const isSignInOpen = (await records.read('signIns')).some(({ state }) => state === signIn.state);
      if (!isSignInOpen) {
        // A concurrent sign-out wins, and so does a sign-in that started later.
        await storeSignOut(records, exchangedSession);
        if (storedSession === null) throw new ServiceError('SIGNED_OUT');
        return toSession(storedSession);
      }
      storedSession = exchangedSession;
      await records.write('session', storedSession);
    }
    const session = toSession(storedSession);
    announce(session);
    // If this fails, `findNewestWaitingSignIn` detects the completed sign-in. A sign-in that started earlier must not replace
    // this one later.
    await deleteSignIns(records, signIn, signIn.startedAtMs).catch(() => undefined);
    return session;
  });
}

/** Deletes the sign-in, and all that started until `upToMs`, in epoch milliseconds. */
async function deleteSignIns(records: Records, { state }: StoredSignIn, upToMs = 0): Promise<void> {
  const signIns = await records.read('signIns');
  await records.write(
    'signIns',
    signIns.filter((signIn) => signIn.state !== state && signIn.startedAtMs > upToMs),
  );
}
