/**
 * The types of a root field in each phase (compiled, running, in the response), and its handler, which has a method for
 * each phase. The handlers are in graphql/roots.
 */
import type { FragmentDefinitionNode } from 'graphql';
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import type { FlattenedField, IncludeCondition, Variables } from './client-document.ts';
import type { FieldShape } from './response-shape.ts';
import type { ResultError } from './result-error.ts';
import type { LocatedError, ResponseContext, RootOutcome, RootRefusal } from './root-response.ts';
import type { IntrospectedDocument, RunContext } from './run-context.ts';
import type { InjectedArgument, UpstreamWriter } from './upstream-document.ts';
import type { ResponseWalk } from './walk.ts';

/** An internal variable that decides whether one upstream field runs. */
export type RootRunVariable = { readonly variable: string; readonly when: readonly IncludeCondition[] };

/** The access to a root. `owned`: only if its arguments have an owned id, and all of them pass the ownership check. */
type RootAccess = 'open' | 'owned' | 'closed';

/** A root field of a query or a mutation. `Special`: what its handler has compiled. */
export type CompiledRoot<Special = unknown> = {
  readonly key: string;
  readonly name: string;
  /** Its type in the service's schema, for example `SubscriptionContract`. */
  readonly type: string;
  /** The client's conditions. The response has the root if one of these lists holds. */
  readonly when: readonly (readonly IncludeCondition[])[];
  readonly access: RootAccess;
  readonly injected: readonly InjectedArgument[];
  readonly runVariables: readonly RootRunVariable[];
  /** Values of its variables when the client's conditions exclude the root, and no other root has set them. */
  readonly idleVariables: Variables;
  /** The response keys of this root at the platform, each with its path in the client's response. */
  readonly clientPathByPlatformKey: ReadonlyMap<string, readonly (string | number)[]>;
  /**
   * The keys that are non-null at the platform and nullable in the service's schema. A null at one of them removes the
   * whole response.
   */
  readonly nullsAll: ReadonlySet<string>;
  /** Reads the root's value from the platform's `data`; undefined when it is absent. */
  readonly read: (data: Readonly<Record<string, unknown>>) => unknown;
  readonly shape: FieldShape;
  /** Whether the root also accepts ids of objects that a catalogue root shows to every client. */
  readonly opensCatalogue: boolean;
  readonly handler: RootHandler<Special>;
  /** The compiled part of the handler; undefined when the client's response differs from the platform's only in ids. */
  readonly special: Special;
};

/**
 * The methods that compile, run and answer the root fields of certain names, one for each phase. `Special`: what
 * `compile` returns for the later phases. `Found`: what `follow` returns for `respond`.
 */
export type RootHandler<Special = unknown, Found = unknown> = {
  /** Compiles the root fields that share a response key: they are the same field with the same arguments. */
  compile(context: RootCompileContext, fieldsAtKey: RootFieldsAtKey): WrittenRoot<Special>;
  /**
   * Whether the service builds the lists of such roots itself. Errors of their arguments then have the service's codes
   * for merchants, too.
   */
  readonly hasOwnLists?: boolean;
  /** Whether a root with this handler sends further requests after the first response. */
  readonly sendsFollowUp?: boolean;
  /** Starts a root with the client's variables. Without this method, the root's arguments are evaluated. */
  start?(context: RunContext, root: CompiledRoot<Special>, variables: Variables): RunningRoot<Special>;
  /**
   * Reads from the table what the roots with this handler need before the first request, in one call for all of them.
   * @returns values of internal variables
   */
  prepare?(context: RunContext, roots: readonly RunningRoot<Special>[]): Promise<Variables>;
  /**
   * Reads the first response.
   * @returns the internal variables that change, so that the request is sent again; undefined when none changes
   */
  findChangedVariables?(
    context: RunContext,
    root: CompiledRoot<Special>,
    firstResponse: { readonly data: Variables; readonly internalVariables: Variables },
  ): Promise<Variables | undefined>;
  /**
   * Sends what roots with this handler need after the first response, in one call for all of them. A rejected root is not among
   * them.
   * @returns what was found for each root, in their order
   */
  follow?(
    context: RunContext,
    roots: readonly RunningRoot<Special>[],
    firstResponse: FirstResponse,
  ): Promise<readonly Found[]>;
  /** Builds the root's part of the response. Without this method, the walk converts the platform's value. */
  respond?(request: RootResponseRequest, root: CompiledRoot<Special>, found: Found): RootResponse;
};

/** The ids of a root that need an ownership check, in the platform's namespace. */
export type IdsToCheck = {
  readonly nodes: readonly string[];
  readonly addresses: readonly string[];
  readonly contents: readonly { readonly owner: 'LINE' | 'DISCOUNT'; readonly id: string }[];
};

/** A running root: its open ownership checks, and its outcome as far as it is known. */
export type RunningRoot<Special = unknown> = {
  readonly root: CompiledRoot<Special>;
  /** The ownership checks that must pass before the client gets any part of the root. */
  readonly idsToCheck: IdsToCheck;
  /** Whether its own field is sent as long as it has no outcome. */
  readonly isSent: boolean;
  /** Whether a request must be sent even without this root's own field, because the root needs another field in it. */
  readonly needsRequest?: boolean;
  /** Ids whose ownership is checked separately, and the outcome of the root that results. */
  readonly separateChecks?: SeparateOwnershipChecks;
  /** The values of its internal variables. */
  readonly values: Variables;
  /** The outcome, or undefined when the platform's response is the root's. */
  readonly outcome: RootOutcome | undefined;
};

type SeparateOwnershipChecks = {
  readonly ids: readonly string[];
  /** `findRefusal` returns the refusal of some of the ids, or undefined when all of them passed the ownership check. */
  readonly resolve: (findRefusal: (ids: readonly string[]) => RootRefusal | undefined) => RootOutcome;
};

/** The platform's first response, and its request. */
export type FirstResponse = QueryVariables & {
  readonly planId: string;
  /** The platform's response, or undefined when nothing was sent. */
  readonly platformResponse: AdminResponse | undefined;
  readonly document: IntrospectedDocument['document'];
};

/** The client's variables and the internal variables. */
type QueryVariables = { readonly variables: Variables; readonly internalVariables: Variables };

/** The request whose roots are being answered. */
export type RootResponseRequest = {
  readonly context: ResponseContext;
  /** The platform's response, or undefined when nothing was sent. */
  readonly platformResponse: AdminResponse | undefined;
  readonly variables: Variables;
};

/** The value and the errors of one root field in the client's response. */
export type RootResponse = {
  readonly value: unknown;
  /** The walk over the value, whose service fields are filled in later, with the platform's errors below the root. */
  readonly walked?: { readonly walk: ResponseWalk; readonly platformErrors: readonly LocatedError[] };
  /** Errors of the root. The errors of the walk come first. */
  readonly errors: readonly ResultError[];
  /** Whether a null of the root makes `data` null. */
  readonly nullsData?: boolean;
  /** Whether the cost would reveal that an object exists. */
  readonly hidesCost?: boolean;
};

export type ActingRootDecision =
  /** The root has no data of customers: it is not limited to the acting customer. */
  | { readonly kind: 'catalogue' }
  /** The root is the service's own, and only reaches data of the acting customer. */
  | { readonly kind: 'self' }
  /** The root reads this path at the platform instead, for example `customer.orders` in place of `orders`. */
  | { readonly kind: 'narrowed'; readonly to: string }
  /** The root runs if its arguments have at least one owned id, and all of them pass the ownership check. */
  | { readonly kind: 'owned' }
  | { readonly kind: 'closed' };

/**
 * Returns the handler of a root field, or undefined when the field is forwarded unchanged or not sent. A rarely used handler
 * is loaded on demand, so the result may be a promise.
 */
export type FindRootHandler = (
  rootType: RootCompileContext['rootType'],
  name: string,
  decision: ActingRootDecision | undefined,
) => RootHandler | undefined | Promise<RootHandler>;

export type RootCompileContext = {
  readonly writer: UpstreamWriter;
  readonly rootType: 'QueryRoot' | 'Mutation';
  readonly isActing: boolean;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly budget: { remaining: number };
  /** The root's position among the operation's roots. */
  readonly index: number;
};

/** Root fields that share a response key, with their access. */
export type RootFieldsAtKey = {
  readonly key: string;
  readonly fields: readonly FlattenedField[];
  readonly access: RootAccess;
  /** The policy's decision for the root, or undefined when no customer is acting. */
  readonly decision: ActingRootDecision | undefined;
};

/** A compiled root, without the internal arguments that its writer has collected. */
export type WrittenRoot<Special = unknown> = {
  readonly root: Omit<CompiledRoot<Special>, 'injected' | 'handler'>;
  /** Its texts in the upstream document, one for each place in the client's document. */
  readonly texts: readonly string[];
};
