/** When AWS no longer takes a container's credentials, that request is answered with 503, and the next has another container. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createAdminKey } from '../../lib/domain/tokens/admin-key.ts';
import { buildLambdaEnvironment } from '../../sandbox/aws/build-lambda-environment.ts';
import { type ListeningServer, listenOnLoopback } from '../../sandbox/listen.ts';
import { createLogs } from '../../sandbox/local/functions/logs.ts';
import { createPool, type FunctionPool } from '../../sandbox/local/functions/pool.ts';
import { buildFunctionEnvironment } from '../../sandbox/local/start-functions.ts';
import { buildFunctions } from '../../tools/build/build-functions.ts';
import { httpEvent } from '../http-event.ts';

type Name = 'admin-graphql' | 'headless-auth';
const parts = new AsyncDisposableStack();
let aws: ListeningServer;
let refusal = '';
const lines: string[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    request
      .resume()
      .once('end', () =>
        response
          .writeHead(refusal === 'InternalServerError' ? 500 : 400)
          .end(JSON.stringify({ __type: refusal })),
      );
  });
  aws = parts.adopt(await listenOnLoopback(server, 0), (one) => one.close());
});
afterAll(() => parts.disposeAsync());

async function poolOf(name: Name): Promise<FunctionPool> {
  const { functions } = await buildFunctions();
  const { url } = aws;
  const environment = buildFunctionEnvironment(name, {
    ...{ baseUrl: url, platformUrl: url, dynamoDbUrl: url, secretsManagerUrl: url },
    ...{ tableName: 'table', secretsPrefix: 'prefix' },
  });
  const pool = createPool({
    name,
    bundlePath: functions[name].path,
    environment: { ...buildLambdaEnvironment({ name, memoryMb: 512 }), ...environment },
    timeoutSeconds: 20,
    memoryMb: 512,
    clockOffsetMs: () => 0,
    logs: createLogs({ json: true, write: (line) => lines.push(line), now: Date.now }),
  });
  return parts.adopt(pool, (one) => one.close());
}

const { text: key } = createAdminKey(81234567001 as ShopId, (bytes) => randomBytes(bytes));
const REQUESTS: Readonly<Record<Name, { readonly path: string; readonly body: object }>> = {
  'admin-graphql': { path: '/api/admin/unstable/graphql.json', body: { query: '{ __typename }' } },
  'headless-auth': {
    path: '/headless-auth/refresh',
    body: { shop: 'tea.myshopify.com', customerId: '1', refreshToken: 'SVC_RT_none' },
  },
};

async function ask(pool: FunctionPool, name: Name): Promise<number> {
  const { path, body } = REQUESTS[name];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const event = httpEvent({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return ((await pool.invoke(event)) as { statusCode: number }).statusCode;
}

const ends = () => lines.filter((line) => line.includes('container.credentials_rejected')).length;

describe.each(['admin-graphql', 'headless-auth'] as const)('%s', (name) => {
  test('each container answers one request, and ends; another failure ends none', async () => {
    const pool = await poolOf(name);
    refusal = 'ExpiredTokenException';
    const before = ends();
    for (let requests = 1; requests <= 3; requests++) {
      expect(await ask(pool, name)).toBe(503);
      expect(ends()).toBe(before + requests);
    }
    expect(lines.filter((line) => /Runtime\.|Timedout/.test(line))).toEqual([]);
    refusal = 'InternalServerError';
    for (let requests = 0; requests < 3; requests++) expect(await ask(pool, name)).toBe(503);
    refusal = 'UnrecognizedClientException';
    expect(await ask(pool, name)).toBe(503);
    expect([ends(), pool.size()]).toEqual([before + 3, 1]);
  });
});
