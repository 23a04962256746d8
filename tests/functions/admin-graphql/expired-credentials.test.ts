/** When AWS no longer takes a container's credentials, that request is answered with 503, and the next has another container. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lambdaEnvironment } from '../../../infra/emulators/aws/lambda-environment.ts';
import { type ListeningServer, listen } from '../../../infra/emulators/listen.ts';
import { createLogs } from '../../../infra/local/functions/logs.ts';
import { createPool, type FunctionPool } from '../../../infra/local/functions/pool.ts';
import { environmentOf } from '../../../infra/local/start-functions.ts';
import { buildFunctions } from '../../../infra/tools/build/build-functions.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import { createAdminKey } from '../../../lib/domain/tokens/admin-key.ts';
import { httpEvent } from '../../http-event.ts';

const NAME = 'admin-graphql';
let aws: ListeningServer;
let pool: FunctionPool;
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
  aws = await listen(server, 0);
  const { functions } = await buildFunctions();
  const url = aws.url;
  const environment = environmentOf(NAME, {
    ...{ baseUrl: url, platformUrl: url, phoneUrl: url, dynamoDbUrl: url, secretsManagerUrl: url },
    ...{ tableName: 'table', secretsPrefix: 'prefix' },
  });
  pool = createPool({
    name: NAME,
    bundlePath: functions[NAME].path,
    environment: { ...lambdaEnvironment({ name: NAME, memoryMb: 512 }), ...environment },
    timeoutSeconds: 20,
    memoryMb: 512,
    clockOffsetMs: () => 0,
    logs: createLogs({ json: true, write: (line) => lines.push(line), now: Date.now }),
  });
});
afterAll(async () => {
  await pool?.close();
  await aws?.close();
});

const { text: key } = createAdminKey(81234567001 as ShopId, (bytes) => randomBytes(bytes));

async function ask(): Promise<number> {
  const event = httpEvent({
    method: 'POST',
    path: '/api/admin/unstable/graphql.json',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"query":"{ __typename }"}',
  });
  return ((await pool.invoke(event)) as { statusCode: number }).statusCode;
}

const ends = () => lines.filter((line) => line.includes('this container ends')).length;

test('each container answers one request, and ends', async () => {
  refusal = 'ExpiredTokenException';
  for (let requests = 1; requests <= 3; requests++) {
    expect(await ask()).toBe(503);
    expect(ends()).toBe(requests);
  }
  expect(lines.filter((line) => /Runtime\.|Timedout/.test(line))).toEqual([]);
});

test('another failure ends none', async () => {
  refusal = 'InternalServerError';
  const before = ends();
  for (let requests = 0; requests < 3; requests++) expect(await ask()).toBe(503);
  refusal = 'UnrecognizedClientException';
  expect(await ask()).toBe(503);
  expect([ends(), pool.size()]).toEqual([before, 1]);
});
