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
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

/** A claimed sign-in. All work must end at `deadlineAtMs` (epoch milliseconds), 3 s before the lease does. */
export type ClaimedSignIn = LeasedSignIn & { readonly deadlineAtMs: number; readonly signIn: SignInRecord };
type SignInClaimResult =
  | { readonly kind: 'held'; readonly claimedSignIn: ClaimedSignIn }
  | {
      readonly kind: 'done';
      readonly seed: SessionSeed;
      readonly doneAtMs: number;
      readonly startedAtMs: number;
    };

export type SignInClaimRequest = {
  readonly nonceHash: NonceHash;
  readonly codeHash: string;
  /** Checks the stored sign-in. Throws when the store does not accept it any more. */
  readonly checkSignIn: (signIn: SignInRecord) => void;
  /** Loads everything that must be available before the code may be used up. */
  readonly prepare: () => Promise<void>;
};

const SIGN_IN_LEASE_MS = 15_000;
const CLAIM_WORK_TIME_MS = 12_000;
/** The maximum time between the start of a sign-in and the first exchange. */
const MAX_FIRST_CLAIM_AGE_MS = 15 * 60_000;
const CLAIM_POLL_INTERVAL_MS = 200;
/** How often an exchange waits for a concurrent one: 2 s in total. */
const MAX_CLAIM_POLLS = 10;
const EXCHANGE_ATTEMPT_ID_BYTES = 12;

/**
 * Returns the claim, or the result if an earlier exchange of this code was completed.
 * @throws INVALID_NONCE when the sign-in is unknown, too old, or claimed with another code
 * @throws SIGN_IN_REJECTED when the sign-in has failed for good
 * @throws TEMPORARILY_UNAVAILABLE when another exchange still has the lease after 2 s
 */
export async function claimSignIn(
  deps: SignInDeps,
  claimRequest: SignInClaimRequest,
): Promise<SignInClaimResult> {
  const attemptId = Buffer.from(deps.random(EXCHANGE_ATTEMPT_ID_BYTES)).toString('base64url');
  let deadlineAtMs = 0;
  for (let waitCount = 0; ; waitCount++) {
    const signIn = requireClaimableSignIn(
      await deps.signIns.find(claimRequest.nonceHash),
      claimRequest,
      deps.now(),
    );
    claimRequest.checkSignIn(signIn);
    // The write of the claim may have succeeded although its response was lost.
    if (signIn.attempt === attemptId && isSignInClaimed(signIn))
      return toClaimedResult(claimRequest, { attempt: attemptId, deadlineAtMs, signIn });
    if (signIn.state === 'done' && signIn.seed !== undefined) {
      return {
        kind: 'done',
        seed: signIn.seed,
        doneAtMs: signIn.doneAtMs ?? 0,
        startedAtMs: signIn.startedAtMs,
      };
    }
    const remainingLeaseMs = isSignInClaimed(signIn) ? (signIn.leaseUntilMs ?? 0) - deps.now() : -1;
    if (waitCount > MAX_CLAIM_POLLS)
      throw signInUnfinishedError('another exchange is at work on it', remainingLeaseMs);
    if (remainingLeaseMs >= 0) {
      await deps.sleep(CLAIM_POLL_INTERVAL_MS);
      continue;
    }
    await claimRequest.prepare();
    const nowMs = deps.now();
    deadlineAtMs = nowMs + CLAIM_WORK_TIME_MS;
    const signInClaim = {
      ...claimRequest,
      attempt: attemptId,
      nowMs,
      leaseUntilMs: nowMs + SIGN_IN_LEASE_MS,
    };
    const claimedRecord = await writeSignInClaim(deps, signIn, signInClaim);
    if (claimedRecord !== undefined)
      return toClaimedResult(claimRequest, { attempt: attemptId, deadlineAtMs, signIn: claimedRecord });
  }
}

function requireClaimableSignIn(
  signIn: SignInRecord | undefined,
  { codeHash }: SignInClaimRequest,
  nowMs: number,
): SignInRecord {
  const isUnknownSignIn =
    signIn === undefined ||
    (signIn.state === 'pending'
      ? nowMs - signIn.startedAtMs > MAX_FIRST_CLAIM_AGE_MS
      : signIn.codeHash !== codeHash);
  const isSeedErased = signIn?.state === 'done' && signIn.seed === undefined;
  if (isUnknownSignIn || isSeedErased) throw new ServiceError('INVALID_NONCE');
  if (signIn.state === 'dead') throw new ServiceError('SIGN_IN_REJECTED');
  return signIn;
}

function isSignInClaimed({ state }: SignInRecord): boolean {
  return state === 'busy' || state === 'granted';
}

/**
 * Writes the claim and returns the claimed sign-in.
 * @returns undefined when another exchange was first or the outcome is unknown, so that the sign-in must be read again
 */
async function writeSignInClaim(
  { signIns }: SignInDeps,
  signIn: SignInRecord,
  claim: SignInClaim,
): Promise<SignInRecord | undefined> {
  const claimWrite =
    signIn.state === 'granted'
      ? await signIns.reclaimGranted(claim)
      : await signIns.claim(claim, claim.nowMs - MAX_FIRST_CLAIM_AGE_MS);
  return claimWrite.outcome === 'done' ? claimWrite.signIn : undefined;
}

function toClaimedResult(
  { nonceHash }: SignInClaimRequest,
  claim: Omit<ClaimedSignIn, 'nonceHash'>,
): SignInClaimResult {
  return { kind: 'held', claimedSignIn: { nonceHash, ...claim } };
}
