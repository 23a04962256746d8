/**
 * A change may have work that follows the platform's commit (skips are put back, the order is moved). The scheduled
 * work does it for a change that broke off in between. Who knows the work lies above, so it is passed in, by action.
 */
import type { AdminAnswer } from '../../platform/admin-api/admin-answer.ts';
import type { BudgetedOperation } from '../../platform/admin-api/store-budget.ts';
import type { Table } from '../../storage/table.ts';
import type { EventFacts } from '../event-record.ts';
import type { OpenIntent } from '../intent.ts';
import type { OpenChange } from '../run-change.ts';

/** Does the work, perhaps for the second time. `done`: the work was all of the change, and is done. */
export type FinishChange = (
  deps: FinishDeps & Pick<OpenChange, 'recordAlso'>,
  change: { readonly intent: OpenIntent } & OtherChanges,
) => Promise<'done' | undefined>;

/** Other changes of the contract, oldest first. */
export type OtherChanges = {
  /** Begun up to a minute before the intent, and made: perhaps after the contract was read for it. */
  readonly earlier: readonly EventFacts[];
  /** Begun after the intent: made, or still open. */
  readonly later: readonly EventFacts[];
};

export type FinishDeps = {
  /** Sends one request to the platform, within the store's budget. */
  readonly ask: (
    request: Pick<BudgetedOperation, 'document' | 'variables' | 'mutates'>,
  ) => Promise<AdminAnswer>;
  readonly table: Table;
  readonly platformGidNamespace: string;
  readonly now: () => number;
};
