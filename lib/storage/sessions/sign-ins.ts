/**
 * Sign-ins that were started, by hash of their nonce. `start` writes one; `exchange` claims it for a code,
 * keeps the platform's grant in it and ends it, each step one write that only the claim's attempt may do.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { SessionId, SessionSalt } from '../../domain/session-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { Change, Item, ItemKey, Table, WriteOutcome } from '../table.ts';

/** All that a session is made from, so that a repeated exchange makes the same one. */
export type SessionSeed = {
  readonly customerId: CustomerId;
  readonly sessionId: SessionId;
  readonly salt: SessionSalt;
  readonly kid: KeyId;
  readonly mintedAtMs: number;
  readonly clientId: string;
  readonly deviceLabel?: string;
  /** The tokens sealed for the session's place; absent if the platform gave no refresh token. */
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
  readonly state: 'pending' | 'busy' | 'granted' | 'done' | 'dead';
  readonly codeHash?: string;
  readonly attempt?: string;
  readonly leaseUntilMs?: number;
  /** The platform's answer to the code, sealed as it came. */
  readonly grant?: string;
  /** The session's seed; absent from a sign-in that is done: its session is revoked. */
  readonly seed?: SessionSeed;
  readonly doneAtMs?: number;
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

export type Claim = {
  readonly nonceHash: NonceHash;
  readonly codeHash: string;
  readonly attempt: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
};

/** The outcome of a claim, with the sign-in as it is after the write. */
type ClaimOutcome =
  | { readonly outcome: 'done'; readonly signIn: SignInRecord }
  | { readonly outcome: 'refused' };

export type SignIns = {
  create(signIn: SignInRecord): Promise<'done' | 'refused'>;
  find(nonceHash: NonceHash): Promise<SignInRecord | undefined>;
  /**
   * Makes a sign-in busy that is pending and not older than `startedAfterMs`, or busy with a lapsed lease and the same
   * code.
   */
  claim(claim: Claim, startedAfterMs: number): Promise<ClaimOutcome>;
  /** Takes the lease of a granted sign-in, if that has lapsed and the code is the same; it stays granted. */
  reclaimGranted(claim: Claim): Promise<ClaimOutcome>;
  /** Keeps the platform's answer in the item, sealed. */
  keepGrant(held: HeldSignIn, grant: string): Promise<WriteOutcome>;
  /** Ends the lease, so that the same code may be tried again at once. */
  release(held: HeldSignIn): Promise<WriteOutcome>;
  /** Drops the kept answer, which was no grant, and ends the lease. */
  reopen(held: HeldSignIn): Promise<WriteOutcome>;
  /** Marks the sign-in dead: no code will ever end it. */
  kill(held: HeldSignIn): Promise<WriteOutcome>;
  /** Ends the sign-in, with the seed of its session. */
  commit(held: HeldSignIn, seed: SessionSeed, nowMs: number): Promise<WriteOutcome>;
  /**
   * Removes the seed, for the session is revoked: nothing is left to make it from again. Refused: the sign-in is gone.
   */
  forget(nonceHash: NonceHash): Promise<WriteOutcome>;
};

/** A sign-in, and the attempt that has claimed it. */
export type HeldSignIn = { readonly nonceHash: NonceHash; readonly attempt: string };

/** Key of a sign-in's item. */
export function signInKey(nonceHash: NonceHash): ItemKey {
  return { pk: `SIGN_IN#${nonceHash}`, sk: 'SIGN_IN' };
}

/** The place that the platform's answer is sealed for. */
export function grantPlace({ shopId, nonceHash }: Pick<SignInRecord, 'shopId' | 'nonceHash'>) {
  return { shopId, ...signInKey(nonceHash), attribute: 'grant' };
}

const LAPSED_SAME_CODE = 'leaseUntilMs < :now AND codeHash = :codeHash';
const TAKE = 'codeHash = :codeHash, attempt = :attempt, leaseUntilMs = :leaseUntil';
const STATE = { '#state': 'state' };

/** Sign-ins over the table. */
export function createSignIns({ table }: { readonly table: Table }): SignIns {
  return {
    create: (signIn) =>
      table.put({ ...signInKey(signIn.nonceHash), ...signIn }, { condition: 'attribute_not_exists(pk)' }),
    async find(nonceHash) {
      const item = await table.get(signInKey(nonceHash));
      return item && toSignIn(item);
    },
    claim: (claim, startedAfterMs) =>
      claimWith(table, {
        key: signInKey(claim.nonceHash),
        update: `SET #state = :busy, ${TAKE}`,
        condition:
          '(#state = :pending AND startedAtMs >= :startedAfter) OR ' +
          `(#state = :busy AND ${LAPSED_SAME_CODE})`,
        names: STATE,
        leaves: { attempt: claim.attempt },
        values: {
          ...claimValues(claim),
          ':pending': 'pending',
          ':busy': 'busy',
          ':startedAfter': startedAfterMs,
        },
      }),
    reclaimGranted: (claim) =>
      claimWith(table, {
        key: signInKey(claim.nonceHash),
        update: `SET ${TAKE}`,
        condition: `#state = :granted AND ${LAPSED_SAME_CODE}`,
        names: STATE,
        leaves: { attempt: claim.attempt },
        values: { ...claimValues(claim), ':granted': 'granted' },
      }),
    keepGrant: (held, grant) =>
      change(table, held, {
        update: 'SET #state = :granted, #grant = :grant',
        names: { ...STATE, ...GRANT },
        values: { ':granted': 'granted', ':grant': grant },
      }),
    release: (held) => change(table, held, { update: 'SET leaseUntilMs = :zero', values: { ':zero': 0 } }),
    reopen: (held) =>
      change(table, held, {
        update: 'SET #state = :busy, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE, ...GRANT },
        values: { ':busy': 'busy', ':zero': 0 },
      }),
    kill: (held) =>
      change(table, held, {
        update: 'SET #state = :dead, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE, ...GRANT },
        values: { ':dead': 'dead', ':zero': 0 },
      }),
    commit: (held, seed, nowMs) =>
      change(table, held, {
        update: 'SET #state = :done, seed = :seed, doneAtMs = :now, leaseUntilMs = :zero REMOVE #grant',
        names: { ...STATE, ...GRANT },
        values: { ':done': 'done', ':seed': seed, ':now': nowMs, ':zero': 0 },
      }),
    forget: (nonceHash) =>
      table.update({
        key: signInKey(nonceHash),
        update: 'REMOVE seed',
        condition: '#state = :done',
        names: STATE,
        values: { ':done': 'done' },
      }),
  };
}

const GRANT = { '#grant': 'grant' };

type HeldChange = {
  readonly update: string;
  readonly names?: Record<string, string>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Every write after the claim: only the attempt that holds the sign-in may do it. */
function change(table: Table, held: HeldSignIn, { values, ...rest }: HeldChange): Promise<WriteOutcome> {
  return table.update({
    ...rest,
    key: signInKey(held.nonceHash),
    condition: 'attempt = :attempt',
    values: { ...values, ':attempt': held.attempt },
  });
}

async function claimWith(table: Table, change: Change): Promise<ClaimOutcome> {
  const written = await table.update(change);
  return written.outcome === 'done' ? { outcome: 'done', signIn: toSignIn(written.item) } : written;
}

function claimValues(claim: Claim) {
  return {
    ':codeHash': claim.codeHash,
    ':attempt': claim.attempt,
    ':leaseUntil': claim.leaseUntilMs,
    ':now': claim.nowMs,
  };
}

function toSignIn(item: Item): SignInRecord {
  const { pk: _pk, sk: _sk, ...record } = item;
  return record as unknown as SignInRecord;
}
