/** Executes GraphQL as the Admin API does: parse, validate, charge, execute. Parsed documents are cached. */
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { AdminContext } from '../context.ts';
import { type CostChargingContext, executeAndChargeCost } from '../cost/execute-and-charge-cost.ts';
import { schema } from './schema.ts';
import { toPlatformValidationError, toPlatformVariableError } from './validation-errors.ts';

export type GraphqlBody = {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
};
type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Shared by all platforms of a process: the cached facts depend only on the schema. */
const documentCache = new LRUCache<string, CheckedDocument>({ max: 1_000 });

/** Returns the result of a request, with the platform's codes in its errors. */
export async function executeDocument(
  { query, variables, operationName }: GraphqlBody,
  contextValue: AdminContext & CostChargingContext,
): Promise<ExecutionResult> {
  const checkedDocument = documentCache.get(query) ?? parseAndValidate(query);
  documentCache.set(query, checkedDocument);
  if ('errors' in checkedDocument) return checkedDocument;
  if (typeof (variables ?? {}) !== 'object' || Array.isArray(variables)) {
    return { errors: [new GraphQLError('Variables must be an object.')] };
  }
  const args = {
    ...{ schema, document: checkedDocument.document, contextValue },
    variableValues: variables as Record<string, unknown> | undefined,
    operationName,
  };
  const result = await executeAndChargeCost(args, contextValue, () => execute(args));
  return { ...result, ...(result.errors && { errors: result.errors.map(toPlatformVariableError) }) };
}

function parseAndValidate(query: string): CheckedDocument {
  try {
    const document = parse(query);
    const errors = validate(schema, document);
    return errors.length > 0 ? { errors: errors.map(toPlatformValidationError) } : { document };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
