/**
 * The gateway that emulates API Gateway and the edge, with the functions from their sources, in this process and in
 * simulated time. Customers use the client that users install (clients/typescript).
 */
import { createHash } from 'node:crypto';
import { readEnvironmentConfig } from '../../infra/definition/config.ts';
import { DEFAULT_FUNCTION, DEFAULT_THROTTLE, ROUTES } from '../../infra/definition/routes.ts';
import { createEdge } from '../../sandbox/local/gateway/edge.ts';
import { createGatewayHandler } from '../../sandbox/local/gateway/handle-gateway-request.ts';
import { createRouteMatcher, type RouteTable } from '../../sandbox/local/gateway/match-route.ts';
import type { ThrottleLimits } from '../../sandbox/local/gateway/throttle.ts';
import { completeSignInPages } from '../../sandbox/sign-in-pages.ts';
import { createWalkWorld } from '../architecture/walk-world.ts';
import { context } from '../http-event.ts';
import { createStackControl } from '../stack-control.ts';
import { createSimulatedTime } from './simulated-time.ts';
import { createDevice, type Device } from './use-app.ts';

export const SERVICE_URL = 'https://api.example.com';
const SECRET = 'known to the edge';

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};
export type Answered = { readonly status: number; readonly headers: Headers; readonly body: Buffer };
export type FloodWorld = Awaited<ReturnType<typeof createFloodWorld>>;

type FloodOptions = {
  /** The share of production's throttles, for a proportionally smaller flood. */
  readonly share: number;
  /** One of this many invocations by invalid requests runs the function; the others are only counted. */
  readonly junkPerRun: number;
};
/** The addresses of junk. */
export const JUNK_NETWORK = '203.0.113.';

/** Creates an edge, a gateway and functions without earlier requests. */
export async function createFloodWorld({ share, junkPerRun }: FloodOptions) {
  const time = createSimulatedTime(Date.now());
  const world = await createWalkWorld();
  Object.assign(process.env, { EDGE_SECRET_HASHES: createHash('sha256').update(SECRET).digest('hex') });
  const platformUrl = new URL(world.places.platformOrigin.replace('{shop}', '')).origin;
  const control = createStackControl(platformUrl);
  const handlers = {
    'headless-auth': (await import('../../functions/headless-auth/handler.ts')).handler,
    'customer-graphql': (await import('../../functions/customer-graphql/handler.ts')).handler,
    'admin-graphql': (await import('../../functions/admin-graphql/handler.ts')).handler,
  } as unknown as Record<string, (event: object, invocation: object) => Promise<unknown>>;
  const junk = { invocations: 0, runs: 0, busyMs: 0 };
  const gateway = createGatewayHandler({
    now: time.now,
    edge: createEdge({ secret: SECRET, now: time.now }),
    matchRoute: createRouteMatcher(throttledBy(share)),
    invoke: async (name, event) => {
      const run = async () => handlers[name]?.(event, context);
      if (!isFromJunk(event)) return run();
      junk.invocations += 1;
      if (junk.invocations % junkPerRun !== 0) return { statusCode: 204 };
      const startedMs = performance.now();
      const result = await run();
      junk.runs += 1;
      junk.busyMs += performance.now() - startedMs;
      return result;
    },
  });

  async function send({ method, path, address, headers = {}, body }: Sent): Promise<Answered> {
    const length = body === '' ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const all = { host: 'api.example.com', 'x-forwarded-for': address, ...length, ...headers };
    const answer = await gateway(
      {
        ...{ method, url: path, httpVersion: '1.1', headers: {}, rawHeaders: Object.entries(all).flat() },
        socket: { remoteAddress: '127.0.0.1', localPort: 443 },
      },
      Buffer.from(body),
    );
    return { status: answer.status, headers: new Headers(answer.headers), body: answer.body };
  }

  /** Creates a device whose requests go to this gateway (through the test's `fetch`). */
  function deviceOf(email: string): Device {
    const place = { serviceUrl: SERVICE_URL, shop: world.store.shop, time };
    return createDevice(place, ({ authUrl }) =>
      completeSignInPages({
        ...{ authUrl, email, onPage: () => undefined },
        readCode: () => control.oneTimeCode(email),
      }),
    );
  }

  return {
    time,
    send,
    deviceOf,
    shop: world.store.shop,
    customers: async (count: number) => (await control.seed({ customers: count })).customers,
    /**
     * Returns the functions' work on invalid requests so far: the number of invocations, and the time of a run (of
     * those that ran).
     */
    junk: () => ({ invocations: junk.invocations, runs: junk.runs, busyMs: junk.busyMs }),
    close: world.close,
  };
}

/** Behind the edge, as a function would see it. */
function isFromJunk(event: object): boolean {
  const { headers } = event as { readonly headers: Readonly<Record<string, string>> };
  return headers['x-forwarded-for']?.startsWith(JUNK_NETWORK) === true;
}

/** Production's throttles, or a share of them. */
function throttledBy(share: number): RouteTable {
  const { throttling } = readEnvironmentConfig('prod').config;
  const part = ({ ratePerSecond, burst }: ThrottleLimits): ThrottleLimits => ({
    ratePerSecond: Math.ceil(ratePerSecond * share),
    burst: Math.ceil(burst * share),
  });
  return {
    routes: ROUTES.map((route) => ({ ...route, throttle: part(throttling[route.throttle]) })),
    defaultFunction: DEFAULT_FUNCTION,
    defaultThrottle: part(throttling[DEFAULT_THROTTLE]),
  };
}
