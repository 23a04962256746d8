/**
 * Started sign-ins, by hash of their nonce. `start` writes one; `exchange` claims it for a code, stores the
 * platform's grant in it, and ends it. Each step is one write that only the claim's attempt may make.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { SessionId, SessionSalt } from '../../domain/session-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { WebRedirectUri } from '../../domain/sign-in/web-redirect-uri.ts';
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { Item, ItemChange, ItemKey, Table, WriteOutcome } from '../table.ts';

/** The data from which a session is created, so that a repeated exchange creates the same one. */
export type SessionSeed = {
  readonly customerId: CustomerId;
  readonly sessionId: SessionId;
  readonly salt: SessionSalt;
  readonly kid: KeyId;
  readonly mintedAtMs: number;
  readonly clientId: string;
  /** The origin of the page that signed in. Absent for an app. */
  readonly origin?: string;
  readonly deviceLabel?: string;
  /** The tokens, sealed for the session; absent if the platform issued no refresh token. */
  readonly linkTokens?: string;
  readonly linkStoredAtMs: number;
  readonly linkExpiresAtMs: number;
};

export type SignInRecord = {
  readonly nonceHash: NonceHash;
  readonly shopId: ShopId;
  /** S256 of the code verifier, base64url. */
  readonly challenge: string;
  readonly startedAtMs: number;
  /** The page to which the browser returns. Absent for an app. */
  readonly redirectUri?: WebRedirectUri;
  /**
   * `busy`: an exchange has claimed the sign-in. `granted`: the platform's response to the code is stored. `dead`: the
   * sign-in has failed for good.
   */
  readonly state: 'pending' | 'busy' | 'granted' | 'done' | 'dead';
  /** SHA-256 of the code with which the sign-in was claimed, base64url. */
  readonly codeHash?: string;
  /** The id of the exchange attempt that has the lease, or had it last. */
  readonly attempt?: string;
  readonly leaseUntilMs?: number;
  /** The platform's response to the code, sealed unchanged. */
  readonly grant?: string;
  /** The session's seed; absent in a completed sign-in whose session is revoked. */
  readonly seed?: SessionSeed;
  readonly doneAtMs?: number;
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

export type SignInClaim = {
  readonly nonceHash: NonceHash;
  readonly codeHash: string;
  readonly attempt: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
};

/** The outcome of a claim, with the sign-in after the write. */
type SignInClaimOutcome =
  | { readonly outcome: 'done'; readonly signIn: SignInRecord }
  | { readonly outcome: 'refused' };

export type SignIns = {
  create(signIn: SignInRecord): Promise<'done' | 'refused'>;
  find(nonceHash: NonceHash): Promise<SignInRecord | undefined>;
  /**
   * Makes a sign-in busy that is pending and started at `startedAfterMs` or later, or busy with an expired lease and
   * the same code.
   */
  claim(claim: SignInClaim, startedAfterMs: number): Promise<SignInClaimOutcome>;
  /** Takes the lease of a granted sign-in, if it has expired and the code is the same; the sign-in stays granted. */
  reclaimGranted(claim: SignInClaim): Promise<SignInClaimOutcome>;
  /** Stores the platform's response to the code, which is already sealed. */
  storeGrant(leasedSignIn: LeasedSignIn, grant: string): Promise<WriteOutcome>;
  /** Ends the lease, so that the same code can be retried immediately. */
  release(leasedSignIn: LeasedSignIn): Promise<WriteOutcome>;
  /** Deletes the platform's stored response, because it was no grant, and ends the lease. */
  reopen(leasedSignIn: LeasedSignIn): Promise<WriteOutcome>;
  /** Marks the sign-in as failed: no code can complete it. */
  markFailed(leasedSignIn: LeasedSignIn): Promise<WriteOutcome>;
  /** Completes the sign-in, with the seed of its session. */
  commit(leasedSignIn: LeasedSignIn, seed: SessionSeed, nowMs: number): Promise<WriteOutcome>;
  /**
   * Removes the seed, because the session is revoked and must not be created again. Refused when the sign-in no
   * longer exists.
   */
  removeSeed(nonceHash: NonceHash): Promise<WriteOutcome>;
};

/** A sign-in, and the attempt that has leased it. */
export type LeasedSignIn = { readonly nonceHash: NonceHash; readonly attempt: string };

/** Returns the key of a sign-in's item. */
export function signInKey(nonceHash: NonceHash): ItemKey {
  return { pk: `SIGN_IN#${nonceHash}`, sk: 'SIGN_IN' };
}

/** The sealing context of the platform's response. */
export function codeGrantSealContext({ shopId, nonceHash }: Pick<SignInRecord, 'shopId' | 'nonceHash'>) {
  return { shopId, ...signInKey(nonceHash), attribute: 'grant' };
}

const LAPSED_LEASE_OF_CODE_CONDITION = 'leaseUntilMs < :now AND codeHash = :codeHash';
const ACQUIRE_LEASE_UPDATE = 'codeHash = :codeHash, attempt = :attempt, leaseUntilMs = :leaseUntil';
const STATE_PLACEHOLDERS = { '#state': 'state' };

/** Creates the access to the sign-ins in the table. */
export function createSignInRepository({ table }: { readonly table: Table }): SignIns {
  return {
    create: (signIn) =>
      table.put({ ...signInKey(signIn.nonceHash), ...signIn }, { condition: 'attribute_not_exists(pk)' }),
    async find(nonceHash) {
      const item = await table.get(signInKey(nonceHash));
      return item && toSignInRecord(item);
    },
    claim: (claim, startedAfterMs) =>
      claimSignInByUpdate(table, {
        key: signInKey(claim.nonceHash),
        update: `SET #state = :busy, ${ACQUIRE_LEASE_UPDATE}`,
        condition:
          '(#state = :pending AND startedAtMs >= :startedAfter) OR ' +
          `(#state = :busy AND ${LAPSED_LEASE_OF_CODE_CONDITION})`,
        names: STATE_PLACEHOLDERS,
        writtenValues: { attempt: claim.attempt },
        values: {
          ...toSignInClaimValues(claim),
          ':pending': 'pending',
          ':busy': 'busy',
          ':startedAfter': startedAfterMs,
        },
      }),
    reclaimGranted: (claim) =>
      claimSignInByUpdate(table, {
        key: signInKey(claim.nonceHash),
        update: `SET ${ACQUIRE_LEASE_UPDATE}`,
        condition: `#state = :granted AND ${LAPSED_LEASE_OF_CODE_CONDITION}`,
        names: STATE_PLACEHOLDERS,
        writtenValues: { attempt: claim.attempt },
        values: { ...toSignInClaimValues(claim), ':granted': 'granted' },
      }),
    storeGrant: (leasedSignIn, grant) =>
      changeLeasedSignIn(table, leasedSignIn, {
        update: 'SET #state = :granted, #grant = :grant',
        names: { ...STATE_PLACEHOLDERS, ...GRANT_PLACEHOLDERS },
        values: { ':granted': 'granted', ':grant': grant },
      }),
    release: (leasedSignIn) =>
      changeLeasedSignIn(table, leasedSignIn, { update: 'SET leaseUntilMs = :zero', values: { ':zero': 0 } }),
    reopen: (leasedSignIn) =>
      changeLeasedSignIn(table, leasedSignIn, {
        update: 'SET #state = :busy, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE_PLACEHOLDERS, ...GRANT_PLACEHOLDERS },
        values: { ':busy': 'busy', ':zero': 0 },
      }),
    markFailed: (leasedSignIn) =>
      changeLeasedSignIn(table, leasedSignIn, {
        update: 'SET #state = :dead, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE_PLACEHOLDERS, ...GRANT_PLACEHOLDERS },
        values: { ':dead': 'dead', ':zero': 0 },
      }),
    commit: (leasedSignIn, seed, nowMs) =>
      changeLeasedSignIn(table, leasedSignIn, {
        update: 'SET #state = :done, seed = :seed, doneAtMs = :now, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE_PLACEHOLDERS, ...GRANT_PLACEHOLDERS },
        values: { ':done': 'done', ':seed': seed, ':now': nowMs, ':zero': 0 },
      }),
    removeSeed: (nonceHash) =>
      table.update({
        key: signInKey(nonceHash),
        update: 'REMOVE seed',
        condition: '#state = :done',
        names: STATE_PLACEHOLDERS,
        values: { ':done': 'done' },
      }),
  };
}

const GRANT_PLACEHOLDERS = { '#grant': 'grant' };

type LeasedSignInChange = {
  readonly update: string;
  readonly names?: Record<string, string>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Makes a write after the claim: only the attempt that has leased the sign-in may. */
function changeLeasedSignIn(
  table: Table,
  leasedSignIn: LeasedSignIn,
  { values, ...rest }: LeasedSignInChange,
): Promise<WriteOutcome> {
  return table.update({
    ...rest,
    key: signInKey(leasedSignIn.nonceHash),
    condition: 'attempt = :attempt',
    values: { ...values, ':attempt': leasedSignIn.attempt },
  });
}

async function claimSignInByUpdate(table: Table, change: ItemChange): Promise<SignInClaimOutcome> {
  const writeResult = await table.update(change);
  return writeResult.outcome === 'done'
    ? { outcome: 'done', signIn: toSignInRecord(writeResult.item) }
    : writeResult;
}

function toSignInClaimValues(claim: SignInClaim) {
  return {
    ':codeHash': claim.codeHash,
    ':attempt': claim.attempt,
    ':leaseUntil': claim.leaseUntilMs,
    ':now': claim.nowMs,
  };
}

function toSignInRecord(item: Item): SignInRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  return record as unknown as SignInRecord;
}
