/** What every resolver is given: one store of the platform, the time, and where pictures are served. */
import type { GraphQLResolveInfo } from 'graphql';
import type { PlatformState, StoreState } from '../state/state.ts';

export type AdminContext = {
  state: PlatformState;
  store: StoreState;
  nowMs: number;
  origin: string;
};

type Resolver = (parent: never, args: never, context: AdminContext, info: GraphQLResolveInfo) => unknown;

/** Resolvers of one area: type name → field name → function. */
export type ResolverMap = Record<string, Record<string, Resolver>>;

/** Fields of one type, whose parent is the record given as `Parent`. */
export function fieldsOf<Parent>(
  fields: Record<
    string,
    (parent: Parent, args: never, context: AdminContext, info: GraphQLResolveInfo) => unknown
  >,
): Record<string, Resolver> {
  return fields;
}
