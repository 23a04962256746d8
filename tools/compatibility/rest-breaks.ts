/** Finds the changes of the OpenAPI document that break existing clients. */
import type { DocumentedOperation, OpenApiDocument } from '../generate/openapi/document.ts';
import { findBodyBreaks } from './body-breaks.ts';

/** Returns one sentence for each change from `before` to `after` that an unchanged client could notice. */
export function findRestBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const routeBreaks = Object.entries(before.paths).flatMap(([path, operationByMethod]) =>
    Object.entries(operationByMethod).flatMap(([method, oldOperation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const newOperation = after.paths[path]?.[method];
      return newOperation === undefined
        ? [`${name} was removed.`]
        : findOperationBreaks({ before, after }, oldOperation, newOperation).map((each) => `${name} ${each}`);
    }),
  );
  return [...routeBreaks, ...findCatalogueBreaks(before, after)];
}

type OpenApiPair = { readonly before: OpenApiDocument; readonly after: OpenApiDocument };

function findOperationBreaks(
  { before, after }: OpenApiPair,
  oldOperation: DocumentedOperation,
  newOperation: DocumentedOperation,
): string[] {
  const namedSchemas = { before: before.components.schemas, after: after.components.schemas };
  const [schemaBefore, schemaAfter] = [findRequestSchema(oldOperation), findRequestSchema(newOperation)];
  return [
    ...(JSON.stringify(oldOperation.security) === JSON.stringify(newOperation.security)
      ? []
      : ['asks for other credentials.']),
    ...(JSON.stringify(oldOperation.parameters) === JSON.stringify(newOperation.parameters)
      ? []
      : ['has other parameters.']),
    ...(schemaAfter === undefined
      ? []
      : findBodyBreaks({ was: schemaBefore ?? {}, is: schemaAfter, body: 'request', schemas: namedSchemas })),
    ...Object.entries(oldOperation.responses).flatMap(([statusText, oldResponse]) => {
      const newResponse = newOperation.responses[statusText];
      if (newResponse === undefined) return [`answers ${statusText} no more.`];
      const removedCodes = listMissingNames(
        oldResponse['x-error-codes'] ?? [],
        newResponse['x-error-codes'] ?? [],
      );
      const removedHeaders = listMissingNames(
        Object.keys(oldResponse.headers),
        Object.keys(newResponse.headers),
      );
      return [
        ...removedCodes.map((code) => `answers ${statusText} ${code} no more.`),
        ...removedHeaders.map((header) => `answers ${statusText} without ${header}.`),
        ...Object.entries(oldResponse.content).flatMap(([type, { schema }]) => {
          const newSchema = newResponse.content[type]?.schema;
          if (newSchema === undefined) return [`answers ${statusText} as ${type} no more.`];
          return findBodyBreaks({ was: schema, is: newSchema, body: 'answer', schemas: namedSchemas }).map(
            (each) => `${statusText}: ${each}`,
          );
        }),
      ];
    }),
  ];
}

function findRequestSchema({ requestBody }: DocumentedOperation) {
  return Object.values(requestBody?.content ?? {})[0]?.schema;
}

function listMissingNames(oldNames: readonly string[], newNames: readonly string[]): string[] {
  return oldNames.filter((each) => !newNames.includes(each));
}

/** Clients choose their reaction to a code by these fields. */
const CODE_FIELDS_THAT_CLIENTS_USE = ['status', 'retryable', 'retryAfter'] as const;

function findCatalogueBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before['x-error-catalogue']).flatMap(([code, oldEntry]) => {
    const newEntry = after['x-error-catalogue'][code];
    if (newEntry === undefined) return [`The code ${code} was removed.`];
    return CODE_FIELDS_THAT_CLIENTS_USE.filter((name) => newEntry[name] !== oldEntry[name]).map(
      (name) => `The code ${code} has another ${name}: ${oldEntry[name]} was, ${newEntry[name]} is.`,
    );
  });
}
