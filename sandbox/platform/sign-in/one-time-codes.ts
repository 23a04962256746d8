/** The codes sent by e-mail: one for each sign-in in progress. */
import { randomInt } from 'node:crypto';
import { formatIsoInstant } from '../state/instant.ts';
import type { MailRecord } from '../state/state.ts';

const MAX_CODE_ATTEMPTS = 5;
const MAX_STORED_MAILS = 200;

export type OneTimeCode = {
  readonly email: string;
  readonly code: string;
  readonly triesLeft: number;
  readonly sentAtMs: number;
  /** When the code expires, in epoch seconds. */
  readonly exp: number;
};

/** The codes by the sign-in's uid. */
export type OneTimeCodes = Map<string, OneTimeCode>;

export type CodeDeps = {
  readonly codes: OneTimeCodes;
  readonly storeName: string;
  readonly mails: MailRecord[];
  readonly announce: (line: string) => void;
  readonly nowMs: () => number;
  readonly lifetimeSeconds: number;
};

/** Sends a new code for the sign-in `uid`, which invalidates the earlier one. */
export function sendOneTimeCode(deps: CodeDeps, uid: string, email: string): void {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const sentAtMs = deps.nowMs();
  const expiresAtSeconds = Math.floor(sentAtMs / 1000) + deps.lifetimeSeconds;
  for (const [oldUid, oldCode] of deps.codes) if (oldCode.exp * 1000 <= sentAtMs) deps.codes.delete(oldUid);
  deps.codes.set(uid, { email, code, triesLeft: MAX_CODE_ATTEMPTS, sentAtMs, exp: expiresAtSeconds });
  deps.mails.push({
    at: formatIsoInstant(sentAtMs),
    to: email,
    subject: `${code} is your sign-in code for ${deps.storeName}`,
    text: `Your sign-in code for ${deps.storeName} is ${code}. It is good for ${Math.ceil(deps.lifetimeSeconds / 60)} minutes. If you did not ask for it, there is nothing to do.`,
  });
  if (deps.mails.length > MAX_STORED_MAILS) deps.mails.shift();
  deps.announce(`Sign-in code for ${email} at ${deps.storeName}: ${code}`);
}

/**
 * Checks the entered code, and counts a wrong one.
 * @returns `void` when the code has expired or too many wrong codes were entered
 */
export function checkOneTimeCode(
  codes: OneTimeCodes,
  uid: string,
  { entered, nowMs }: { readonly entered: string; readonly nowMs: number },
): 'right' | 'wrong' | 'void' {
  const storedCode = codes.get(uid);
  if (storedCode === undefined || storedCode.triesLeft === 0 || storedCode.exp * 1000 <= nowMs) return 'void';
  if (storedCode.code === entered) return 'right';
  const triesLeft = storedCode.triesLeft - 1;
  codes.set(uid, { ...storedCode, triesLeft });
  return triesLeft === 0 ? 'void' : 'wrong';
}

/** Returns the newest code for an e-mail address in any of the stores. */
export function findNewestCode(
  codesOfStores: readonly OneTimeCodes[],
  { email, nowMs }: { readonly email: string; readonly nowMs: number },
): string | undefined {
  const waitingCodes = codesOfStores
    .flatMap((codes) => [...codes.values()])
    .filter((code) => code.email === email && code.exp * 1000 > nowMs && code.triesLeft > 0);
  return waitingCodes.reduce<OneTimeCode | undefined>(
    (newest, code) => (newest === undefined || code.sentAtMs >= newest.sentAtMs ? code : newest),
    undefined,
  )?.code;
}
