/** A compiled operation: what is sent, what has to be proved, how the answer becomes the client's. */
import type { DocumentNode, FieldNode } from 'graphql';
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import type { OwnError, RootOutcome } from '../answer/answer-builder.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Surface } from '../schema/schema.ts';
import type { ForwardedChange } from './forwarded-change.ts';
import type { OwnPayload } from './own-payload.ts';
import type { RewriteText } from './rewrite-text.ts';
import type { Condition, FieldShape } from './selection/answer-shape.ts';
import type { FlatField } from './selection/flatten-selection.ts';
import type { ServiceSelection } from './selection/service-selection.ts';
import type { InjectedArgument, UpstreamDocument, Variables } from './selection/upstream-writer.ts';

/** A variable of ours that lets one upstream field run. */
export type RunVariable = { readonly variable: string; readonly when: readonly Condition[] };

/** How far a root is open. `owned`: if every owned id in its arguments is proved, and there is one. */
export type RootAccess = 'open' | 'owned' | 'closed';

/** A root field of a query or a mutation. */
export type CompiledRoot = {
  readonly key: string;
  readonly name: string;
  /** In our schema, for example `SubscriptionContract`. */
  readonly type: string;
  /** The client's own conditions; the root is there if one of them holds. */
  readonly when: readonly (readonly Condition[])[];
  readonly access: RootAccess;
  readonly injected: readonly InjectedArgument[];
  readonly run: readonly RunVariable[];
  /** Response keys of this root at the platform, and the path that stands for each at the client's. */
  readonly upstream: ReadonlyMap<string, readonly (string | number)[]>;
  /** Those of them that are non-null at the platform and not with us: their null takes the whole answer along. */
  readonly nullsAll: ReadonlySet<string>;
  /** Undefined: absent. `data` is the platform's. */
  readonly read: (data: Readonly<Record<string, unknown>>) => unknown;
  readonly shape: FieldShape;
  /** Of a root whose value is made here. */
  readonly selection?: ServiceSelection;
  /** Roots that are not simply forwarded. */
  readonly special: RootSpecial | undefined;
};

export type RootSpecial =
  | { readonly kind: 'typename'; readonly value: string }
  | { readonly kind: 'introspection'; readonly fields: readonly FieldNode[] }
  /** By the names of its fields; the platform is not asked. */
  | { readonly kind: 'made here'; readonly make: (context: RunContext) => Readonly<Record<string, unknown>> }
  /** Ids of any type, proved one by one; entries of timelines are found here. */
  | {
      readonly kind: 'objects';
      readonly argument: InjectedArgument;
      readonly isList: boolean;
      /** Of an entry. */
      readonly selection: ServiceSelection;
      /** Where the platform answers what belongs into entries: by contract. Undefined: nothing does. */
      readonly parts: { readonly key: string; readonly ids: string; readonly run: string } | undefined;
    }
  /** Read through the acting customer; a search is refused. */
  | { readonly kind: 'narrowed'; readonly isRefused: (variables: Variables) => boolean }
  /** An argument that the platform requires and we do not. */
  | { readonly kind: 'required'; readonly argument: InjectedArgument; readonly message: string }
  /** The first answer tells what else has to be asked. */
  | { readonly kind: 'followed'; readonly follow: Follow };

/** What a root asks of the platform once it is proved, and what comes of it. */
export type Follow = (request: FollowRequest) => Promise<Extract<RootOutcome, { kind: 'followed' }>>;

export type FollowRequest = {
  readonly context: RunContext;
  /** Of the plan and the root. */
  readonly planId: string;
  readonly answer: AdminAnswer;
  /** The platform's errors below the root, by paths at the client's. */
  readonly errors: readonly OwnError[];
  readonly variables: Variables;
  readonly ours: Variables;
};

export type QueryPlan = {
  readonly kind: 'query';
  readonly roots: readonly CompiledRoot[];
  readonly upstream: UpstreamDocument;
  /** Whether ids in the client's arguments may have to be proved by the platform. */
  readonly isProving: boolean;
  /** Set if answers need not be read. */
  readonly rewriteText: RewriteText | undefined;
};

/** One root of a mutation: a request of its own. */
export type CompiledMutation = {
  readonly root: CompiledRoot;
  readonly isActingCustomerRequired: boolean;
  /** Undefined: one of the service's own, which runs our fixed documents. */
  readonly upstream: UpstreamDocument | undefined;
  readonly own: OwnSelection | undefined;
  /** Set if it is forwarded and changes contracts: the timeline tells it. */
  readonly forwarded: ForwardedPlan | undefined;
};

/** What is read before a forwarded change, if it is not the only mutation of its document. */
export type ForwardedPlan = {
  readonly change: ForwardedChange;
  readonly field: FieldNode;
  readonly look: UpstreamDocument | undefined;
  /** Of a refusal that is made here; undefined: there is none. */
  readonly payload: OwnPayload | undefined;
};

/** What a mutation of our own needs of the client's selection. */
export type OwnSelection = { readonly fields: readonly FlatField[]; readonly payload: OwnPayload };

export type MutationPlan = {
  readonly kind: 'mutation';
  readonly mutations: readonly CompiledMutation[];
  /** Proves all roots at once, and reads what a single one has to know. Undefined: nothing to ask. */
  readonly proof: UpstreamDocument | undefined;
};

export type Plan = (QueryPlan | MutationPlan) & {
  readonly id: string;
  readonly surface: Surface;
  readonly isActing: boolean;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
};
