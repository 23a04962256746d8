import type { GraphQLError } from 'graphql';
import { codedError, type Nodes } from './coded-error.ts';

type Excess = {
  /** The name of the limit, for example `depth`. */
  readonly limit: string;
  readonly max: number;
  readonly actual: number;
  /** Counting stopped at `actual`: the document has more. */
  readonly isAtLeast?: boolean;
};

const COUNTED_TO = 1_000_000_000;

/** The error of a document beyond a limit: names the limit, its maximum and the document's own number. */
export function tooComplex({ limit, max, actual, isAtLeast }: Excess, nodes?: Nodes): GraphQLError {
  const counted = Math.min(actual, COUNTED_TO);
  const more = isAtLeast || actual > COUNTED_TO ? 'more than ' : '';
  const message = `The query is too complex: the limit of ${limit} is ${max}, the query has ${more}${counted}.`;
  const extensions = { limit, max, actual: counted };
  return codedError(message, { code: 'QUERY_TOO_COMPLEX', nodes, extensions });
}
