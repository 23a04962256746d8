/** The throttle of one route does not affect another: a flood on one endpoint does not block the next. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../../../infra/definition/routes.ts';
import { startGateway } from '../../../../sandbox/local/gateway/handle-gateway-request.ts';
import { createRouteMatcher } from '../../../../sandbox/local/gateway/match-route.ts';
import { createTokenBuckets } from '../../../../sandbox/local/gateway/throttle.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The clients' methods for each address; a monitor, a browser and link previews send HEAD as well as GET. */
const sent: Readonly<Record<string, readonly string[]>> = {
  '/headless-auth/start': ['POST'],
  '/headless-auth/exchange': ['POST'],
  '/headless-auth/refresh': ['POST'],
  '/headless-auth/revoke': ['DELETE'],
  '/headless-auth/storefront-token': ['POST'],
  '/api/storefront/unstable/graphql.json': ['POST'],
  '/api/admin/unstable/graphql.json': ['POST'],
  '/platform/webhooks': ['POST'],
  '/healthz': ['GET', 'HEAD'],
  '/admin-keys/claim/{linkId}': ['GET', 'HEAD', 'POST'],
  '/api/admin/unstable/graphiql': ['GET', 'HEAD'],
};
const fromClients = Object.entries(sent).flatMap(([path, methods]) =>
  methods.map((method) => [method, path]),
);
const paths = [...Object.keys(sent), '/', '/nowhere', '/headless-auth/nothing'];

describe('the shared routes', () => {
  const matchRoute = createRouteMatcher();

  test.each(fromClients)('%s %s has a bucket that nothing else empties', (method = '', path = '') => {
    const { routeKey, throttle } = matchRoute(method, path);
    expect(throttle).toBeDefined();
    const others = paths
      .flatMap((other) => METHODS.map((by) => [by, other] as const))
      .filter(([by, other]) => by !== method || other !== path)
      .filter(([by, other]) => matchRoute(by, other).routeKey === routeKey);
    expect(others).toEqual([]);
  });

  test.each(['GET', 'HEAD'])(
    '%s of GraphiQL, a large page for anybody, is let through once a second',
    (method) => {
      expect(matchRoute(method, '/api/admin/unstable/graphiql').throttle?.ratePerSecond).toBe(1);
    },
  );

  test('are for addresses that clients use, all of them', () => {
    expect(new Set(ROUTES.map(({ path }) => path))).toEqual(new Set(Object.keys(sent)));
  });
});

describe('a bucket', () => {
  test('gives what it holds at once, and then what flows in', () => {
    let nowMs = 0;
    const take = createTokenBuckets(() => nowMs);
    const taken = (count: number) =>
      Array.from({ length: count }, () => take('a', { ratePerSecond: 10, burst: 3 })).filter(Boolean).length;
    expect(taken(5)).toBe(3);
    nowMs += 250;
    expect(taken(5)).toBe(2);
    // The half that was left counts.
    nowMs += 50;
    expect(taken(5)).toBe(1);
    nowMs += 3_600_000;
    expect(taken(5)).toBe(3);
    // A clock that is set back removes no tokens.
    nowMs -= 3_600_000;
    expect(taken(1)).toBe(0);
  });
});

describe("the gateway's own 429", () => {
  const throttle = { ratePerSecond: 1, burst: 2 };
  const opened = startGateway({
    port: 0,
    now: () => 0,
    invoke: async () => ({ statusCode: 200, headers: { 'access-control-allow-origin': '*' } }),
    matchRoute: createRouteMatcher({
      routes: [{ method: 'POST', path: '/a', function: 'headless-auth', throttle }],
      defaultFunction: 'headless-auth',
    }),
  });
  afterAll(async () => (await opened).close());

  test('is as API Gateway says it: without Retry-After and without CORS', async () => {
    const { url } = await opened;
    const ask = (path: string) =>
      fetch(`${url}${path}`, { method: 'POST', headers: { origin: 'https://x' } });
    const answers = [await ask('/a'), await ask('/a'), await ask('/a'), await ask('/b')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    const [, , refused] = answers;
    expect(await refused?.text()).toBe('{"message":"Too Many Requests"}');
    for (const name of ['retry-after', 'access-control-allow-origin'])
      expect(refused?.headers.has(name)).toBe(false);
  });
});
