/** With an edge, every function first rejects requests that did not come through it. */
import { createHash } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import { ROUTES } from '../../infra/definition/routes.ts';
import { EDGE_SECRET_HEADER } from '../../lib/http/edge/require-edge.ts';
import type { HttpResult } from '../../lib/http/exchange.ts';
import { routeErrors } from '../../tools/generate/openapi/route-errors.ts';
import { context, httpEvent } from '../http-event.ts';
import { expectDocumented } from './documented-answers.ts';

const SECRETS = ['the secret in use', 'the next one'];
// The modules read their environment when they are loaded.
Object.assign(process.env, {
  ...{ AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  ...{ TABLE_NAME: 'none', SECRETS_PREFIX: 'none', GRAPHIQL: 'on', ALLOWED_ORIGINS: 'https://app.example' },
  EDGE_SECRET_HASHES: SECRETS.map((secret) => createHash('sha256').update(secret).digest('hex')).join(','),
});
const written: string[] = [];
for (const stream of [process.stdout, process.stderr])
  jest.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
const handlers = {
  'headless-auth': (await import('../../functions/headless-auth/handler.ts')).handler,
  'customer-graphql': (await import('../../functions/customer-graphql/handler.ts')).handler,
  'admin-graphql': (await import('../../functions/admin-graphql/handler.ts')).handler,
  'platform-webhooks': (await import('../../functions/platform-webhooks/handler.ts')).handler,
};
const atStart = written.splice(0).join('');
afterAll(() => void jest.restoreAllMocks());

type Sent = NonNullable<Parameters<typeof httpEvent>[0]>;
const ask = (name: keyof typeof handlers, sent: Sent) =>
  (handlers[name] as unknown as (event: object, context: object) => Promise<HttpResult>)(
    httpEvent(sent),
    context,
  );

const addresses = [
  ...ROUTES.map(({ path, function: name }) => [name, path.replace(/\{\w+\}/, 'x')] as const),
  ['headless-auth', '/nowhere'] as const,
];

test.each(addresses)('%s at %s', async (name, path) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']) {
    const refused = await ask(name, {
      ...{ method, path, body: '{' },
      headers: { origin: 'https://app.example', [EDGE_SECRET_HEADER]: 'a guess' },
    });
    expect(refused).toMatchObject({
      statusCode: 403,
      headers: { 'cache-control': 'no-store', 'x-request-id': 'request-1' },
      body: method === 'HEAD' ? '' : expect.stringContaining('"NOT_FROM_EDGE"'),
    });
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    for (const secret of SECRETS) {
      const passed = await ask(name, { method, path, headers: { [EDGE_SECRET_HEADER]: secret } });
      expect(passed.statusCode).not.toBe(403);
    }
  }
  expect(written.splice(0).join('')).not.toMatch(/the secret in use|the next one|a guess/);
});

test('a container answers its own warm-up query, which comes through no edge', () => {
  expect(atStart).not.toContain('the warm-up query was answered');
});

test('each route of the API document is refused as the document has it', async () => {
  for (const operation of Object.keys(routeErrors)) {
    const [method = '', path = ''] = operation.split(' ');
    const name = ROUTES.find((route) => route.path === path)?.function as keyof typeof handlers;
    const { statusCode: status, headers, body = '' } = await ask(name, { method, path });
    const answer = { operation, status, headers, body: JSON.parse(body) };
    expect(expectDocumented(answer)).toBe('403 NOT_FROM_EDGE');
  }
});
