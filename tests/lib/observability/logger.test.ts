import { expect, jest, test } from '@jest/globals';
import middy from '@middy/core';
import type { HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';
import { context, httpEvent } from '../../http-event.ts';

const metrics = { namespace: 'subscriptions/dev', now: () => 1_700_000_000_000 };

type Line = Record<string, unknown> & {
  readonly _aws?: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: string[][];
      readonly Metrics: { readonly Name: string; readonly Unit: string }[];
    }[];
  };
};

/** The lines that are written to stdout meanwhile. */
async function linesOf(write: (logger: Logger) => unknown): Promise<Line[]> {
  const written = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const failed = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await write(createLogger({ functionName: 'trial', level: 'INFO', metrics }));
    return [...written.mock.calls, ...failed.mock.calls].map(([text]) => JSON.parse(String(text)));
  } finally {
    written.mockRestore();
    failed.mockRestore();
  }
}

/** A request that ends with `status`, as its line in the log. */
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
    const event = { ...httpEvent({ method: 'POST', path: rawPath }), routeKey: 'ANY /headless-auth/{step}' };
    await handler({ ...event, pathParameters: { step: 'exchange' } } as unknown as HttpEvent, context);
  });
  if (line === undefined) throw new Error('There is no line.');
  return line;
}

/** What CloudWatch makes of a line; every metric must be a number, every dimension a text. */
function metricsOf(line: Line): string[] {
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }) => {
    expect(Namespace).toBe('subscriptions/dev');
    return Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) => {
        expect(line[Name]).toEqual(expect.any(Number));
        for (const name of names) expect(line[name]).toEqual(expect.any(String));
        return `${Name}=${line[Name]} ${names.map((name) => `${name}=${line[name]}`).join(' ')}`.trim();
      }),
    );
  });
}

test('of a path the line holds 200 characters, and no secret that the cut would have made unlike one', async () => {
  const { path: long } = await lineOf(404, {}, `/${'a'.repeat(9_000)}`);
  expect(long).toBe(`/${'a'.repeat(198)}…`);
  const jwt = `eyJ${'a'.repeat(40)}.${'b'.repeat(200)}.c`;
  const { path: cut } = await lineOf(404, {}, `/${'x'.repeat(80)}/${jwt}/${'y'.repeat(200)}`);
  expect(cut).not.toContain('eyJ');
  expect((await lineOf(200, {}, '/short')).path).toBe('/short');
});

test('a request is counted by its route and outcome', async () => {
  const line = await lineOf(200);
  expect(line._aws?.Timestamp).toBe(1_700_000_000_000);
  expect(metricsOf(line)).toEqual([
    'durationMs=0 route=/headless-auth/{step}',
    'durationMs=0 route=/headless-auth/{step} outcome=ok',
    'durationMs=0 step=exchange outcome=ok',
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

test('an address that clients make up is counted with its route alone', async () => {
  expect(metricsOf(await lineOf(404, { errorCode: 'NOT_FOUND' }))).toEqual([
    'durationMs=0 route=/headless-auth/{step}',
    'durationMs=0 route=/headless-auth/{step} outcome=refused',
  ]);
});

test('the share of throttled requests is told for each store, and changes by their kind', async () => {
  expect(metricsOf(await lineOf(429, { shopId: 81 }))).toContain('throttled=1 store=81');
  expect(metricsOf(await lineOf(200, { shopId: 81, action: 'skip' }))).toEqual(
    expect.arrayContaining(['throttled=0 store=81', 'actions=1 action=skip']),
  );
});

test('a line with an alarm is counted, whatever its level', async () => {
  const lines = await linesOf((logger) => {
    logger.warn('platform request failed', { alarm: 'store-disconnected', shopId: 81 });
    logger.error('refresh_reuse_detected', { alarm: 'refresh_reuse' });
    logger.error('no alarm');
  });
  expect(lines.flatMap(metricsOf).sort()).toEqual([
    'alarms=1 alarm=refresh_reuse',
    'alarms=1 alarm=store-disconnected',
  ]);
});

test('a line tells level, message, time and function first, and no field takes their place', async () => {
  const [line] = await linesOf((logger) =>
    logger.info('due work done', { count: 3, level: 'none', service: 'another', points: 10n }),
  );
  expect(Object.entries(line ?? {})).toEqual([
    ['level', 'INFO'],
    ['message', 'due work done'],
    ['timestamp', '2023-11-14T22:13:20.000Z'],
    ['service', 'trial'],
    ['count', 3],
    ['points', '10'],
  ]);
});

test('lines below the level are not written', async () => {
  expect(await linesOf((logger) => logger.debug('too fine'))).toEqual([]);
});

test('no secret is written, whatever field it stands in', async () => {
  const [line] = await linesOf((logger) => logger.warn('odd', { cause: { text: 'Bearer SVC_CT_abc' } }));
  expect(line?.cause).toEqual({ text: '[redacted]' });
});
