import { type ASTNode, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../../lib/errors/catalogue.ts';

/** The place of an error in the document; undefined stands for the document as a whole. */
export type Nodes = ASTNode | readonly ASTNode[] | undefined;

type Coded = {
  readonly code: ErrorCode;
  readonly nodes: Nodes;
  /** Public fields beside the code. */
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** A GraphQL error with its code of the error catalogue in `extensions.code`. */
export function codedError(message: string, { code, nodes, extensions }: Coded): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, ...extensions } });
}
