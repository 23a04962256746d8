/**
 * The type of a draft operation. It declares what it reads first, how it decides, and which draft mutations make the
 * change. decide-draft.ts runs every operation from this declaration.
 */
import type { Instant } from '../../domain/instant.ts';
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import type { FactChange } from '../../timeline/facts.ts';
import type { ChangeIntent, RecordFurtherFacts } from '../../timeline/run-change.ts';
import type { DiscountFacts } from '../discount-facts.ts';
import type { AppliedOutcome, OperationDeps, OperationRequest } from '../operation.ts';
import type { ArgumentFault, OperationError, OperationOutcome } from '../operation-error.ts';
import type { ContractState, StateSelection } from '../read-contract-state.ts';
import type { PricedDraftLines } from './draft-lines.ts';

type OutcomeLocals = OperationOutcome['locals'];
type GraphqlVariables = Readonly<Record<string, unknown>>;

export type DraftOperation<State extends ContractState> = {
  /** The client's argument with the contract's id. */
  readonly contractArgument: 'contractId' | 'subscriptionContractId';
  readonly reads: StateSelection;
  /**
   * Decides on the change. Called again with a new state after STALE_CONTRACT. The contract exists, has not ended, and
   * belongs to the acting customer.
   */
  readonly decide: (state: State) => DraftDecision<State> | Promise<DraftDecision<State>>;
};

export type DraftOperationRefusal = {
  readonly kind: 'refused';
  readonly userErrors: readonly OperationError[];
  readonly locals?: OutcomeLocals;
};

export type DraftDecision<State> =
  | DraftOperationRefusal
  /** The contract is already in the requested state. It is returned without a change. */
  | { readonly kind: 'unchanged'; readonly locals?: OutcomeLocals }
  | DraftedChange<State>;

export type DraftedChange<State> = {
  readonly kind: 'change';
  readonly intent: Omit<ChangeIntent, 'contractId'>;
  /** The selection to read of the draft when it is opened. */
  readonly opening?: DraftSelection;
  /** The draft's mutations, in order. A function when they depend on the opened draft. */
  readonly mutations:
    | readonly DraftMutation[]
    | ((draft: OpenedDraft) => Promise<PreparedDraft | DraftOperationRefusal>);
  /**
   * Returns further mutations for the same draft. `changed` has the data that `opening` selects, read after the last
   * mutation. The facts that it returns are added to the intent before the commit.
   */
  readonly followUp?: (changed: OpenedDraft) => Promise<PreparedDraft | DraftOperationRefusal>;
  /** Returns the facts that changed, when only the payloads show them. The payloads have the order of `mutations`. */
  readonly changedBy?: (payloads: readonly GraphqlVariables[]) => readonly FactChange[];
  /** Whether a contract that is read after a lost response to the commit shows the change. */
  readonly isDone: (state: State) => boolean;
  /** When the next order is due after the change; by default at its present date. */
  readonly nextDate?: NextOrderDate;
  /** The contract's discounts before the change. Set when the change affects goods or their prices. */
  readonly discounts?: readonly DraftDiscount[];
  /**
   * Work after the commit that belongs to the same intent. It records its facts before it changes anything. If it
   * throws, the intent stays open, and the scheduled work decides it.
   */
  readonly afterCommit?: (
    committed: AppliedOutcome,
    recordAlso: RecordFurtherFacts,
  ) => Promise<AppliedOutcome>;
  readonly locals?: OutcomeLocals;
};

/** When the next order is due after a change: `kept` at its present date, an instant, or `unknown` until the commit. */
export type NextOrderDate = 'kept' | 'unknown' | Instant;

export type DraftSelection = {
  readonly selection: string;
  readonly declarations: readonly string[];
  readonly variables: GraphqlVariables;
};

/** An open draft. `data` is what `opening` selects, `errors` are the platform's errors in that selection. */
export type OpenedDraft = {
  readonly id: string;
  readonly data: GraphqlVariables;
  /** The draft's lines with prices. Undefined when no customer is acting. */
  readonly lines: PricedDraftLines | undefined;
  readonly errors: readonly PlatformError[];
};

export type PreparedDraft = {
  readonly kind: 'prepared';
  readonly mutations: readonly DraftMutation[];
  /** The facts that change, if they differ from those of the intent. */
  readonly changed?: readonly FactChange[];
  readonly locals?: OutcomeLocals;
};

/** One mutation of a draft, and how its user errors are converted for the client. */
export type DraftMutation = {
  /** The platform's mutation, for example `subscriptionDraftLineUpdate`. */
  readonly mutation: string;
  /** Its arguments except `draftId`, each with type and value: `{ input: ['SubscriptionLineInput!', { … }] }`. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /**
   * Returns the client's argument for the `field` of a platform's user error. The client does not know the draft's
   * fields.
   */
  readonly toClientField: (field: readonly string[]) => readonly string[] | null;
  /** How to convert certain codes of the platform for which `toServiceUserError` is too general, by code. */
  readonly refusals?: Readonly<Record<string, (fault: ArgumentFault) => OperationError>>;
  /** The selection of the payload that `refuse` and `changedBy` read. */
  readonly selection?: string;
  /**
   * Finds an error in the payload of a mutation to which the platform listed no user error, such as a discount code that it
   * added but cannot apply. The change is then refused with it.
   */
  readonly refuse?: (payload: GraphqlVariables) => OperationError | undefined;
};

export type DraftDiscount = DiscountFacts & { readonly id: string };

/** A draft operation in progress, with its request. */
export type DraftRun<State extends ContractState> = {
  readonly deps: OperationDeps;
  readonly request: OperationRequest;
  readonly operation: DraftOperation<State>;
  /** The contract's global id at the platform. */
  readonly contractId: string;
};
