/**
 * Claims a sign-in for one code, so that of any number of exchanges one does the work. The claim is a lease:
 * whoever dies with it is followed by the next that brings the same code.
 */
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Claim, HeldSignIn, SessionSeed, SignInRecord } from '../../storage/sessions/sign-ins.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { signInUnfinished } from './sign-in-unfinished.ts';

/** A claimed sign-in. All work on it ends at the deadline, 3 s before the lease. */
export type Held = HeldSignIn & { readonly deadlineMs: number; readonly signIn: SignInRecord };
type Claimed =
  | { readonly kind: 'held'; readonly held: Held }
  | {
      readonly kind: 'done';
      readonly seed: SessionSeed;
      readonly doneAtMs: number;
      readonly startedAtMs: number;
    };

export type ClaimWish = {
  readonly nonceHash: NonceHash;
  readonly codeHash: string;
  /** Gets everything that must be at hand before a code may be spent. */
  readonly prepare: () => Promise<void>;
};

const LEASE_MS = 15_000;
const DEADLINE_MS = 12_000;
/** How long a customer may take from the start of a sign-in to its first exchange. */
const FIRST_CLAIM_MS = 15 * 60_000;
const POLL_MS = 200;
/** The waits take 2 s in all. */
const MAX_WAITS = 10;
const ATTEMPT_BYTES = 12;

/**
 * The claim, or what an earlier exchange of the same code has made. INVALID_NONCE: unknown, too old, or of
 * another code. SIGN_IN_REJECTED: it is dead. TEMPORARILY_UNAVAILABLE: another exchange is at work on it.
 */
export async function claimSignIn(deps: SignInDeps, wish: ClaimWish): Promise<Claimed> {
  const attempt = Buffer.from(deps.random(ATTEMPT_BYTES)).toString('base64url');
  let deadlineMs = 0;
  for (let waits = 0; ; waits++) {
    const signIn = requireClaimable(await deps.signIns.find(wish.nonceHash), wish, deps.now());
    // A write whose answer was lost was won all the same.
    if (signIn.attempt === attempt && isClaimed(signIn)) return held(wish, { attempt, deadlineMs, signIn });
    if (signIn.state === 'done' && signIn.seed !== undefined) {
      return {
        kind: 'done',
        seed: signIn.seed,
        doneAtMs: signIn.doneAtMs ?? 0,
        startedAtMs: signIn.startedAtMs,
      };
    }
    const leaseMs = isClaimed(signIn) ? (signIn.leaseUntilMs ?? 0) - deps.now() : -1;
    if (waits > MAX_WAITS) throw signInUnfinished('another exchange is at work on it', leaseMs);
    if (leaseMs >= 0) {
      await deps.sleep(POLL_MS);
      continue;
    }
    await wish.prepare();
    const nowMs = deps.now();
    deadlineMs = nowMs + DEADLINE_MS;
    const claim = { ...wish, attempt, nowMs, leaseUntilMs: nowMs + LEASE_MS };
    const written = await writeClaim(deps, signIn, claim);
    if (written !== undefined) return held(wish, { attempt, deadlineMs, signIn: written });
  }
}

function requireClaimable(
  signIn: SignInRecord | undefined,
  { codeHash }: ClaimWish,
  nowMs: number,
): SignInRecord {
  const isUnknown =
    signIn === undefined ||
    (signIn.state === 'pending' ? nowMs - signIn.startedAtMs > FIRST_CLAIM_MS : signIn.codeHash !== codeHash);
  const isForgotten = signIn?.state === 'done' && signIn.seed === undefined;
  if (isUnknown || isForgotten) throw new ServiceError('INVALID_NONCE');
  if (signIn.state === 'dead') throw new ServiceError('SIGN_IN_REJECTED');
  return signIn;
}

function isClaimed({ state }: SignInRecord): boolean {
  return state === 'busy' || state === 'granted';
}

/** The item after the claim; undefined if the claim was lost or nobody knows: the re-read tells. */
async function writeClaim(
  { signIns }: SignInDeps,
  signIn: SignInRecord,
  claim: Claim,
): Promise<SignInRecord | undefined> {
  const written =
    signIn.state === 'granted'
      ? await signIns.reclaimGranted(claim)
      : await signIns.claim(claim, claim.nowMs - FIRST_CLAIM_MS);
  return written.outcome === 'done' ? written.signIn : undefined;
}

function held({ nonceHash }: ClaimWish, claim: Omit<Held, 'nonceHash'>): Claimed {
  return { kind: 'held', held: { nonceHash, ...claim } };
}
