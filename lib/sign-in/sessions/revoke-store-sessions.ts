/** Revokes all sessions of a store's customers, for an operator after a leak of many tokens. */

import { revokeSession } from '../../credentials/revoke-session.ts';
import { mapWithConcurrency } from '../../domain/map-with-concurrency.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ScanTable } from '../../storage/scan.ts';
import { type SessionRecord, toSessionRecord } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { SignIns } from '../../storage/sessions/sign-ins.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { Item, ItemKey } from '../../storage/table.ts';
import { recordSignInsEnded } from './list-customer-sessions.ts';

type StoreSessionsDeps = {
  readonly scan: ScanTable;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly logger: Logger;
  readonly now: () => number;
  /** Shows the operator a text after each page. */
  readonly progress: (text: string) => void;
};
type StoreSessionsRequest = {
  readonly store: StoreRecord;
  /** The key after which an earlier run stopped. */
  readonly startKey?: ItemKey | undefined;
  /** The run stops after the page with which it has revoked this many sessions. */
  readonly stopAfterCount: number;
  /** Whether to count the sessions without revoking them. */
  readonly isDryRun: boolean;
};
export type StoreSessionsReport = {
  /** How many sessions this run has revoked, or in a dry run would revoke. */
  readonly revokedCount: number;
  /** How many of the store's sessions had been revoked before this run. */
  readonly revokedBeforeCount: number;
  /** The key from which the next run continues. Undefined when the whole table was read. */
  readonly nextStartKey: ItemKey | undefined;
};

/** The run failed on a page. All pages before `report.nextStartKey` are done, so it can continue from there, or start again. */
export class RevocationStopped extends Error {
  readonly report: StoreSessionsReport;

  constructor(report: StoreSessionsReport, cause: unknown) {
    super('Not all sign-ins were ended.', { cause });
    this.name = 'RevocationStopped';
    this.report = report;
  }
}

const REVOCATION_CONCURRENCY = 10;

/**
 * Revokes the sessions, page by page of a table scan. Each revocation is logged, because a restore of the table replays
 * them. Sign-ins that start during the run are not affected. A sign-in that is completed but has no session yet does
 * not create one.
 * @throws RevocationStopped when the table cannot be used
 */
export async function revokeStoreSessions(
  deps: StoreSessionsDeps,
  { store, startKey, stopAfterCount, isDryRun }: StoreSessionsRequest,
): Promise<StoreSessionsReport> {
  const sessionsFilter = {
    filter: 'shopId = :shopId AND (begins_with(sk, :session) OR sk = :signIn)',
    values: { ':shopId': store.shopId, ':session': 'SESSION#', ':signIn': 'SIGN_IN' },
  };
  let sessionsReport: StoreSessionsReport = {
    revokedCount: 0,
    revokedBeforeCount: 0,
    nextStartKey: startKey,
  };
  do {
    try {
      const { items, nextKey } = await deps.scan(sessionsFilter, sessionsReport.nextStartKey);
      const sessionsOfPage = items
        .filter(({ sk }) => sk !== 'SIGN_IN')
        .flatMap((item) => toSessionRecord(item) ?? []);
      const activeSessions = sessionsOfPage.filter(({ status }) => status === 'active');
      if (!isDryRun)
        await endSignInsOfPage(deps, {
          activeSessions,
          committedSignIns: items.filter(isCommittedSignIn),
        });
      const endedBeforeCount =
        sessionsReport.revokedBeforeCount + sessionsOfPage.length - activeSessions.length;
      sessionsReport = {
        revokedCount: sessionsReport.revokedCount + activeSessions.length,
        revokedBeforeCount: endedBeforeCount,
        nextStartKey: nextKey,
      };
    } catch (error) {
      throw new RevocationStopped(sessionsReport, error);
    }
    deps.progress(`${sessionsReport.revokedCount} sign-ins ${isDryRun ? 'found' : 'ended'} so far`);
  } while (sessionsReport.nextStartKey !== undefined && sessionsReport.revokedCount < stopAfterCount);
  return sessionsReport;
}

type SessionsPage = {
  readonly activeSessions: readonly SessionRecord[];
  readonly committedSignIns: readonly Item[];
};

/** First prevents earlier sign-ins from creating sessions, then revokes the existing sessions. */
async function endSignInsOfPage(
  deps: StoreSessionsDeps,
  { activeSessions, committedSignIns }: SessionsPage,
): Promise<void> {
  const sessionByCustomer = new Map(activeSessions.map((session) => [session.customerId, session]));
  await mapWithConcurrency(committedSignIns, REVOCATION_CONCURRENCY, ({ nonceHash }) =>
    deps.signIns.removeSeed(nonceHash as NonceHash),
  );
  await mapWithConcurrency([...sessionByCustomer.values()], REVOCATION_CONCURRENCY, (customer) =>
    recordSignInsEnded(deps, customer, { reason: 'operator' }),
  );
  await mapWithConcurrency(activeSessions, REVOCATION_CONCURRENCY, (session) =>
    revokeSession(deps, session, { reason: 'operator' }),
  );
}

/** Whether the sign-in is completed, so that it may be about to create its session. */
function isCommittedSignIn({ sk, state, seed }: Item): boolean {
  return sk === 'SIGN_IN' && state === 'done' && seed !== undefined;
}
