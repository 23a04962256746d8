/** Finds the changes of the OpenAPI document that break existing clients. */
import type { DocumentedOperation, OpenApi } from '../generate/openapi/document.ts';
import { bodyBreaks } from './body-breaks.ts';

/** Returns one sentence for each change from `before` to `after` that an unchanged client could notice. */
export function restBreaks(before: OpenApi, after: OpenApi): string[] {
  const routes = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, old]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now === undefined
        ? [`${name} was removed.`]
        : operationBreaks({ before, after }, old, now).map((each) => `${name} ${each}`);
    }),
  );
  return [...routes, ...catalogueBreaks(before, after)];
}

type ComparedDocuments = { readonly before: OpenApi; readonly after: OpenApi };

function operationBreaks(
  { before, after }: ComparedDocuments,
  old: DocumentedOperation,
  now: DocumentedOperation,
): string[] {
  const schemas = { before: before.components.schemas, after: after.components.schemas };
  const [was, is] = [requestSchema(old), requestSchema(now)];
  return [
    ...(JSON.stringify(old.security) === JSON.stringify(now.security) ? [] : ['asks for other credentials.']),
    ...(JSON.stringify(old.parameters) === JSON.stringify(now.parameters) ? [] : ['has other parameters.']),
    ...(is === undefined ? [] : bodyBreaks({ was: was ?? {}, is, of: 'request', schemas })),
    ...Object.entries(old.responses).flatMap(([status, answers]) => {
      const answered = now.responses[status];
      if (answered === undefined) return [`answers ${status} no more.`];
      const gone = missingNames(answers['x-error-codes'] ?? [], answered['x-error-codes'] ?? []);
      const headers = missingNames(Object.keys(answers.headers), Object.keys(answered.headers));
      return [
        ...gone.map((code) => `answers ${status} ${code} no more.`),
        ...headers.map((header) => `answers ${status} without ${header}.`),
        ...Object.entries(answers.content).flatMap(([type, { schema }]) => {
          const current = answered.content[type]?.schema;
          if (current === undefined) return [`answers ${status} as ${type} no more.`];
          return bodyBreaks({ was: schema, is: current, of: 'answer', schemas }).map(
            (each) => `${status}: ${each}`,
          );
        }),
      ];
    }),
  ];
}

function requestSchema({ requestBody }: DocumentedOperation) {
  return Object.values(requestBody?.content ?? {})[0]?.schema;
}

function missingNames(old: readonly string[], now: readonly string[]): string[] {
  return old.filter((each) => !now.includes(each));
}

/** Clients choose their reaction to a code by these fields. */
const DECIDED_BY = ['status', 'retryable', 'retryAfter'] as const;

function catalogueBreaks(before: OpenApi, after: OpenApi): string[] {
  return Object.entries(before['x-error-catalogue']).flatMap(([code, old]) => {
    const now = after['x-error-catalogue'][code];
    if (now === undefined) return [`The code ${code} was removed.`];
    return DECIDED_BY.filter((name) => now[name] !== old[name]).map(
      (name) => `The code ${code} has another ${name}: ${old[name]} was, ${now[name]} is.`,
    );
  });
}
