/** Finds the changes of the OpenAPI document that break existing clients. */
import type { DocumentedOperation, OpenApiDocument } from '../generate/openapi/document.ts';
import { findBodyBreaks } from './body-breaks.ts';

/** Returns one sentence for each change from `before` to `after` that an unchanged client could notice. */
export function findRestBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const routes = Object.entries(before.paths).flatMap(([path, operationByMethod]) =>
    Object.entries(operationByMethod).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now === undefined
        ? [`${name} was removed.`]
        : findOperationBreaks({ before, after }, old, now).map((each) => `${name} ${each}`);
    }),
  );
  return [...routes, ...findCatalogueBreaks(before, after)];
}

type OpenApiPair = { readonly before: OpenApiDocument; readonly after: OpenApiDocument };

function findOperationBreaks(
  { before, after }: OpenApiPair,
  old: DocumentedOperation,
  now: DocumentedOperation,
): string[] {
  const namedSchemas = { before: before.components.schemas, after: after.components.schemas };
  const [schemaBefore, schemaAfter] = [findRequestSchema(old), findRequestSchema(now)];
  return [
    ...(JSON.stringify(old.security) === JSON.stringify(now.security) ? [] : ['asks for other credentials.']),
    ...(JSON.stringify(old.parameters) === JSON.stringify(now.parameters) ? [] : ['has other parameters.']),
    ...(schemaAfter === undefined
      ? []
      : findBodyBreaks({ was: schemaBefore ?? {}, is: schemaAfter, body: 'request', schemas: namedSchemas })),
    ...Object.entries(old.responses).flatMap(([statusText, oldResponse]) => {
      const newResponse = now.responses[statusText];
      if (newResponse === undefined) return [`answers ${statusText} no more.`];
      const removedCodes = listMissingNames(
        oldResponse['x-error-codes'] ?? [],
        newResponse['x-error-codes'] ?? [],
      );
      const headers = listMissingNames(Object.keys(oldResponse.headers), Object.keys(newResponse.headers));
      return [
        ...removedCodes.map((code) => `answers ${statusText} ${code} no more.`),
        ...headers.map((header) => `answers ${statusText} without ${header}.`),
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

function listMissingNames(old: readonly string[], now: readonly string[]): string[] {
  return old.filter((each) => !now.includes(each));
}

/** Clients choose their reaction to a code by these fields. */
const CODE_FIELDS_THAT_CLIENTS_USE = ['status', 'retryable', 'retryAfter'] as const;

function findCatalogueBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before['x-error-catalogue']).flatMap(([code, old]) => {
    const now = after['x-error-catalogue'][code];
    if (now === undefined) return [`The code ${code} was removed.`];
    return CODE_FIELDS_THAT_CLIENTS_USE.filter((name) => now[name] !== old[name]).map(
      (name) => `The code ${code} has another ${name}: ${old[name]} was, ${now[name]} is.`,
    );
  });
}
