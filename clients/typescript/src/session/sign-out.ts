/** Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it. */
import { callService } from '../request/call-service.ts';
import { isFinal } from '../request/can-repeat.ts';
import { keepTrying } from '../request/keep-trying.ts';
import { type SessionParts, sessionOf } from './parts.ts';
import type { Records, StoredSignOut } from './records.ts';

/** Who signs out more often than this without a connection is not waited for longer. */
const MOST_KEPT = 5;

/** Throws STORAGE where the tokens could not be taken out: then nobody is signed out. */
export async function signOut(parts: SessionParts): Promise<void> {
  const { inTurn, announce } = parts;
  const untold = await inTurn(async (records) => {
    const held = await records.read('session');
    // A full storage keeps nobody signed in: then the service is told now or never.
    const isKept = await keepSignOut(records, held).catch(() => false);
    await records.write('signIns', null);
    await records.write('session', null);
    announce(sessionOf(null));
    return isKept ? null : held;
  });
  if (untold !== null) void isHeard(parts, untold);
}

/** Has the service told that this sign-in is over, as soon as it can be reached. */
export async function keepSignOut(records: Records, ended: StoredSignOut | null): Promise<boolean> {
  if (ended === null) return true;
  const { customerId, refreshToken } = ended;
  const others = (await records.read('signOuts')) ?? [];
  await records.write('signOuts', [{ customerId, refreshToken }, ...others].slice(0, MOST_KEPT));
  return true;
}

/** Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time. */
export function createTellSignOuts(parts: SessionParts): () => Promise<void> {
  let telling: Promise<void> | undefined;
  return () => {
    telling ??= tellAll(parts).finally(() => {
      telling = undefined;
    });
    return telling;
  };
}

async function tellAll(parts: SessionParts): Promise<void> {
  const waiting = (await parts.inTurn((records) => records.read('signOuts'))) ?? [];
  for (const signOut of waiting) {
    if (!(await isHeard(parts, signOut))) continue;
    await parts.inTurn(async (records) => {
      const left = ((await records.read('signOuts')) ?? []).filter(
        ({ refreshToken }) => refreshToken !== signOut.refreshToken,
      );
      await records.write('signOuts', left.length === 0 ? null : left);
    });
  }
}

async function isHeard(parts: SessionParts, { customerId, refreshToken }: StoredSignOut): Promise<boolean> {
  const body = { shop: parts.shop, customerId, refreshToken };
  const revoke = { method: 'DELETE', path: '/headless-auth/revoke', body } as const;
  try {
    await keepTrying(parts, { run: (leftMs) => callService(parts, { ...revoke, leftMs: leftMs() }) });
    return true;
  } catch (error) {
    return isFinal(error);
  }
}
