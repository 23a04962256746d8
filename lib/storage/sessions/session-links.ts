/**
 * The link of a session to the platform's own sign-in: leased before a renewal, and settled while the lease is valid.
 */

import type { Table, WriteOutcome } from '../table.ts';
import { type PlatformLink, type SessionRecord, type SessionRef, sessionKey } from './session-record.ts';

export type LinkStateAfterLease =
  | { readonly state: 'ok' | 'settling'; readonly tokens?: NewLinkTokens }
  | { readonly state: 'uncertain' | 'dead' };
type NewLinkTokens = Required<Pick<PlatformLink, 'linkTokens' | 'linkStoredAtMs' | 'linkExpiresAtMs'>>;
type LinkLease = { readonly leaseId: string; readonly untilMs: number };

export type SessionLinks = {
  /** Marks the link as busy, if the session is active and the link is unchanged since it was read. */
  lease(session: SessionRecord, lease: LinkLease): Promise<WriteOutcome>;
  /**
   * Ends a lease and sets the new state of the link, with a new token pair if there is one. Refused when the lease is
   * no longer valid.
   */
  endLease(ref: SessionRef, leaseId: string, stateAfterLease: LinkStateAfterLease): Promise<WriteOutcome>;
};

/** Condition: the lease `:leaseId` is valid (with `:busy`). */
export const LINK_LEASED_CONDITION = 'linkState = :busy AND linkLeaseId = :leaseId';

const SESSION_ACTIVE_CONDITION = '#status = :active';
const STATUS_PLACEHOLDERS = { '#status': 'status' };

/** Creates the access to sessions' links to the platform (its tokens), which the table stores. */
export function createSessionLinkRepository({ table }: { readonly table: Table }): SessionLinks {
  return {
    lease(session, { leaseId, untilMs }) {
      const previousLeaseId = session.linkLeaseId;
      const sameLeaseCondition =
        previousLeaseId === undefined ? 'attribute_not_exists(linkLeaseId)' : 'linkLeaseId = :oldLease';
      return table.update({
        key: sessionKey(session),
        update: 'SET linkState = :busy, linkLeaseId = :leaseId, linkLeaseUntilMs = :until',
        // A new pair has a new storing time, so the condition leases exactly the pair that was read.
        condition: `${SESSION_ACTIVE_CONDITION} AND linkState = :state AND linkStoredAtMs = :storedAt AND ${sameLeaseCondition}`,
        names: STATUS_PLACEHOLDERS,
        writtenValues: { linkLeaseId: leaseId },
        values: {
          ':active': 'active',
          ':busy': 'busy',
          ':leaseId': leaseId,
          ':until': untilMs,
          ':state': session.linkState,
          ':storedAt': session.linkStoredAtMs,
          ...(previousLeaseId !== undefined && { ':oldLease': previousLeaseId }),
        },
      });
    },
    endLease: (ref, leaseId, stateAfterLease) => endLinkLease(table, { ref, leaseId, stateAfterLease }),
  };
}

type LinkLeaseEnd = { ref: SessionRef; leaseId: string; stateAfterLease: LinkStateAfterLease };

function endLinkLease(table: Table, { ref, leaseId, stateAfterLease }: LinkLeaseEnd): Promise<WriteOutcome> {
  const tokens = 'tokens' in stateAfterLease ? stateAfterLease.tokens : undefined;
  const tokenAssignments = ', linkTokens = :tokens, linkStoredAtMs = :storedAt, linkExpiresAtMs = :expiresAt';
  const removedFields = `${stateAfterLease.state === 'dead' ? 'linkTokens, ' : ''}linkLeaseId, linkLeaseUntilMs`;
  return table.update({
    key: sessionKey(ref),
    update: `SET linkState = :state${tokens ? tokenAssignments : ''} REMOVE ${removedFields}`,
    condition: `${SESSION_ACTIVE_CONDITION} AND ${LINK_LEASED_CONDITION}`,
    names: STATUS_PLACEHOLDERS,
    values: {
      ':active': 'active',
      ':busy': 'busy',
      ':leaseId': leaseId,
      ':state': stateAfterLease.state,
      ...(tokens && {
        ':tokens': tokens.linkTokens,
        ':storedAt': tokens.linkStoredAtMs,
        ':expiresAt': tokens.linkExpiresAtMs,
      }),
    },
  });
}
