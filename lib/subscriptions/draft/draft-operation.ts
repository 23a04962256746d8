/**
 * A draft operation declares what it reads first, what it then decides, and which draft mutations make the change.
 * decide-draft.ts does the rest, in the same way for all of them.
 */
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import type { ChangeIntent, RecordAlso } from '../../timeline/begin-change.ts';
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { DiscountFacts } from '../discount-facts.ts';
import type { AppliedOutcome, OperationDeps, OperationRequest } from '../operation.ts';
import type { Fault, OperationError, OperationOutcome } from '../operation-error.ts';
import type { ContractState, StateSelection } from '../read-contract-state.ts';
import type { DraftLines } from './draft-lines.ts';

type Locals = OperationOutcome['locals'];
type Variables = Readonly<Record<string, unknown>>;

export type DraftOperation<State extends ContractState> = {
  /** The client's argument that names the contract. */
  readonly contractArgument: 'contractId' | 'subscriptionContractId';
  readonly reads: StateSelection;
  /**
   * Called again with fresh state after STALE_CONTRACT. The contract exists, its owner is verified, and it has not
   * ended.
   */
  readonly decide: (state: State) => DraftDecision<State> | Promise<DraftDecision<State>>;
};

export type Refusal = {
  readonly kind: 'refused';
  readonly userErrors: readonly OperationError[];
  readonly locals?: Locals;
};

export type DraftDecision<State> =
  | Refusal
  /** The contract is already in the requested state and is returned unchanged. */
  | { readonly kind: 'unchanged'; readonly locals?: Locals }
  | DraftedChange<State>;

export type DraftedChange<State> = {
  readonly kind: 'change';
  readonly intent: Omit<ChangeIntent, 'contractId'>;
  /** The selection below the draft when it is opened. */
  readonly opening?: DraftSelection;
  /** The draft's mutations, in order; a function if they depend on the opened draft. */
  readonly mutations: readonly DraftMutation[] | ((draft: OpenedDraft) => Promise<Prepared | Refusal>);
  /**
   * Follow-up mutations in the same draft. `changed` has what `opening` selects, read after the last mutation. The
   * facts are added to the intent before the commit.
   */
  readonly followUp?: (changed: OpenedDraft) => Promise<Prepared | Refusal>;
  /**
   * The actual changes, if only the payloads of the mutations show them; the payloads have the order of `mutations`.
   */
  readonly changedBy?: (payloads: readonly Variables[]) => readonly ChangedFact[];
  /** Whether a contract that is read after a lost commit shows the change. */
  readonly isDone: (state: State) => boolean;
  /** The contract's discounts before the change, if the change affects goods or their prices. */
  readonly discounts?: readonly DraftDiscount[];
  /**
   * Work after the commit that belongs to the same intent. It records its changes before it makes them. If it throws,
   * the intent stays open.
   */
  readonly afterCommit?: (committed: AppliedOutcome, recordAlso: RecordAlso) => Promise<AppliedOutcome>;
  readonly locals?: Locals;
};

export type DraftSelection = {
  readonly selection: string;
  readonly declarations: readonly string[];
  readonly variables: Variables;
};

/** An open draft: `data` has what `opening` selects, `errors` the errors of that selection. */
export type OpenedDraft = {
  readonly id: string;
  readonly data: Variables;
  /** Undefined unless a customer is acting. */
  readonly lines: DraftLines | undefined;
  readonly errors: readonly PlatformError[];
};

export type Prepared = {
  readonly kind: 'prepared';
  readonly mutations: readonly DraftMutation[];
  /** The actual changes, if they differ from the intent's. */
  readonly changed?: readonly ChangedFact[];
  readonly locals?: Locals;
};

/** One draft mutation, and how its errors are mapped for the client. */
export type DraftMutation = {
  /** For example `subscriptionDraftLineUpdate`. */
  readonly mutation: string;
  /** Its arguments except `draftId`, with their types: `{ input: ['SubscriptionLineInput!', { … }] }`. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /** Returns the client's argument for the platform's `field`. Never a draft's field. */
  readonly blame: (field: readonly string[]) => readonly string[] | null;
  /** Errors for codes of the platform for which `toOwnError` is too general. */
  readonly refusals?: Readonly<Record<string, (fault: Fault) => OperationError>>;
  /** The selection below the payload, for `refuse` and `changedBy`. */
  readonly selection?: string;
  /** Returns a refusal that the payload implies although it lists no user error. */
  readonly refuse?: (payload: Variables) => OperationError | undefined;
};

export type DraftDiscount = DiscountFacts & { readonly id: string };

/** A draft operation in progress. */
export type DraftRun<State extends ContractState> = {
  readonly deps: OperationDeps;
  readonly request: OperationRequest;
  readonly operation: DraftOperation<State>;
  /** In the platform's namespace. */
  readonly contractId: string;
};
