/** The one line that is logged of a request, and the metrics in it. */
import { expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { HttpEvent, HttpResult } from '../../../lib/http/exchange.ts';
import { logRequest } from '../../../lib/http/log-request.ts';
import { readRequest } from '../../../lib/http/read-request.ts';
import { context, httpEvent } from '../../http-event.ts';
import { type Line, linesOf, metrics, metricsOf } from '../observability/log-lines.ts';

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
