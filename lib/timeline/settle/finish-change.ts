/**
 * A change may have steps after the platform's commit (skips are restored, the order is moved). The scheduled work
 * completes a change that crashed in between. The code of the steps is in a higher layer, so it is injected by action.
 */
import type { TimeZone } from '../../domain/time-zone.ts';
import type { AdminResponse } from '../../platform/admin-api/admin-response.ts';
import type { BudgetedOperation } from '../../platform/admin-api/send-within-budget.ts';
import type { Table } from '../../storage/table.ts';
import type { CommonEventFields } from '../event-record.ts';
import type { OpenIntent } from '../intent.ts';
import type { OpenChange } from '../run-change.ts';

/**
 * Completes the change. Idempotent. Returns `done` if the remaining steps were the whole change, and are made; `not done`
 * if the change was undone.
 */
export type FinishChange = (
  deps: FinishDeps & Pick<OpenChange, 'recordAlso'>,
  change: { readonly intent: OpenIntent } & OtherChanges,
) => Promise<'done' | 'not done' | undefined>;

/** Other changes of the contract, oldest first. */
export type OtherChanges = {
  /** Changes that started up to a minute before the intent, perhaps after the contract was read for it. */
  readonly earlier: readonly CommonEventFields[];
  /** Changes that started after the intent, settled or open. */
  readonly later: readonly CommonEventFields[];
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
