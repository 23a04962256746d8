/**
 * Claims a sign-in for an authorization code, so that only one of several concurrent exchanges does the work. The claim
 * is a lease: after a crash, the next exchange with the same code takes over.
 */
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type {
  LeasedSignIn,
  SessionSeed,
  SignInClaim,
  SignInRecord,
} from '../../storage/sessions/sign-ins.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { signInUnfinishedError } from './sign-in-unfinished.ts';

/** A claimed sign-in. All work must end at `deadlineMs`, 3 s before the lease does. */
export type ClaimedSignIn = LeasedSignIn & { readonly deadlineMs: number; readonly signIn: SignInRecord };
type ClaimResult =
  | { readonly kind: 'held'; readonly leased: ClaimedSignIn }
  | {
      readonly kind: 'done';
      readonly seed: SessionSeed;
      readonly doneAtMs: number;
      readonly startedAtMs: number;
    };

export type ClaimRequest = {
  readonly nonceHash: NonceHash;
  readonly codeHash: string;
  /** Checks the stored sign-in. Throws when the store does not accept it any more. */
  readonly check: (signIn: SignInRecord) => void;
  /** Loads everything that must be available before the code may be used up. */
  readonly prepare: () => Promise<void>;
};

const LEASE_MS = 15_000;
const WORK_DEADLINE_MS = 12_000;
/** The maximum time between the start of a sign-in and the first exchange. */
const MAX_FIRST_CLAIM_AGE_MS = 15 * 60_000;
const POLL_MS = 200;
/** How often an exchange waits for a concurrent one: 2 s in total. */
const MAX_POLLS = 10;
const ATTEMPT_ID_BYTES = 12;

/**
 * Returns the claim, or the result if an earlier exchange of this code was completed.
 * @throws INVALID_NONCE when the sign-in is unknown, too old, or claimed with another code
 * @throws SIGN_IN_REJECTED when the sign-in has failed for good
 * @throws TEMPORARILY_UNAVAILABLE when another exchange still has the lease after 2 s
 */
export async function claimSignIn(deps: SignInDeps, claimRequest: ClaimRequest): Promise<ClaimResult> {
  const attempt = Buffer.from(deps.random(ATTEMPT_ID_BYTES)).toString('base64url');
  let deadlineMs = 0;
  for (let waits = 0; ; waits++) {
    const signIn = requireClaimable(
      await deps.signIns.find(claimRequest.nonceHash),
      claimRequest,
      deps.now(),
    );
    claimRequest.check(signIn);
    // The write of the claim may have succeeded although its response was lost.
    if (signIn.attempt === attempt && isClaimed(signIn))
      return toLeasedClaim(claimRequest, { attempt, deadlineMs, signIn });
    if (signIn.state === 'done' && signIn.seed !== undefined) {
      return {
        kind: 'done',
        seed: signIn.seed,
        doneAtMs: signIn.doneAtMs ?? 0,
        startedAtMs: signIn.startedAtMs,
      };
    }
    const leaseMs = isClaimed(signIn) ? (signIn.leaseUntilMs ?? 0) - deps.now() : -1;
    if (waits > MAX_POLLS) throw signInUnfinishedError('another exchange is at work on it', leaseMs);
    if (leaseMs >= 0) {
      await deps.sleep(POLL_MS);
      continue;
    }
    await claimRequest.prepare();
    const nowMs = deps.now();
    deadlineMs = nowMs + WORK_DEADLINE_MS;
    const claim = { ...claimRequest, attempt, nowMs, leaseUntilMs: nowMs + LEASE_MS };
    const written = await writeClaim(deps, signIn, claim);
    if (written !== undefined) return toLeasedClaim(claimRequest, { attempt, deadlineMs, signIn: written });
  }
}

function requireClaimable(
  signIn: SignInRecord | undefined,
  { codeHash }: ClaimRequest,
  nowMs: number,
): SignInRecord {
  const isUnknown =
    signIn === undefined ||
    (signIn.state === 'pending'
      ? nowMs - signIn.startedAtMs > MAX_FIRST_CLAIM_AGE_MS
      : signIn.codeHash !== codeHash);
  const isForgotten = signIn?.state === 'done' && signIn.seed === undefined;
  if (isUnknown || isForgotten) throw new ServiceError('INVALID_NONCE');
  if (signIn.state === 'dead') throw new ServiceError('SIGN_IN_REJECTED');
  return signIn;
}

function isClaimed({ state }: SignInRecord): boolean {
  return state === 'busy' || state === 'granted';
}

/**
 * Writes the claim and returns the claimed sign-in.
 * @returns undefined when another exchange was first or the outcome is unknown, so that the sign-in must be read again
 */
async function writeClaim(
  { signIns }: SignInDeps,
  signIn: SignInRecord,
  claim: SignInClaim,
): Promise<SignInRecord | undefined> {
  const written =
    signIn.state === 'granted'
      ? await signIns.reclaimGranted(claim)
      : await signIns.claim(claim, claim.nowMs - MAX_FIRST_CLAIM_AGE_MS);
  return written.outcome === 'done' ? written.signIn : undefined;
}

function toLeasedClaim({ nonceHash }: ClaimRequest, claim: Omit<ClaimedSignIn, 'nonceHash'>): ClaimResult {
  return { kind: 'held', leased: { nonceHash, ...claim } };
}
