/**
 * A change may have further steps after the platform's commit: for example, skips are restored, or the order is moved. If its
 * process crashed in between, the scheduled work completes the change. A higher layer provides the code of each action's steps.
 */
import type { TimeZone } from '../../domain/time-zone.ts';
import type { AdminResponse } from '../../platform/admin-api/admin-response.ts';
import type { BudgetedOperation } from '../../platform/admin-api/send-within-budget.ts';
import type { Table } from '../../storage/table.ts';
import type { CommonEventFields } from '../event-record.ts';
import type { OpenIntent } from '../intent.ts';
import type { OpenChange } from '../run-change.ts';

/**
 * Completes the change of an open intent. Idempotent. Returns `done` if the change consists of these steps alone, and they are
 * made; `not done` if the change was undone; undefined if the contract's state decides.
 */
export type FinishChange = (
  deps: FinishDeps & Pick<OpenChange, 'recordAlso'>,
  change: { readonly intent: OpenIntent } & OtherChanges,
) => Promise<'done' | 'not done' | undefined>;

/** Other changes of the contract, oldest first. */
export type OtherChanges = {
  /** Changes that started up to a minute before the intent, perhaps after the contract was read for it. */
  readonly earlierChanges: readonly CommonEventFields[];
  /** Changes that started after the intent, settled or open. */
  readonly laterChanges: readonly CommonEventFields[];
};

export type FinishDeps = {
  /** Sends one request to the platform, within the store's budget. */
  readonly sendToPlatform: (
    request: Pick<BudgetedOperation, 'document' | 'variables' | 'mutates'>,
  ) => Promise<AdminResponse>;
  readonly table: Table;
  /** The store's time zone. */
  readonly timeZone: TimeZone;
  readonly platformGidNamespace: string;
  readonly now: () => number;
};
