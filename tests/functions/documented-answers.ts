/**
 * Holds what the functions answer against docs/openapi.json: a route answers the statuses, codes, headers and bodies that
 * the document has, and every code that the document has is answered in a test.
 */
import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { ErrorCode } from '../../lib/errors/catalogue.ts';
import { type BodyName, bodySchemas } from '../../tools/generate/openapi/bodies.ts';
import type { OpenApiDocument } from '../../tools/generate/openapi/document.ts';

const document: OpenApiDocument = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
/** Codes that the gateway returns before a handler runs, or that one handler test covers for all. */
const ANSWERED_BEFORE: readonly ErrorCode[] = ['NOT_FROM_EDGE', 'THROTTLED', 'INTERNAL_ERROR'];
const HEADERS = ['Allow', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];

type Seen = {
  /** As in `POST /headless-auth/start`. */
  readonly operation: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>> | undefined;
  readonly body: unknown;
};

function operationOf(name: string) {
  const [method = '', path = ''] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`docs/openapi.json has no ${name}.`);
  return operation;
}

function codeOf(body: unknown): string | undefined {
  const { error, errors } = (body ?? {}) as {
    error?: { code: string };
    errors?: readonly { extensions?: { code?: string } }[];
  };
  return error?.code ?? errors?.[0]?.extensions?.code;
}

/** Fails for an answer that the document does not have. Returns `STATUS CODE`, without a code if it worked. */
export function expectDocumented({ operation, status, headers = {}, body }: Seen): string {
  const answer = operationOf(operation).responses[`${status}`];
  const code = codeOf(body);
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const documented = {
    code: code === undefined ? status === 200 : answer?.['x-error-codes']?.includes(code),
    headers: HEADERS.filter((name) => headers[name.toLowerCase()] !== undefined && !answer?.headers[name]),
    type: answer?.content[type] !== undefined,
  };
  expect([operation, status, code, type, documented]).toEqual([
    ...[operation, status, code, type],
    { code: true, headers: [], type: true },
  ]);
  const schema = String(answer?.content[type]?.schema.$ref).replace(/.*\//, '') as BodyName;
  expect([operation, status, code, bodySchemas[schema].safeParse(body).error?.issues]).toEqual([
    ...[operation, status, code],
    undefined,
  ]);
  return [status, code].join(' ').trim();
}

/** Collects the answers of one test file. */
export function createAnswerCheck() {
  const seen = new Map<string, Set<string>>();
  return {
    check(answer: Seen): void {
      const answered = seen.get(answer.operation) ?? new Set();
      seen.set(answer.operation, answered.add(expectDocumented(answer)));
    },
    /** Checks after a run of the whole file that each tested operation has returned every response of its handler. */
    expectComplete(): void {
      for (const [operation, answered] of seen) {
        const all = Object.entries(operationOf(operation).responses).flatMap(([status, answer]) => [
          ...(status === '200' ? ['200'] : []),
          ...(answer['x-error-codes'] ?? [])
            .filter((code) => !ANSWERED_BEFORE.some((each) => each === code))
            .map((code) => `${status} ${code}`),
        ]);
        expect([operation, all.filter((each) => !answered.has(each))]).toEqual([operation, []]);
      }
    },
  };
}
