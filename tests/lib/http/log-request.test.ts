/** The one line that is logged of a request, and the metrics in it. */
import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import { withRequestContext } from '../../../functions/compose/with-request-context.ts';
import { ROUTES } from '../../../infra/definition/routes.ts';
import type { HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { measurePlatformTime } from '../../../lib/observability/request-context.ts';
import { createRouteMatcher } from '../../../sandbox/local/gateway/match-route.ts';
import { context, httpEvent } from '../../http-event.ts';
import { type Line, linesOf, metrics, metricsOf } from '../observability/log-lines.ts';

/** Returns the log line of a request with this status. */
async function lineOf(
  status: number,
  logFields: Record<string, string | number> = {},
  rawPath = '/',
): Promise<Line> {
  const [line] = await linesOf(async (logger) => {
    const handler = middy<HttpEvent, HttpResult>({ requestEnd: logRequest({ logger, now: metrics.now }) })
      .use([readRequest(metrics)])
      .handler(async ({ exchange }) => {
        Object.assign(exchange.logFields, logFields);
        return { statusCode: status };
      });
    const event = {
      ...httpEvent({ method: 'POST', path: rawPath }),
      routeKey: 'POST /headless-auth/exchange',
    };
    await handler(event as unknown as HttpEvent, context);
  });
  if (line === undefined) throw new Error('There is no line.');
  return line;
}

const matchRoute = createRouteMatcher();

/** Returns the log line of a request as API Gateway routes it; `errorCode` is its result. */
async function lineAt(path: string, { method = 'POST', errorCode = '', headers = {} } = {}): Promise<Line> {
  const { routeKey, pathParameters } = matchRoute(method, path);
  const [line] = await linesOf(async (logger) => {
    const handler = middy<HttpEvent, HttpResult>({ requestEnd: logRequest({ logger, now: metrics.now }) })
      .use([readRequest(metrics)])
      .handler(async ({ exchange }) => {
        if (errorCode !== '') exchange.logFields.errorCode = errorCode;
        return { statusCode: errorCode === '' ? 200 : 404 };
      });
    await handler(
      { ...httpEvent({ method, path, headers }), routeKey, pathParameters } as unknown as HttpEvent,
      context,
    );
  });
  if (line === undefined) throw new Error('There is no line.');
  return line;
}

const secrets = {
  'a key in lower case': 'svc_at_0123456789abcdefghijklmnopqrstuvwxyz',
  'a key without its prefix': '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  'a key encoded twice': 'SVC%255FAT%255F0123456789abcdefghijk',
  'an authorization code': 'c7d1f0a2b3e94c5d8f6a',
  'an e-mail address': 'ada@example.com',
  'the form of a link id': 'A1b2C3d4E5f6G7h8I9j0K1',
  'the name of a step, and more': 'exchange.c7d1f0a2b3e94c5d8f6a',
};
const places = [
  '',
  '/api',
  '/api/admin/unstable',
  '/headless-auth',
  '/headless-auth/exchange',
  '/admin-keys/claim',
];

test.each(Object.entries(secrets))(
  'logs no part of an address that does not exist: %s',
  async (_name, secret) => {
    for (const place of places) {
      for (const path of [`${place}/${secret}`, `${place}/${secret}/more`, `${place}//${secret}`]) {
        const line = await lineAt(path, { errorCode: 'NOT_FOUND' });
        expect(JSON.stringify(line)).not.toContain(secret);
      }
    }
  },
);

test.each(['POST', 'OPTIONS', 'PUT'])('the id of a link is logged for no %s', async (method) => {
  const line = await lineAt('/admin-keys/claim/ada@example.com', { method });
  expect(line.path).toBe('/admin-keys/claim/…');
});

test('does not log an unknown method', async () => {
  expect((await lineAt('/', { method: 'c7d1f0a2b3e94c5d8f6a', errorCode: 'NOT_FOUND' })).method).toBe('…');
});

test.each([
  ['/', '/'],
  ['//', '/…'],
  ['/.env', '/…'],
  ['/apis/admin', '/…'],
  ['/API/admin', '/…'],
  ['/constructor', '/…'],
  ['/api', '/api'],
  ['/api/', '/api/…'],
  ['/api/admin/unstable/graphql.jsonx', '/api/…'],
  ['/headless-auth/start/', '/headless-auth/…'],
  ['', '/…'],
])('for the unknown address %j, logs the path %j and no route', async (path, logged) => {
  expect(await lineAt(path, { errorCode: 'NOT_FOUND' })).toMatchObject({ path: logged, route: '$default' });
});

test.each(ROUTES.map(({ path }) => path))(
  'logs the first segment only of an unknown address below that of %s',
  async (path) => {
    const first = path.split('/')[1];
    expect((await lineAt(`/${first}/of/nobody`, { errorCode: 'NOT_FOUND' })).path).toBe(`/${first}/…`);
  },
);

test('an address that exists is logged as it is', async () => {
  for (const path of ['/api/admin/unstable/graphql.json', '/headless-auth/exchange'])
    expect((await lineAt(path)).path).toBe(path);
});

test.each([
  ['harbor-app/1.2.3+4', 'harbor-app/1.2.3+4'],
  ['harbor-app', undefined],
  ['harbor app/1', undefined],
  [`${'x'.repeat(41)}/1`, undefined],
  ['app/1\nlevel: "ERROR"', undefined],
  ['app/1/SVC', undefined],
])('for the header `x-app-info: %j`, logs the app %j', async (appInfo, app) => {
  const headers = { 'x-app-info': appInfo, authorization: 'Bearer not-logged' };
  const line = await lineAt('/headless-auth/exchange', { headers });
  expect(line.app).toBe(app);
  expect(JSON.stringify(line)).not.toContain('not-logged');
});

test('logs the peak memory of the container every sixteenth request, and which request was its first', async () => {
  const lines = await linesOf(async (logger) => {
    const handler = middy<HttpEvent, HttpResult>({ requestEnd: logRequest({ logger, now: metrics.now }) })
      .use([readRequest(metrics)])
      .handler(async () => ({ statusCode: 200 }));
    for (let count = 0; count < 17; count++)
      await handler(httpEvent({ method: 'GET', path: '/' }) as unknown as HttpEvent, context);
  });
  const peaks = lines.map(({ peakMemoryMb }) => typeof peakMemoryMb);
  expect(peaks).toEqual(['number', ...Array(15).fill('undefined'), 'number']);
  expect(lines.map(({ coldStart }) => coldStart)).toEqual([true, ...Array(16).fill(undefined)]);
});

test('a request is counted by its route and outcome', async () => {
  const line = await lineOf(200);
  expect(line._aws?.Timestamp).toBe(1_700_000_000_000);
  expect(metricsOf(line)).toEqual([
    'durationMs=0 route=/headless-auth/exchange',
    'durationMs=0 route=/headless-auth/exchange outcome=ok',
    'failed=0 service=trial',
    'slow=0 service=trial',
    'ownMs=0 service=trial',
  ]);
});

test.each([
  [503, {}, 'failed'],
  [503, { causedBy: 'us', errorCode: 'TEMPORARILY_UNAVAILABLE' }, 'failed'],
  [503, { causedBy: 'others', errorCode: 'STORE_DISCONNECTED' }, 'unavailable'],
  [429, {}, 'throttled'],
  [400, {}, 'refused'],
  [200, { errorCode: 'FORBIDDEN' }, 'refused'],
  [200, { errorCode: 'THROTTLED' }, 'throttled'],
])('an answer %d with %j is counted as %s', async (status, logFields, outcome) => {
  expect((await lineOf(status, logFields as Record<string, string>)).outcome).toBe(outcome);
});

test.each([
  ['POST', '/headless-auth/made-up'],
  ['GET', '/headless-auth/exchange'],
  ['OPTIONS', '/headless-auth/refresh'],
])('%s %s, which no client sends often, is counted with what no route takes', async (method, path) => {
  expect(metricsOf(await lineAt(path, { method, errorCode: 'NOT_FOUND' }))).toEqual([
    'durationMs=0 route=$default',
    'durationMs=0 route=$default outcome=refused',
  ]);
});

test('counts throttled requests for each store, and changes by their kind', async () => {
  expect(metricsOf(await lineOf(429, { shopId: 81 }))).toContain('throttled=1 store=81');
  expect(metricsOf(await lineOf(200, { shopId: 81, action: 'skip' }))).toEqual(
    expect.arrayContaining(['throttled=0 store=81', 'actions=1 action=skip']),
  );
});

/** Returns the metrics of a request for the objectives. */
async function metricsOfRequest(
  path: string,
  {
    method = 'POST',
    status = 200,
    fields = {} as Record<string, string>,
    platformMs = 0,
    durationMs = 0,
  } = {},
) {
  const clock = { nowMs: 1_700_000_000_000 };
  const parts = { now: () => clock.nowMs };
  const { routeKey, pathParameters } = matchRoute(method, path);
  const [line] = await linesOf(async (logger) => {
    const steps = middy<HttpEvent, HttpResult>({ requestEnd: logRequest({ ...parts, logger }) })
      .use([readRequest(parts)])
      .handler(async ({ exchange }) => {
        Object.assign(exchange.logFields, fields);
        await measurePlatformTime(async () => {
          clock.nowMs += platformMs;
        });
        clock.nowMs += durationMs - platformMs;
        return { statusCode: status };
      });
    await withRequestContext(parts, steps)(
      { ...httpEvent({ method, path }), routeKey, pathParameters } as unknown as HttpEvent,
      context,
    );
  });
  return {
    ownMs: line?.ownMs,
    metrics: metricsOf(line as Line).filter((one) => /^(failed|slow|ownMs)=/.test(one)),
  };
}

const REFRESH = '/headless-auth/refresh';

test('the time of its own is without what was waited for the platform', async () => {
  expect((await metricsOfRequest(REFRESH, { durationMs: 4_000, platformMs: 3_900 })).metrics).toEqual([
    'failed=0 service=trial',
    'slow=0 service=trial',
    'ownMs=100 service=trial',
  ]);
  expect((await metricsOfRequest(REFRESH, { durationMs: 1_201, platformMs: 200 })).metrics).toContain(
    'slow=1 service=trial',
  );
});

test('counts responses for the objectives, and failures by a fault of the service', async () => {
  expect((await metricsOfRequest(REFRESH, { status: 500 })).metrics).toContain('failed=1 service=trial');
  const others = { causedBy: 'others' };
  const throttled = { errorCode: 'THROTTLED' };
  const notCounted: Parameters<typeof metricsOfRequest>[] = [
    [REFRESH, { status: 503, fields: others }],
    [REFRESH, { status: 401, fields: { errorCode: 'INVALID_REFRESH_TOKEN' } }],
    [REFRESH, { status: 429, fields: throttled }],
    ['/healthz', { method: 'GET' }],
    ['/nothing', { status: 500 }],
    [REFRESH, { method: 'OPTIONS', status: 204 }],
  ];
  for (const request of notCounted) expect((await metricsOfRequest(...request)).metrics).toEqual([]);
});
