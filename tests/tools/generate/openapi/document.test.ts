/** Checks that docs/openapi.json matches the parsers of requests; tests/functions checks the responses. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { listEnvironmentRoutes } from '../../../../infra/definition/routes.ts';
import { type ErrorCode, errorCatalogue, hasRetryAfter } from '../../../../lib/errors/catalogue.ts';
import type { HandlerStep } from '../../../../lib/http/exchange.ts';
import { readGraphqlRequest } from '../../../../lib/http/read-graphql-request.ts';
import { errorAdvice } from '../../../../tools/generate/error-advice.ts';
import { type BodyName, bodySchemas } from '../../../../tools/generate/openapi/bodies.ts';
import { buildOpenApiDocument, type OpenApiDocument } from '../../../../tools/generate/openapi/document.ts';
import { exchangeOf, runStep } from '../../../lib/http/run-step.ts';

const document: OpenApiDocument = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

test('it has every route that clients send to', () => {
  // GET of a link is a page for people, HEAD is answered as GET, and the platform alone sends its webhooks.
  const isForPrograms = ({ method, path }: { method: string; path: string }) =>
    !['ANY', 'HEAD'].includes(method) &&
    !(method === 'GET' && path.startsWith('/admin-keys')) &&
    !path.startsWith('/platform/');
  const routes = listEnvironmentRoutes({ production: true }).filter(isForPrograms);
  expect(operations.map(([name]) => name).sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

const REQUESTS = operations.flatMap(([, { requestBody }]) =>
  Object.values(requestBody?.content ?? {}).map(
    ({ schema }) => String(schema.$ref).replace(/.*\//, '') as BodyName,
  ),
);
const VALUES: readonly unknown[] = [
  ...[undefined, null, '', 'a', 'a'.repeat(22), 'a'.repeat(43), 'a'.repeat(200), 'a'.repeat(201)],
  ...[
    'a'.repeat(2_048),
    'a'.repeat(2_049),
    0,
    1,
    -1,
    1.5,
    2 ** 53 - 1,
    2 ** 53,
    '7',
    '07',
    '7e3',
    true,
    [],
    {},
  ],
];

test.each([...new Set(REQUESTS)])(
  '%s: the document takes what the parser takes, and nothing else',
  async (name) => {
    const described = document.components.schemas[name] ?? {};
    const schema = z.fromJSONSchema(described as never);
    const isParsed = async (json: Record<string, unknown>) => {
      if (name !== 'GraphqlRequest') return bodySchemas[name].safeParse(json).success;
      const sent = runStep(readGraphqlRequest as HandlerStep<never>, exchangeOf({ json }));
      return sent.then(
        () => true,
        () => false,
      );
    };
    const example = operations.flatMap(([, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).filter((each) =>
        String(each.schema.$ref).endsWith(`/${name}`),
      ),
    )[0]?.example as Record<string, unknown>;
    expect(await isParsed(example)).toBe(true);
    for (const field of Object.keys(described.properties ?? {})) {
      for (const value of VALUES) {
        const body = JSON.parse(JSON.stringify({ ...example, [field]: value }));
        const seen = [name, field, value, await isParsed(body)];
        expect([name, field, value, schema.safeParse(body).success]).toEqual(seen);
      }
    }
  },
);

test('every example of an answer has the form that the document tells, and no field beside it', () => {
  for (const [name, { responses }] of operations) {
    for (const { content } of Object.values(responses)) {
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue;
        const strict = bodySchemas[String(schema.$ref).replace(/.*\//, '') as BodyName];
        expect([name, strict.safeParse(example).error?.issues]).toEqual([name, undefined]);
      }
    }
  }
});

test('every code of the catalogue is answered by a route', () => {
  const answered = operations.flatMap(([, { responses }]) =>
    Object.values(responses).flatMap((answer) => answer['x-error-codes'] ?? []),
  );
  expect(Object.keys(errorCatalogue).filter((code) => !answered.includes(code))).toEqual([]);
});

test('each code stands under its status, and says when to come back where the catalogue says so', () => {
  for (const [, { responses }] of operations) {
    for (const [status, { 'x-error-codes': codes = [], headers }] of Object.entries(responses)) {
      for (const code of codes as ErrorCode[]) {
        if (errorCatalogue[code].status === Number(status) && hasRetryAfter(code))
          expect(Object.keys(headers)).toContain('Retry-After');
        // A rejected document is 200 or 400, depending on the requested media type.
        if (!['200', '400'].includes(status))
          expect([code, errorCatalogue[code].status]).toEqual([code, Number(status)]);
      }
    }
  }
});

test.each([
  [
    'a field',
    /a description of Tokens\.expiresAt/,
    ['components', 'schemas', 'Tokens', 'properties', 'expiresAt'],
  ],
  ['a route', /the texts and the bodies of GET \/healthz/, ['paths', '/healthz']],
])('names %s without its texts', (_what, message, path) => {
  const written = structuredClone(document);
  const parent = path.slice(0, -1).reduce<object>((value, name) => Reflect.get(value, name), written);
  expect(Reflect.deleteProperty(parent, path.at(-1) ?? '')).toBe(true);
  expect(() => buildOpenApiDocument(errorAdvice, written)).toThrow(message);
});

test('nothing in it is a secret of a run', () => {
  const text = JSON.stringify(document);
  expect(text.match(/SVC_(AT|CT|RT)_[\w-]+/g)?.every((token) => token.includes('made-up'))).toBe(true);
  expect(text).not.toMatch(/eyJ[\w-]{10}/);
});
