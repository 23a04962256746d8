/** Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it. */
import { isFinal } from '../request/is-transient.ts';
import { askOften } from './ask-sign-in.ts';
import { type SessionParts, sessionOf } from './parts.ts';
import type { Records, StoredSignOut } from './records.ts';
import { shareRuns } from './share-runs.ts';

/** Who signs out more often than this without a connection is not waited for longer. */
const MAX_STORED = 5;

/** Throws STORAGE where the tokens could not be taken out: then nobody is signed out. */
export async function signOut(parts: SessionParts): Promise<void> {
  const pendingSignOuts = await parts.inTurn(async (records) => {
    const stored = await records.session();
    // A full storage keeps nobody signed in: then the service is told now or never.
    const isStored = await keepSignOut(records, stored).catch(() => false);
    await records.write('signIns', []);
    await records.write('session', null);
    parts.announce(sessionOf(null));
    return isStored ? null : stored;
  });
  if (pendingSignOuts !== null) void isReceived(parts, pendingSignOuts);
}

/** Has the service told that this sign-in is over, as soon as it can be reached. */
export async function keepSignOut(records: Records, ended: StoredSignOut | null): Promise<boolean> {
  if (ended !== null)
    await records.write(
      'signOuts',
      [toSignOut(ended), ...(await records.read('signOuts'))].slice(0, MAX_STORED),
    );
  return true;
}

function toSignOut({ customerId, refreshToken }: StoredSignOut): StoredSignOut {
  return { customerId, refreshToken };
}

/** Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time. */
export function createSignOutSender(parts: SessionParts): () => Promise<void> {
  const sendAll = shareRuns(() => sendAllSignOuts(parts));
  return () => sendAll(undefined);
}

async function sendAllSignOuts(parts: SessionParts): Promise<void> {
  for (const signOut of await parts.inTurn((records) => records.read('signOuts'))) {
    if (!(await isReceived(parts, signOut))) continue;
    await parts.inTurn(async (records) => {
      const all = await records.read('signOuts');
      await records.write(
        'signOuts',
        all.filter(({ refreshToken }) => refreshToken !== signOut.refreshToken),
      );
    });
  }
}

function isReceived(parts: SessionParts, signOut: StoredSignOut): Promise<boolean> {
  return askOften(parts, { step: 'revoke', fields: toSignOut(signOut) }, () => true).catch(isFinal);
}
