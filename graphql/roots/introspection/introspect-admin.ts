/**
 * The admin endpoint resolves introspection from the schema itself. graphql-yoga is loaded on demand, and only its
 * pipeline runs.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLFieldResolver,
  introspectionTypes,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import type { ResultError } from '../../plan/result-error.ts';
import type { ResponseBudget } from '../../plan/root-response.ts';
import type { HandleIntrospection } from '../../plan/run-context.ts';
import { shortenMessage } from '../../policy/errors/shorten-message.ts';
import type { DescribedServer } from './described-server.ts';

let serverPromise: Promise<DescribedServer> | undefined;

/** Returns the server with the described schema. */
function loadDescribedServer(): Promise<DescribedServer> {
  serverPromise ??= createSizeCountingServer();
  return serverPromise;
}

type SizeBudgetContext = { readonly budget: ResponseBudget };

/** The characters around a name and a value: quotation marks, a colon and a comma. */
const PUNCTUATION_CHARACTERS = 6;

/**
 * Counts every field of introspection when it is resolved. graphql-js shares the introspection types among all
 * schemas, and has no other place to count while it executes.
 */
function wrapIntrospectionResolvers(): void {
  for (const type of introspectionTypes) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (resolve !== undefined) field.resolve = withSizeCount(resolve);
    }
  }
}

function withSizeCount(
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    const { budget } = (context ?? {}) as Partial<SizeBudgetContext>;
    const resolvedValue: unknown = resolve(source, args, context, info);
    const { length } = typeof resolvedValue === 'string' ? resolvedValue : '';
    budget?.take(String(info.path.key).length + length + PUNCTUATION_CHARACTERS);
    return resolvedValue;
  };
}

async function createSizeCountingServer(): Promise<DescribedServer> {
  wrapIntrospectionResolvers();
  const { createDescribedServer } = await import('./described-server.ts');
  return createDescribedServer();
}

/**
 * Answers a `__schema` or `__type` root of a checked document.
 * @throws QUERY_TOO_COMPLEX when the budget is exceeded
 */
export const introspectAdmin: HandleIntrospection = async (fields, { document, variables }, budget) => {
  const yoga = await loadDescribedServer();
  const { execute, schema } = yoga.getEnveloped({});
  const executionResult = (await execute({
    schema,
    document: documentWithRoots(fields, document),
    variableValues: variables,
    contextValue: { budget } satisfies SizeBudgetContext,
  })) as ExecutionResult;
  // Throw if the budget was exceeded while the introspection was executed.
  budget.take(0);
  const [firstField] = fields;
  const key = firstField?.alias?.value ?? firstField?.name.value ?? '';
  return {
    value: executionResult.data?.[key] ?? null,
    errors: (executionResult.errors ?? []).map(toResultError),
  };
};

function toResultError({ message, path }: { message: string; path?: unknown }): ResultError {
  return { message: shortenMessage(message), ...(Array.isArray(path) && { path }) };
}

/**
 * Returns a query of these root fields alone. It keeps the document's fragments, and declares only the variables that the
 * fields and the fragments use, because an unused variable would be an error.
 */
function documentWithRoots(fields: readonly FieldNode[], document: DocumentNode): DocumentNode {
  const usedVariables = new Set<string>();
  for (const field of fields) visit(field, { Variable: ({ name }) => void usedVariables.add(name.value) });
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  for (const fragment of fragments)
    visit(fragment, { Variable: ({ name }) => void usedVariables.add(name.value) });
  const variableDefinitions = document.definitions
    .filter((one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ variableDefinitions = [] }) => variableDefinitions)
    .filter(({ variable }) => usedVariables.has(variable.name.value));
  const operation: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions,
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  };
  return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
}
