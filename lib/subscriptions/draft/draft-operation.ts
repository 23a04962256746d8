/**
 * The type of a draft operation: a declaration of what it reads first, how it decides, and which draft mutations make
 * the change. decide-draft.ts runs all operations of this type.
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
/** Values of GraphQL fields or variables, by name. */
type GraphqlObject = Readonly<Record<string, unknown>>;

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
  /** What is selected of the draft in the request that opens it. */
  readonly openingSelection?: DraftSelection;
  /** The draft's mutations, in order. A function when they depend on the opened draft. */
  readonly mutations:
    | readonly DraftMutation[]
    | ((draft: OpenedDraft) => Promise<PreparedMutations | DraftOperationRefusal>);
  /**
   * Returns additional mutations for the same draft, which depend on its content after `mutations`. `changedDraft`
   * has the fields of `openingSelection`, read after the last of `mutations`. The changed facts that it returns are
   * added to the intent before the commit.
   */
  readonly followUp?: (changedDraft: OpenedDraft) => Promise<PreparedMutations | DraftOperationRefusal>;
  /**
   * Returns the changed facts, if only the payloads of the draft's mutations contain them. The payloads are in the
   * order of `mutations`.
   */
  readonly factsOfPayloads?: (payloads: readonly GraphqlObject[]) => readonly FactChange[];
  /**
   * Whether the state shows the change. Called with a state that is read after the response to the commit was lost.
   */
  readonly showsChange: (state: State) => boolean;
  /** When the next order is due after the change. Only previews use it. By default its present date. */
  readonly nextDate?: NextOrderDate;
  /** The contract's discounts before the change. Set when the change affects goods or their prices. */
  readonly discounts?: readonly DraftDiscount[];
  /**
   * The work after the commit, within the same intent. It must record its facts before it changes anything. If it
   * throws, the intent stays open, and the scheduled work decides the intent.
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
  readonly variables: GraphqlObject;
};

/**
 * An open draft. `selectedFields` has the fields that the request selected in addition to the lines; `errors` has the
 * platform's errors of that request.
 */
export type OpenedDraft = {
  readonly id: string;
  readonly selectedFields: GraphqlObject;
  /** The draft's lines with prices. Undefined when no customer is acting. */
  readonly lines: PricedDraftLines | undefined;
  readonly errors: readonly PlatformError[];
};

export type PreparedMutations = {
  readonly kind: 'prepared';
  readonly mutations: readonly DraftMutation[];
  /** The facts that these mutations change. Absent when they are those that the intent has recorded. */
  readonly changedFacts?: readonly FactChange[];
  readonly locals?: OutcomeLocals;
};

/** One mutation of a draft, and how its user errors are converted for the client. */
export type DraftMutation = {
  /** The platform's mutation, for example `subscriptionDraftLineUpdate`. */
  readonly mutation: string;
  /**
   * The arguments of the mutation except `draftId`, each with type and value: `{ input: ['SubscriptionLineInput!', {
   * … }] }`.
   */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /**
   * Returns the path of the client's argument for the `field` of a user error of the platform: the client does not
   * know the fields of the draft.
   */
  readonly toClientField: (field: readonly string[]) => readonly string[] | null;
  /** Converters for codes of the platform, by code, where `toServiceUserError` is too general. */
  readonly errorConverters?: Readonly<Record<string, (fault: ArgumentFault) => OperationError>>;
  /** What is selected of the payload. `findPayloadError` and `factsOfPayloads` read it. */
  readonly selection?: string;
  /**
   * Finds an error in the payload of a mutation for which the platform reported no user error, such as a discount
   * code that was added but cannot be applied. The change is then refused with this error.
   */
  readonly findPayloadError?: (payload: GraphqlObject) => OperationError | undefined;
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
