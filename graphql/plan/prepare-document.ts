/**
 * Document → plan, once for each document, surface and operation: parsed, checked, compiled, and kept in a cache
 * that is bounded in number and in bytes. A refusal is kept too.
 */
import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { checkDocument } from '../policy/check-document.ts';
import { parseDocument } from '../policy/parse-document.ts';
import type { Surface } from '../schema/schema.ts';
import { type CoerceVariables, prepareCoercion } from './coerce-variables.ts';
import { compile, selectOperation } from './compile.ts';
import { type ResultError, toResultError } from './graphql-result.ts';
import type { Plan } from './plan.ts';
import { readClientDocument } from './upstream-writer.ts';

export type DocumentRequest = {
  readonly surface: Surface;
  readonly isActing: boolean;
  readonly query: string;
  readonly operationName: string | undefined;
};

/** A document that may run, or why it may not. */
export type PreparedDocument =
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly coerce: CoerceVariables;
    }
  | { readonly kind: 'refused'; readonly errors: readonly ResultError[] };

export type PrepareDocument = (request: DocumentRequest) => PreparedDocument;

const MAX_PLANS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** A plan takes about this many times its document's length. */
const BYTES_PER_CHARACTER = 30;
const PLAN_BYTES = 4_096;

/** The documents of a container. */
export function createDocuments(): PrepareDocument {
  const cache = new LRUCache<string, PreparedDocument>({
    max: MAX_PLANS,
    maxSize: MAX_BYTES,
    sizeCalculation: (_prepared, key) => PLAN_BYTES + key.length * BYTES_PER_CHARACTER,
  });
  return (request) => {
    const { surface, isActing, operationName, query } = request;
    const key = `${surface}${isActing ? '+' : '-'}${operationName ?? ''}\n${query}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const prepared = prepare(request);
    cache.set(key, prepared);
    return prepared;
  };
}

function prepare(request: DocumentRequest): PreparedDocument {
  const { surface, isActing, query, operationName } = request;
  try {
    const document = parseDocument(surface, query);
    const errors = checkDocument(surface, document);
    if (errors.length > 0) return { kind: 'refused', errors: errors.map(toResultError) };
    const operation = selectOperation(document, operationName);
    const coerce = prepareCoercion(surface, document, operation);
    const client = readClientDocument(document, operation);
    return {
      kind: 'plan',
      plan: compile({ surface, document, operation, client, isActing }),
      coerce,
    };
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) {
      return {
        kind: 'refused',
        errors: [{ message: error.publicMessage, extensions: { code: error.code } }],
      };
    }
    if (isGraphqlError(error)) return { kind: 'refused', errors: [toResultError(error)] };
    throw error;
  }
}

function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}
