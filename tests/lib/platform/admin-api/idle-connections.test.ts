/** A mutation may not use a connection that the platform may have closed, however many requests share the connections. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { createAdminClient, requestDeadlineAtMs } from '../../../../lib/platform/admin-api/admin-client.ts';
import { createSendAdminRequest } from '../../../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../../../lib/platform/admin-api/throttle-buckets.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';

const NOW_MS = 1_800_000_000_000;
const REQUESTS = 64;
const store = { shopId: 1 as ShopId, domain: 'harbor-coffee.myshopify.com' } as StoreRecord;
const quiet = () => undefined;

/** A platform that records how long each request's connection was idle. `holds`: how many requests it answers together. */
async function startPlatform(now: () => number) {
  const lastUsedAtMs = new Map<Socket, number>();
  const state = { holds: 1, idleMs: [] as number[] };
  let pendingResponses: (() => void)[] = [];
  const server = createServer((request, response) => {
    const { socket } = request;
    state.idleMs.push(now() - (lastUsedAtMs.get(socket) ?? now()));
    pendingResponses.push(() => {
      lastUsedAtMs.set(socket, now());
      response.end('{"data":{}}');
    });
    if (pendingResponses.length < state.holds) return;
    for (const answer of pendingResponses) answer();
    pendingResponses = [];
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('sends 64 concurrent mutations over no connection that was idle for more than two seconds', async () => {
  let nowMs = NOW_MS;
  const now = () => nowMs;
  await using platform = await startPlatform(now);
  const token = async () => ({ accessToken: 'token', versionId: 'v1' });
  const client = createAdminClient({
    send: createSendAdminRequest({ now }),
    grants: { read: token, renew: token },
    buckets: createThrottleBuckets({ now }),
    platformOrigin: platform.origin,
    platformApiVersion: '2026-07',
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    now,
    random: () => 0.5,
    wait: async () => undefined,
  });
  const ask = (mutates: boolean) =>
    client({
      ...{ store, document: 'document', variables: {}, mutates, costKey: 'document' },
      deadlineAtMs: requestDeadlineAtMs(nowMs),
    });
  // Opens many connections: the platform answers 40 queries together.
  platform.state.holds = 40;
  await Promise.all(Array.from({ length: 40 }, () => ask(false)));
  platform.state.holds = 1;
  nowMs += 60_000;
  await ask(false);
  platform.state.idleMs = [];
  await Promise.all(Array.from({ length: REQUESTS }, () => ask(true)));
  expect(platform.state.idleMs).toHaveLength(REQUESTS);
  expect(Math.max(...platform.state.idleMs)).toBeLessThanOrEqual(2_000);
});
