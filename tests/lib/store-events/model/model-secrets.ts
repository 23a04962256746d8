/** An endpoint's secrets as its owner knows them: which of them has to sign now, and which must not any more. */
import { Webhook } from 'standardwebhooks';

type Secret = { readonly secret: string; readonly sinceMs: number; untilMs: number };
type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const DAY_MS = 86_400_000;
/** A change of secrets counts for what is sent so much later. */
const SOON_MS = 2_000;

export function createModelSecrets(now: () => number) {
  const byUrl = new Map<string, Secret[]>();
  return {
    /** The one before signs for a day more, and older ones no more. */
    add(url: string, secret: string): void {
      const [newest, ...others] = byUrl.get(url) ?? [];
      for (const one of others) one.untilMs = Math.min(one.untilMs, now());
      if (newest) newest.untilMs = now() + DAY_MS;
      const known = newest ? [newest, ...others] : [];
      byUrl.set(url, [{ secret, sinceMs: now(), untilMs: Infinity }, ...known]);
    },
    /** Returns the faults of a request's signatures. */
    wrongOf(url: string, sent: Sent): string[] {
      const secrets = byUrl.get(url) ?? [];
      return secrets.flatMap((one, age) => {
        const isSigned = isSignedWith(one.secret, sent, now);
        const mustSign = one.sinceMs + SOON_MS <= now() && now() + SOON_MS < one.untilMs;
        const mustNot = one.untilMs + SOON_MS <= now();
        if (mustSign && !isSigned) return [`${url}: what was sent is not signed with its secret ${age}`];
        return mustNot && isSigned ? [`${url}: what was sent is signed with its old secret ${age}`] : [];
      });
    },
  };
}

/** The package reads the real clock. */
function isSignedWith(secret: string, { headers, body }: Sent, now: () => number): boolean {
  const { now: realNow } = Date;
  Date.now = now;
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  } finally {
    Date.now = realNow;
  }
}
