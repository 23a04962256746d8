/**
 * What one draft operation says of itself: what it reads first, what it then decides, which draft mutations make
 * the change. run-draft.ts does the rest, the same for all of them.
 */
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import type { ChangeIntent } from '../../timeline/begin-change.ts';
import type { ChangedFact } from '../../timeline/changed-fact.ts';
import type { ContractFacts } from '../contract-facts.ts';
import type { OperationError, OperationOutcome } from '../operation-error.ts';
import type { RecordedOutcome } from '../recorded-change.ts';

type Locals = OperationOutcome['locals'];
type Variables = Readonly<Record<string, unknown>>;

/** The data of the first request: the contract, and whatever roots the operation adds. */
export type DraftState = { readonly contract: ContractFacts };

export type DraftSpec<State extends DraftState> = {
  /** The client's argument that names the contract. */
  readonly contractArgument: 'contractId' | 'subscriptionContractId';
  readonly reads: StateSelection;
  /** Called again with a fresh state after STALE_CONTRACT. The contract is there, its owner proved, not ended. */
  readonly decide: (state: State) => DraftDecision<State> | Promise<DraftDecision<State>>;
};

/** Read in the first request, beside the facts of the contract. Aliases of roots and variables begin with `_svc`. */
export type StateSelection = {
  /** Fields below the contract. */
  readonly contract: string;
  /** More roots of the query; `$_svcContractId` is declared. */
  readonly roots?: string;
  readonly declarations?: readonly string[];
  readonly variables?: Variables;
  /** The field below the contract that is null where the store has not granted access to it; others have to answer. */
  readonly mayBeDenied?: string;
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
  | DraftPlan<State>;

export type DraftPlan<State> = {
  readonly kind: 'change';
  readonly intent: Omit<ChangeIntent, 'contractId'>;
  /** Read below the draft when it is opened. */
  readonly opening?: DraftSelection;
  /** The draft's changes, in their order; a function where they depend on the opened draft. */
  readonly changes: readonly DraftChange[] | ((draft: OpenedDraft) => Promise<Prepared | Refusal>);
  /** What really changes, where only the changes' payloads tell; they are in the order of `changes`. */
  readonly changedBy?: (payloads: readonly Variables[]) => readonly ChangedFact[];
  /** Whether a contract read after a lost commit shows the change. */
  readonly isDone: (state: State) => boolean;
  /** Work that belongs to the same intent and follows the commit. If it throws, the intent stays open. */
  readonly afterCommit?: (committed: DraftOutcome) => Promise<DraftOutcome>;
  readonly locals?: Locals;
};

export type DraftSelection = {
  readonly selection: string;
  readonly declarations: readonly string[];
  readonly variables: Variables;
};

/** An open draft: `data` is what the plan's `opening` selected, `errors` what went wrong with it. */
export type OpenedDraft = {
  readonly id: string;
  readonly data: Variables;
  readonly errors: readonly PlatformError[];
};

export type Prepared = {
  readonly kind: 'prepared';
  readonly changes: readonly DraftChange[];
  /** What really changes, if it differs from the intent's. */
  readonly changed?: readonly ChangedFact[];
  readonly locals?: Locals;
};

/** One draft mutation. */
export type DraftChange = {
  /** For example `subscriptionDraftLineUpdate`. */
  readonly mutation: string;
  /** Its arguments beside `draftId`, with their types: `{ input: ['SubscriptionLineInput!', { … }] }`. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /** The client's argument at fault, for the platform's `field`. Never a draft's. */
  readonly blame: (field: readonly string[]) => readonly string[] | null;
  /** Our code for one of the platform's, where `toOwnCode` has a vaguer one. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Selected from the payload, for `refuse` and for the plan's `changedBy`. */
  readonly selection?: string;
  /** A refusal that the payload shows, though the platform lists no user error. */
  readonly refuse?: (payload: Variables) => OperationError | undefined;
};

/** What an operation answers, with what really changed, if it differs from the intent's. */
export type DraftOutcome = RecordedOutcome;
