/** The context of every resolver: one store of the platform, the time, and the address of product pictures. */
import type { GraphQLResolveInfo } from 'graphql';
import type { PlatformState, StoreState } from '../state/state.ts';

export type AdminContext = {
  state: PlatformState;
  store: StoreState;
  nowMs: number;
  origin: string;
  /** The API version that serves the request. */
  version: string;
  /** Returns whether a planned fault refuses this mutation. Each mutation of the document calls it once, in order. */
  shouldRefuseNextMutation: () => boolean;
};

type Resolver = (parent: never, args: never, context: AdminContext, info: GraphQLResolveInfo) => unknown;

/** Resolvers of one area: functions by type name and field name. */
export type ResolverMap = Record<string, Record<string, Resolver>>;

/** Returns the fields of one type whose parent record has the type `Parent`. */
export function typeResolvers<Parent>(
  fields: Record<
    string,
    (parent: Parent, args: never, context: AdminContext, info: GraphQLResolveInfo) => unknown
  >,
): Record<string, Resolver> {
  return fields;
}
