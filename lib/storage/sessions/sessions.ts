/**
 * Sessions: one item for each device on which a customer signed in, by shop id + customer / session. Each change is
 * one conditional write; its conditions are the named parts below.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { SessionClaims } from '../../domain/tokens/session-claims.ts';
import {
  isStorePartMissing,
  readStoreRecord,
  type StoreItemPart,
  type StoreRecord,
  storeItemKeys,
  toStoreRecord,
} from '../stores.ts';
import type { Table, WriteOutcome } from '../table.ts';
import {
  type CustomerRef,
  type CustomerSessions,
  hasAnyCustomerSession,
  readCustomerSessions,
} from './customer-sign-ins.ts';
import { LINK_LEASED_CONDITION } from './session-links.ts';
import {
  customerQuotaKey,
  quotaFreeAtMsOf,
  type RevocationReason,
  type SessionRecord,
  type SessionRef,
  type SessionRotation,
  type SignInsEndCause,
  sessionKey,
  signInsEndedKey,
  toSessionRecord,
} from './session-record.ts';

export type Sessions = {
  /** Puts a new session. Refused when it exists. */
  create(session: SessionRecord): Promise<'done' | 'refused'>;
  /** Reads the session and its store in one consistent read, and optionally the customer's use of its quota. */
  findWithStore(ref: SessionRef): Promise<{
    session: SessionRecord | undefined;
    store: StoreRecord | undefined;
    /** Epoch milliseconds; undefined when it was not read. */
    quotaFreeAtMs?: number;
  }>;
  find(ref: SessionRef): Promise<SessionRecord | undefined>;
  /** Lists all of a customer's sessions, including tombstones, with consistent reads. */
  listOf(shopId: ShopId, customerId: CustomerId): Promise<SessionRecord[]>;
  /** Whether any session of the customer, active or revoked, counts as existing. Usually reads one item. */
  isAnyStored(customer: CustomerRef, nowMs: number): Promise<boolean>;
  /** Reads the customer's sessions, and until when sign-ins were ended, epoch milliseconds; 0 for never. */
  readAll(shopId: ShopId, customerId: CustomerId): Promise<CustomerSessions>;
  /**
   * Records that sign-ins which started until `nowMs` must not create a session. The caller revokes existing sessions.
   * Refused when the same is recorded for this time or a later one.
   */
  markSignInsEnded(
    customer: CustomerRef,
    ended: SignInsEndCause & { nowMs: number; expiresAt: number },
  ): Promise<'done' | 'refused'>;
  /**
   * Counts a request with which an active session revokes newer ones, unless another was counted since the session was
   * read. `turnsAtMs` are the times of these requests in the last hour.
   */
  countRevocation(session: SessionRecord, turnsAtMs: readonly number[]): Promise<WriteOutcome>;
  /** Deletes a session in any state: its customer was erased. */
  remove(ref: SessionRef): Promise<void>;
  /** Deletes a tombstone; refused for an active session. */
  removeTombstone(ref: SessionRef): Promise<'done' | 'refused'>;
  /** Writes the next generation, if that of `session` is still the current one of an active session. */
  rotate(session: SessionRecord, rotation: SessionRotation): Promise<WriteOutcome>;
  /**
   * Records a late retry, and the extended lifetime that it grants, unless another was recorded since `session` was
   * read.
   */
  recordLateRetry(session: SessionRecord, lateRetry: LateRetry): Promise<WriteOutcome>;
  /** Records the first use of a generation with its issue number, if it is above the confirmed one. */
  confirm(ref: SessionRef, used: UsedTokenPair, nowMs: number): Promise<WriteOutcome>;
  /**
   * Records that a second issue of this generation was used, unless shared tokens were recorded since `session` was
   * read.
   */
  recordSharedTokens(session: SessionRecord, generation: number, nowMs: number): Promise<WriteOutcome>;
  /** Replaces the remembered contracts of an active session, whatever else was written since it was read. */
  rememberContracts(ref: SessionRef, contractIds: readonly string[]): Promise<WriteOutcome>;
  /** Makes an active session a tombstone; with `leaseId`, only while that lease of the link is valid. */
  revoke(
    ref: SessionRef,
    revocation: { reason: RevocationReason; nowMs: number; leaseId?: string },
  ): Promise<WriteOutcome>;
};

type UsedTokenPair = Pick<SessionClaims, 'generation' | 'handOut'>;
type LateRetry = Pick<SessionRotation, 'idleExpiresAtMs' | 'expiresAt'> & { readonly nowMs: number };

const SESSION_ACTIVE_CONDITION = '#status = :active';
const SAME_GENERATION_CONDITION = 'generation = :from';
const STATUS_PLACEHOLDERS = { '#status': 'status' };

type SessionsDeps = {
  readonly table: Table;
  /** The parts of the store that are read with a session; empty by default. */
  readonly storeParts?: readonly StoreItemPart[];
  /** Whether the customer's use of its quota is read with a session. */
  readonly readsQuota?: boolean;
};

/** Creates the access to the sessions in the table. */
export function createSessionRepository({
  table,
  storeParts = [],
  readsQuota = false,
}: SessionsDeps): Sessions {
  return {
    create: (session) =>
      table.put({ ...sessionKey(session), ...session }, { condition: 'attribute_not_exists(pk)' }),
    async findWithStore(ref) {
      const keys = [sessionKey(ref), ...storeItemKeys(ref.shopId, storeParts)];
      const items = await table.batchGet(readsQuota ? [...keys, customerQuotaKey(ref)] : keys);
      const quotaFreeAtMs = readsQuota ? quotaFreeAtMsOf(items.pop()) : undefined;
      const session = items.shift();
      const isPartial = isStorePartMissing(items, storeParts);
      const store = isPartial ? await readStoreRecord(table, ref.shopId, storeParts) : toStoreRecord(items);
      return {
        session: toSessionRecord(session),
        store,
        ...(quotaFreeAtMs !== undefined && { quotaFreeAtMs }),
      };
    },
    find: async (ref) => toSessionRecord(await table.get(sessionKey(ref))),
    listOf: async (shopId, customerId) =>
      (await readCustomerSessions(table, { shopId, customerId })).sessions,
    isAnyStored: (customer, nowMs) => hasAnyCustomerSession(table, customer, nowMs),
    readAll: (shopId, customerId) => readCustomerSessions(table, { shopId, customerId }),
    markSignInsEnded: ({ shopId, customerId }, { nowMs, expiresAt, reason, bySessionId }) =>
      table.put(
        {
          ...signInsEndedKey(shopId, customerId),
          shopId,
          customerId,
          endedAtMs: nowMs,
          expiresAt,
          reason,
          ...(bySessionId !== undefined && { bySessionId }),
        },
        { condition: 'attribute_not_exists(pk) OR endedAtMs < :now', values: { ':now': nowMs } },
      ),
    countRevocation: (session, turnsAtMs) =>
      table.update({
        key: sessionKey(session),
        update: 'SET turnsAtMs = :turns, turnCount = :count',
        condition: `${SESSION_ACTIVE_CONDITION} AND ${session.turnCount === undefined ? 'attribute_not_exists(turnCount)' : 'turnCount = :before'}`,
        names: STATUS_PLACEHOLDERS,
        values: {
          ':active': 'active',
          ':turns': turnsAtMs,
          ':count': (session.turnCount ?? 0) + 1,
          ...(session.turnCount !== undefined && { ':before': session.turnCount }),
        },
      }),
    async remove(ref) {
      await table.delete(sessionKey(ref));
    },
    removeTombstone: (ref) =>
      table.delete(sessionKey(ref), {
        condition: '#status = :revoked',
        names: STATUS_PLACEHOLDERS,
        values: { ':revoked': 'revoked' },
      }),
    rotate: (session, rotation) =>
      table.update({
        key: sessionKey(session),
        update:
          'SET generation = :generation, kid = :kid, mintedAtMs = :mintedAtMs, replaced = :replaced, ' +
          'idleExpiresAtMs = :idleExpiresAtMs, expiresAt = :expiresAt, lateRepeats = :lateRepeats, ' +
          'firstUsedAtMs = if_not_exists(firstUsedAtMs, :mintedAtMs)',
        condition: `${SAME_GENERATION_CONDITION} AND ${SESSION_ACTIVE_CONDITION}`,
        names: STATUS_PLACEHOLDERS,
        values: {
          ':from': session.generation,
          ':active': 'active',
          ':lateRepeats': rotation.lateRepeats,
          ':generation': rotation.generation,
          ':kid': rotation.kid,
          ':mintedAtMs': rotation.mintedAtMs,
          ':replaced': rotation.replaced,
          ':idleExpiresAtMs': rotation.idleExpiresAtMs,
          ':expiresAt': rotation.expiresAt,
        },
      }),
    recordLateRetry: (session, { nowMs, idleExpiresAtMs, expiresAt }) =>
      table.update({
        key: sessionKey(session),
        update:
          'SET lateRepeatAtMs = :now, lateRepeats = :count, ' +
          'idleExpiresAtMs = :idleExpiresAtMs, expiresAt = :expiresAt',
        condition: `${SAME_GENERATION_CONDITION} AND ${SESSION_ACTIVE_CONDITION} AND lateRepeats = :before`,
        names: STATUS_PLACEHOLDERS,
        writtenValues: { lateRepeatAtMs: nowMs, lateRepeats: session.lateRepeats + 1 },
        values: {
          ':from': session.generation,
          ':active': 'active',
          ':now': nowMs,
          ':before': session.lateRepeats,
          ':count': session.lateRepeats + 1,
          ':idleExpiresAtMs': idleExpiresAtMs,
          ':expiresAt': expiresAt,
        },
      }),
    confirm: (ref, { generation, handOut }, nowMs) =>
      table.update({
        key: sessionKey(ref),
        update:
          'SET confirmedGeneration = :generation, confirmedHandOut = :handOut, ' +
          'firstUsedAtMs = if_not_exists(firstUsedAtMs, :now)',
        condition: `${SESSION_ACTIVE_CONDITION} AND confirmedGeneration < :generation`,
        names: STATUS_PLACEHOLDERS,
        writtenValues: { confirmedGeneration: generation, confirmedHandOut: handOut },
        values: { ':active': 'active', ':generation': generation, ':handOut': handOut, ':now': nowMs },
      }),
    recordSharedTokens: (session, generation, nowMs) =>
      table.update({
        key: sessionKey(session),
        update: 'SET sharedGeneration = :generation, sharedAtMs = :now',
        condition: `${SESSION_ACTIVE_CONDITION} AND ${session.sharedAtMs === undefined ? 'attribute_not_exists(sharedAtMs)' : 'sharedAtMs = :before'}`,
        names: STATUS_PLACEHOLDERS,
        writtenValues: { sharedGeneration: generation, sharedAtMs: nowMs },
        values: {
          ':active': 'active',
          ':generation': generation,
          ':now': nowMs,
          ...(session.sharedAtMs !== undefined && { ':before': session.sharedAtMs }),
        },
      }),
    rememberContracts: (ref, contractIds) =>
      table.update({
        key: sessionKey(ref),
        update: 'SET contractIds = :contracts',
        condition: SESSION_ACTIVE_CONDITION,
        names: STATUS_PLACEHOLDERS,
        values: { ':active': 'active', ':contracts': contractIds },
      }),
    revoke: (ref, { reason, nowMs, leaseId }) =>
      table.update({
        key: sessionKey(ref),
        update:
          'SET #status = :revoked, revokedReason = :reason, revokedAtMs = :now, linkState = :dead ' +
          `REMOVE linkTokens, linkLeaseId, linkLeaseUntilMs, deviceLabel, contractIds`,
        condition:
          leaseId === undefined
            ? SESSION_ACTIVE_CONDITION
            : `${SESSION_ACTIVE_CONDITION} AND ${LINK_LEASED_CONDITION}`,
        names: STATUS_PLACEHOLDERS,
        values: {
          ':active': 'active',
          ':revoked': 'revoked',
          ':reason': reason,
          ':now': nowMs,
          ':dead': 'dead',
          ...(leaseId !== undefined && { ':busy': 'busy', ':leaseId': leaseId }),
        },
      }),
  };
}
