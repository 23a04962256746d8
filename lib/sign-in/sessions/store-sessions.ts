/** Ends all sign-ins of a store's customers, for an operator after a leak of many tokens. */

import { revokeSession } from '../../credentials/revoke-session.ts';
import { batchesOf } from '../../domain/batches-of.ts';
import { settleAll } from '../../domain/settle-all.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ScanTable } from '../../storage/sdk-client/table-scan.ts';
import { type SessionRecord, toSession } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { SignIns } from '../../storage/sessions/sign-ins.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { Item, ItemKey } from '../../storage/table.ts';
import { markCustomerEnded } from './customer-sessions.ts';

type StoreSessionsDeps = {
  readonly scan: ScanTable;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly logger: Logger;
  readonly now: () => number;
  /** Called after each page, for display. */
  readonly progress: (text: string) => void;
};
type StoreSessionsRequest = {
  readonly store: StoreRecord;
  /** The position at which an earlier run stopped. */
  readonly from?: ItemKey | undefined;
  /** The run ends after the page in which this many were ended. */
  readonly maximum: number;
  /** True to count them without ending any. */
  readonly isDryRun: boolean;
};
export type StoreSessionsReport = {
  /** How many this run has ended; in a dry run, how many it would end. */
  readonly ended: number;
  /** How many had already ended. */
  readonly before: number;
  /** The position to continue from; undefined when the whole table was read. */
  readonly next: ItemKey | undefined;
};

/** A page failed; all before its position is done. The run can be repeated from there, or from the start. */
export class StoppedAt extends Error {
  readonly report: StoreSessionsReport;

  constructor(report: StoreSessionsReport, cause: unknown) {
    super('Not all sign-ins were ended.', { cause });
    this.name = 'StoppedAt';
    this.report = report;
  }
}

const CONCURRENCY = 10;

/**
 * Ends the sessions, page by page of the table. Each revocation is logged, because restoring the table replays them.
 * Customers who sign in during the run are not affected; a completed sign-in without a session creates none.
 * @throws StoppedAt when the table fails
 */
export async function revokeStoreSessions(
  deps: StoreSessionsDeps,
  { store, from, maximum, isDryRun }: StoreSessionsRequest,
): Promise<StoreSessionsReport> {
  const filter = {
    filter: 'shopId = :shopId AND (begins_with(sk, :session) OR sk = :signIn)',
    values: { ':shopId': store.shopId, ':session': 'SESSION#', ':signIn': 'SIGN_IN' },
  };
  let report: StoreSessionsReport = { ended: 0, before: 0, next: from };
  do {
    try {
      const { items, nextKey } = await deps.scan(filter, report.next);
      const found = items.filter(({ sk }) => sk !== 'SIGN_IN').flatMap((item) => toSession(item) ?? []);
      const active = found.filter(({ status }) => status === 'active');
      if (!isDryRun) await endAll(deps, { active, committed: items.filter(isCommitted) });
      const before = report.before + found.length - active.length;
      report = { ended: report.ended + active.length, before, next: nextKey };
    } catch (error) {
      throw new StoppedAt(report, error);
    }
    deps.progress(`${report.ended} sign-ins ${isDryRun ? 'found' : 'ended'} so far`);
  } while (report.next !== undefined && report.ended < maximum);
  return report;
}

type Page = { readonly active: readonly SessionRecord[]; readonly committed: readonly Item[] };

/** First prevents new sessions of earlier sign-ins, then ends the sessions. */
async function endAll(deps: StoreSessionsDeps, { active, committed }: Page): Promise<void> {
  const customers = new Map(active.map((session) => [session.customerId, session]));
  await mapWithConcurrency(committed, ({ nonceHash }) => deps.signIns.delete(nonceHash as NonceHash));
  await mapWithConcurrency([...customers.values()], (customer) =>
    markCustomerEnded(deps, customer, { reason: 'operator' }),
  );
  await mapWithConcurrency(active, (session) => revokeSession(deps, session, { reason: 'operator' }));
}

/** Whether the sign-in is completed, and may not have its session yet. */
function isCommitted({ sk, state, seed }: Item): boolean {
  return sk === 'SIGN_IN' && state === 'done' && seed !== undefined;
}

async function mapWithConcurrency<Of>(
  all: readonly Of[],
  work: (one: Of) => Promise<unknown>,
): Promise<void> {
  for (const some of batchesOf(all, CONCURRENCY)) await settleAll(some.map(work));
}
