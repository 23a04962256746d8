/**
 * Prepares a plan once per document, surface and operation: parses, validates, compiles and caches it.
 * Refusals are not cached, because clients do not resend invalid documents.
 */
import type { GraphQLError } from 'graphql';
import { createSingleFlight, type SingleFlight } from '../../lib/domain/single-flight.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { readClientDocument } from '../plan/client-document.ts';
import { findIdempotencyKeyRefusal } from '../plan/mutation-record.ts';
import type { Plan } from '../plan/plan.ts';
import type { ResultError } from '../plan/result-error.ts';
import { checkDocument } from '../policy/check-document.ts';
import { parseDocument } from '../policy/parse-document.ts';
import type { Surface } from '../schema/schema.ts';
import { IDEMPOTENT_DIRECTIVE_NAME } from '../schema/table/idempotent-directive.ts';
import { type CoerceVariables, prepareVariableCoercion } from './coerce-variables.ts';
import { compileOperation, selectOperation } from './compile-operation.ts';
import type { CompileRegistries } from './compile-roots.ts';
import { createDocumentCache, type DocumentCache, type DocumentSender } from './document-cache.ts';
import { createLanguageReader, type ReadLanguage } from './selection/context-language.ts';
import { toResultError } from './to-result-error.ts';

export type DocumentRequest = {
  readonly surface: Surface;
  readonly isActing: boolean;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly sender: DocumentSender;
};

/** A document that may run, or the errors for which it may not. */
type PreparedDocument = RunnableDocument | RefusedDocument;

type RunnableDocument = {
  readonly kind: 'plan';
  readonly plan: Plan;
  readonly coerceVariables: CoerceVariables;
  /** Reads the language of the operation, or undefined when it has no `@inContext`. */
  readonly readLanguage: ReadLanguage | undefined;
};
type RefusedDocument = { readonly kind: 'refused'; readonly errors: readonly ResultError<string>[] };

/** A container's cache of the documents that may run, and the preparations in progress. */
export type PreparedDocuments = {
  readonly cache: DocumentCache<RunnableDocument>;
  readonly prepareOnce: SingleFlight<string, PreparedDocument>;
};

/** Creates the empty cache of a container. */
export function createPreparedDocuments(): PreparedDocuments {
  return { cache: createDocumentCache<RunnableDocument>(), prepareOnce: createSingleFlight() };
}

/**
 * Returns the prepared document from the cache. Almost every request finds its document, and needs no promise for it.
 * @returns undefined when it has to be prepared
 */
export function findPreparedDocument(
  { cache }: PreparedDocuments,
  request: DocumentRequest,
): RunnableDocument | undefined {
  return cache.get(documentCacheKey(request), request.sender);
}

/** Returns the prepared document from the cache, or prepares it. Only a document that may run is cached. */
export async function prepareDocument(
  documents: PreparedDocuments,
  request: DocumentRequest,
  registries: CompileRegistries,
): Promise<PreparedDocument> {
  const cachedDocument = findPreparedDocument(documents, request);
  if (cachedDocument !== undefined) return cachedDocument;
  const { cache, prepareOnce } = documents;
  const { sender, query } = request;
  const key = documentCacheKey(request);
  const preparedDocument = await prepareOnce(key, () => checkAndCompile(request, registries));
  if (preparedDocument.kind === 'plan') {
    cache.add(key, sender, { value: preparedDocument, characters: query.length });
  }
  return preparedDocument;
}

/** Returns a key that differs when any of these values differs: a JSON list ends where the document begins. */
function documentCacheKey({ surface, isActing, operationName, query }: DocumentRequest): string {
  return JSON.stringify([surface, isActing, operationName]) + query;
}

async function checkAndCompile(
  request: DocumentRequest,
  registries: CompileRegistries,
): Promise<PreparedDocument> {
  const { surface, isActing, query, operationName } = request;
  try {
    const document = parseDocument(surface, query);
    const errors = checkDocument(surface, document, await loadIdempotencyKeyRefusalLookup(query, registries));
    if (errors.length > 0) return { kind: 'refused', errors: errors.map(toResultError) };
    const operation = selectOperation(document, operationName);
    const coerceVariables = prepareVariableCoercion(surface, document, operation);
    const client = readClientDocument(surface, document, operation);
    return {
      kind: 'plan',
      plan: await compileOperation({ surface, document, operation, isActing, registries, client }),
      coerceVariables,
      readLanguage: createLanguageReader(operation),
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

/**
 * Returns the function that returns why a mutation accepts no idempotency key, or undefined when it accepts one. The records
 * are loaded only if the document's text contains the directive's name.
 */
async function loadIdempotencyKeyRefusalLookup(
  query: string,
  { loadMutations }: CompileRegistries,
): Promise<(name: string) => string | undefined> {
  if (!query.includes(IDEMPOTENT_DIRECTIVE_NAME)) return () => undefined;
  const { findMutation } = await loadMutations();
  return (name) => findIdempotencyKeyRefusal(findMutation, name);
}

function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}
