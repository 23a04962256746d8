/**
 * A root field as it is compiled, and what a kind of root says about that. The kinds themselves stand in roots/;
 * the plan carries a root's kind, and the folders above ask it for more.
 */
import type { FragmentDefinitionNode } from 'graphql';
import type { ActingDecision } from '../policy/acting-customer.ts';
import type { FieldShape } from './selection/answer-shape.ts';
import type { Variables } from './selection/client-document.ts';
import type { Condition } from './selection/conditions.ts';
import type { FlatField } from './selection/flatten-selection.ts';
import type { InjectedArgument, UpstreamWriter } from './selection/upstream-writer.ts';

/** A variable of ours that lets one upstream field run. */
export type RunVariable = { readonly variable: string; readonly when: readonly Condition[] };

/** How far a root is open. `owned`: if every owned id in its arguments is proved, and there is one. */
type RootAccess = 'open' | 'owned' | 'closed';

/** A root field of a query or a mutation. `Special`: what its kind keeps of its compilation for later. */
export type CompiledRoot<Special = unknown> = {
  readonly key: string;
  readonly name: string;
  /** Its type in our schema, for example `SubscriptionContract`. */
  readonly type: string;
  /** The client's own conditions; the root is there if one of them holds. */
  readonly when: readonly (readonly Condition[])[];
  readonly access: RootAccess;
  readonly injected: readonly InjectedArgument[];
  readonly run: readonly RunVariable[];
  /** Values of its variables where the client's conditions leave the root out, and no other root has set them. */
  readonly idle: Variables;
  /** Response keys of this root at the platform, and the path that stands for each at the client's. */
  readonly upstream: ReadonlyMap<string, readonly (string | number)[]>;
  /** Those keys that are non-null at the platform and nullable with us: their null takes the whole answer along. */
  readonly nullsAll: ReadonlySet<string>;
  /** The root's value in the platform's `data`; undefined: absent. */
  readonly read: (data: Readonly<Record<string, unknown>>) => unknown;
  readonly shape: FieldShape;
  /** Whether its ids may name, beside what is the acting customer's, what a catalogue root shows to anybody. */
  readonly opensCatalogue: boolean;
  readonly kind: RootKind<Special>;
  /** What the kind keeps; undefined: the platform's answer is the client's, but for ids. */
  readonly special: Special;
};

/** A kind of root, as the compilation of a document asks it. */
export type RootKind<Special = unknown> = {
  /** Compiles the root fields that share a response key: they are the same field with the same arguments. */
  compile(context: RootContext, place: RootPlace): WrittenRoot<Special>;
  /** Whether its lists are the service's, so that their errors have the service's codes for keys too. */
  readonly hasOwnLists?: boolean;
  /** Whether such a root takes requests of its own beside the first. */
  readonly asksAgain?: boolean;
};

/**
 * The kind of a root field; undefined: it is forwarded as it is, or nothing of it is sent. A promise: the kind is seldom
 * asked for, and loaded now.
 */
export type RootKindOf = (
  rootType: RootContext['rootType'],
  name: string,
  decision: ActingDecision | undefined,
) => RootKind | undefined | Promise<RootKind>;

export type RootContext = {
  readonly writer: UpstreamWriter;
  readonly rootType: 'QueryRoot' | 'Mutation';
  readonly isActing: boolean;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly budget: { left: number };
  /** The root's place among the operation's roots. */
  readonly index: number;
};

/** Root fields that share a response key, and how far they are open. */
export type RootPlace = {
  readonly key: string;
  readonly fields: readonly FlatField[];
  readonly access: RootAccess;
  /** What the policy says of the root; undefined: no customer is acting. */
  readonly decision: ActingDecision | undefined;
};

/** A compiled root, but for the arguments of ours that its writer has collected. */
export type WrittenRoot<Special = unknown> = {
  readonly root: Omit<CompiledRoot<Special>, 'injected' | 'kind'>;
  /** Its text in the upstream document, one for each place in the client's. */
  readonly texts: readonly string[];
};
