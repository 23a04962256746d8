/**
 * A draft operation says what it reads first, what it then decides, and which draft mutations make the change.
 * run-draft.ts does the rest, the same for all of them.
 */
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import type { ChangeIntent, TellToo } from '../../timeline/begin-change.ts';
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { DiscountFacts } from '../discount-facts.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import type { Fault, OperationError, OperationOutcome } from '../operation-error.ts';
import type { ContractState, StateSelection } from '../read-contract-state.ts';
import type { RecordedOutcome } from '../recorded-change.ts';
import type { DraftLines } from './draft-lines.ts';

type Locals = OperationOutcome['locals'];
type Variables = Readonly<Record<string, unknown>>;

export type DraftOperation<State extends ContractState> = {
  /** The client's argument that names the contract. */
  readonly contractArgument: 'contractId' | 'subscriptionContractId';
  readonly reads: StateSelection;
  /** Called again with a fresh state after STALE_CONTRACT. The contract is there, its owner proved, not ended. */
  readonly decide: (state: State) => DraftDecision<State> | Promise<DraftDecision<State>>;
};

export type Refusal = {
  readonly kind: 'refused';
  readonly userErrors: readonly OperationError[];
  readonly locals?: Locals;
};

export type DraftDecision<State> =
  | Refusal
  /** Everything is as asked for: the contract is answered as it is. */
  | { readonly kind: 'unchanged'; readonly locals?: Locals }
  | DraftedChange<State>;

export type DraftedChange<State> = {
  readonly kind: 'change';
  readonly intent: Omit<ChangeIntent, 'contractId'>;
  /** What is read below the draft when it is opened. */
  readonly opening?: DraftSelection;
  /** The draft's mutations, in their order; a function where they depend on the opened draft. */
  readonly mutations: readonly DraftMutation[] | ((draft: OpenedDraft) => Promise<Prepared | Refusal>);
  /**
   * What follows from the changed draft, in the same draft. `changed` has what `opening` selects, read after the last
   * mutation. The facts are added to the intent before the commit.
   */
  readonly followUp?: (changed: OpenedDraft) => Promise<Prepared | Refusal>;
  /** What really changes, where only the changes' payloads tell; they are in the order of `mutations`. */
  readonly changedBy?: (payloads: readonly Variables[]) => readonly ChangedFact[];
  /** Whether a contract read after a lost commit shows the change. */
  readonly isDone: (state: State) => boolean;
  /** The contract's discounts before the change, where the change is about goods or what they cost. */
  readonly discounts?: readonly DraftDiscount[];
  /**
   * Work that belongs to the same intent and follows the commit; what it changes, it tells before it does. If it throws,
   * the intent stays open.
   */
  readonly afterCommit?: (committed: RecordedOutcome, tellToo: TellToo) => Promise<RecordedOutcome>;
  readonly locals?: Locals;
};

export type DraftSelection = {
  readonly selection: string;
  readonly declarations: readonly string[];
  readonly variables: Variables;
};

/** An open draft: `data` has what `opening` selects, `errors` what went wrong with it. */
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
  /** What really changes, if it differs from the intent's. */
  readonly changed?: readonly ChangedFact[];
  readonly locals?: Locals;
};

/** One draft mutation, and what its refusals mean to the client. */
export type DraftMutation = {
  /** For example `subscriptionDraftLineUpdate`. */
  readonly mutation: string;
  /** Its arguments beside `draftId`, with their types: `{ input: ['SubscriptionLineInput!', { … }] }`. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /** The client's argument at fault, for the platform's `field`. Never a draft's. */
  readonly blame: (field: readonly string[]) => readonly string[] | null;
  /** What the client is told for a code of the platform's, where `toOwnError` has something vaguer. */
  readonly refusals?: Readonly<Record<string, (fault: Fault) => OperationError>>;
  /** What is selected from the payload, for `refuse` and `changedBy`. */
  readonly selection?: string;
  /** A refusal that the payload shows, though the platform lists no user error. */
  readonly refuse?: (payload: Variables) => OperationError | undefined;
};

export type DraftDiscount = DiscountFacts & { readonly id: string };

/** A draft operation under way. */
export type DraftRun<State extends ContractState> = {
  readonly deps: OperationDeps;
  readonly request: OperationRequest;
  readonly operation: DraftOperation<State>;
  /** As the platform names it. */
  readonly contractId: string;
};
