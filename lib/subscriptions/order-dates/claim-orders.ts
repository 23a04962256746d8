/**
 * Claims a contract's orders while a change of them is made. Each change reads the postponement record, then the
 * orders, and then claims that version of the record. So if several changes have read the same orders, one of them is
 * made, and the others are decided again.
 */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { provesNothingChanged } from '../../errors/is-outcome-unknown.ts';
import { message } from '../../messages/message.ts';
import type { RecordFurtherFacts } from '../../timeline/run-change.ts';
import { type ContractRef, parseContractRef } from '../contract-ref.ts';
import type {
  AppliedOutcome,
  OperationDecision,
  OperationDeps,
  OperationRequest,
  PlannedChange,
} from '../operation.ts';
import {
  createRefusedOutcome,
  createUserError,
  type OperationError,
  type OperationOutcome,
} from '../operation-error.ts';
import { parseOrderFacts } from './order-facts.ts';
import { withObservedOrders } from './postponed-orders.ts';
import {
  type DraftKind,
  isDateChangePending,
  type PostponementDeps,
  type PostponementRecord,
  type PostponementState,
} from './postponements.ts';

/** The dependencies of operations that change orders. */
export type ClaimDeps = OperationDeps & PostponementDeps;

/**
 * A change of orders. `dates` and `empty` are set if the change gives the postponement record other values of them.
 */
type OrdersChange = PlannedChange & Pick<PostponementState, 'dates' | 'empty'>;

/**
 * Decides on a change of a contract's orders. `record` is the postponement record of the contract, which is claimed
 * only after the decision.
 */
type DecideOnOrders = (
  record: PostponementRecord | undefined,
  ref: ContractRef,
) => Promise<OperationOutcome | OrdersChange>;

type OrdersClaimRequest = {
  /** The client's argument with the contract's id. */
  readonly argument: 'contractId' | 'subscriptionContractId';
  readonly args: OperationRequest['args'];
  /**
   * `single` is the change of one order. It needs a claim only if the contract is postponed: otherwise the platform
   * makes concurrent changes of one order one after another. A `DraftKind` is a change by a draft that moves orders:
   * of several concurrent ones the draft decides which is made, and the orders are read again after the commit.
   * Changes of the two kinds exclude each other, because the second step of one would undo that of the other.
   * Undefined for any other change.
   */
  readonly kind?: 'single' | DraftKind;
};

const DRAFT_KINDS: readonly DraftKind[] = ['interval', 'resumption'];

/**
 * Decides on a change of orders, and makes it while the orders are claimed. Returns CONCURRENT_UPDATE without a
 * change while another change of the orders is in progress.
 */
export async function decideWithOrdersClaimed(
  deps: ClaimDeps,
  claimRequest: OrdersClaimRequest,
  decide: DecideOnOrders,
): Promise<OperationDecision> {
  const { argument, args, kind } = claimRequest;
  const ref = parseContractRef(deps.store.shopId, String(args[argument]));
  if (ref === undefined) throw new Error('the schema takes no such id');
  const record = await deps.postponements.read(ref);
  const claimDecision = await decide(record, ref);
  if (!('apply' in claimDecision)) return claimDecision;
  const isAnyPostponed = record?.dates !== undefined || record?.latest !== undefined;
  const needsNoClaim = kind === 'single' && !isAnyPostponed;
  const draft = kind === 'single' ? undefined : kind;
  const allowedKinds = needsNoClaim ? DRAFT_KINDS : draft && [draft];
  if (isDateChangePending(record, deps.now(), allowedKinds))
    return createRefusedOutcome([ordersBeingChangedError(argument)]);
  if (needsNoClaim) return claimDecision;
  const { apply, restart, dates, empty, intent } = claimDecision;
  const intentFacts = [...intent.changes, ...(intent.further ?? [])];
  const applyAndList = (recordAlso: RecordFurtherFacts) =>
    apply(async (further) => {
      intentFacts.push(...further);
      await recordAlso(further);
    });
  let decideAgain = decide;
  return {
    ...claimDecision,
    apply: async (recordAlso) => {
      const claimResult = await claimOrders(deps, { ref, record, draft });
      if (claimResult === undefined) return 'stale';
      decideAgain = restart ?? decide;
      const { latest } = claimResult;
      const ordersAfter = () =>
        [...parseOrderFacts(intentFacts)].map(
          ([cycleIndex, { stateAfter }]) => [cycleIndex, stateAfter] as const,
        );
      return runWithClaimedOrders(deps, claimResult, {
        apply: () => applyAndList(recordAlso),
        stateAfter: () => ({
          dates: dates ?? claimResult.dates,
          empty,
          latest: latest && withObservedOrders({ ...claimResult, latest }, ordersAfter()),
        }),
      });
    },
    restart: () => decideWithOrdersClaimed(deps, claimRequest, decideAgain),
  };
}

/** Returns CONCURRENT_UPDATE: another change of the contract's orders is in progress. */
export function ordersBeingChangedError(
  argument: OrdersClaimRequest['argument'] = 'contractId',
): OperationError {
  const fieldAndMessage = { field: [argument], message: message('ordersBeingChanged') };
  return createUserError('CONCURRENT_UPDATE', fieldAndMessage);
}

type OrdersClaim = {
  readonly ref: ContractRef;
  readonly record: PostponementRecord | undefined;
  readonly draft?: DraftKind | undefined;
};

/**
 * Claims the orders for a change that the scheduled work does not finish from the record. The claim ends with
 * `postponements.end`, or after a minute.
 * @returns undefined when another change of the orders was made since the record was read, or is in progress
 */
export function claimOrders(
  { postponements, now }: PostponementDeps & Pick<OperationDeps, 'now'>,
  { ref, record, draft }: OrdersClaim,
): Promise<PostponementRecord | undefined> {
  const pendingChange = { id: `${now()}`, startedAtMs: now(), documents: [], next: {}, draft };
  return postponements.begin({ ref, before: record, pendingChange });
}

type ClaimedChange = {
  readonly apply: () => Promise<AppliedOutcome | 'stale'>;
  /** Returns the record's state after the change. */
  readonly stateAfter: () => PostponementState;
};

/** Makes the change, and releases the claim unless the outcome is unknown. */
async function runWithClaimedOrders(
  { postponements }: PostponementDeps,
  claimedRecord: PostponementRecord,
  { apply, stateAfter }: ClaimedChange,
): Promise<AppliedOutcome | 'stale'> {
  // This write is refused if the change itself has stored other dates, which ended the claim.
  const releaseClaim = (state: PostponementState) =>
    ignoreServiceError(() => postponements.end(claimedRecord, state));
  try {
    const outcome = await apply();
    await releaseClaim(outcome === 'stale' || outcome.userErrors.length > 0 ? claimedRecord : stateAfter());
    return outcome;
  } catch (error) {
    if (provesNothingChanged(error)) await releaseClaim(claimedRecord);
    throw error;
  }
}
