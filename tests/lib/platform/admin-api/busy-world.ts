/** One store's bucket at the platform, and containers of the service that use it, with a simulated clock. */
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { createAdminClient, requestDeadlineAtMs } from '../../../../lib/platform/admin-api/admin-client.ts';
import type { SendAdminRequest } from '../../../../lib/platform/admin-api/admin-request.ts';
import { createCustomerQuota } from '../../../../lib/platform/admin-api/customer-quota.ts';
import { createThrottleBuckets } from '../../../../lib/platform/admin-api/throttle-buckets.ts';
import { createWaitBudget } from '../../../../lib/platform/admin-api/wait-for-points.ts';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import { createCustomerQuotaRepository } from '../../../../lib/storage/sessions/customer-quota-repository.ts';
import { customerQuotaKey, quotaFreeAtMsOf } from '../../../../lib/storage/sessions/session-record.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { tableOf } from '../../../rights/guarded-table.ts';

export const MAXIMUM = 1000;
export const RATE = 50;
const LATENCY_MS = 80;

/** Creates a clock that advances when all tasks wait. */
export function createClock(clock = { nowMs: 1_000_000 }) {
  const timers: { atMs: number; ring: () => void }[] = [];
  const wait = (ms: number) =>
    new Promise<void>((ring) => {
      timers.push({ atMs: clock.nowMs + ms, ring });
    });
  const runUntil = async (work: Promise<unknown>) => {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    for (;;) {
      await new Promise(setImmediate);
      if (isDone) return;
      timers.sort((one, other) => one.atMs - other.atMs);
      const next = timers.shift();
      if (next === undefined) throw new Error('nobody waits for anything');
      clock.nowMs = Math.max(clock.nowMs, next.atMs);
      next.ring();
    }
  };
  return { clock, wait, runUntil };
}

/** Clients, one a container, against a platform that refuses what does not fit. */
export function createStore() {
  const { clock, wait, runUntil } = createClock();
  const bucket = { available: MAXIMUM, atMs: clock.nowMs, refused: 0, toLose: 0 };
  const send = async ({ body }: { readonly body: string }) => {
    await wait(LATENCY_MS);
    if (bucket.toLose > 0) {
      bucket.toLose -= 1;
      throw new TransportError('Admin API', 'cut', true);
    }
    const restored = ((clock.nowMs - bucket.atMs) / 1000) * RATE;
    bucket.available = Math.min(MAXIMUM, bucket.available + restored);
    bucket.atMs = clock.nowMs;
    const points = Number(JSON.parse(body).query);
    const isRefused = points > bucket.available;
    if (isRefused) bucket.refused += 1;
    else bucket.available -= points;
    const throttleStatus = {
      maximumAvailable: MAXIMUM,
      currentlyAvailable: bucket.available,
      restoreRate: RATE,
    };
    const extensions = {
      cost: { requestedQueryCost: points, actualQueryCost: isRefused ? null : points, throttleStatus },
    };
    const answer = isRefused
      ? { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions }
      : { data: {}, extensions };
    return { status: 200, retryAfter: undefined, body: JSON.stringify(answer) };
  };
  const table = tableOf('customer-graphql', createMemoryTable());
  const startContainer = () => createContainer({ clock, wait, send, table });
  return {
    ...startContainer(),
    ...{ startContainer, clock, wait, runUntil },
    /** How many requests the platform has rejected for want of points. */
    rejections: () => bucket.refused,
    /** The responses of so many requests are lost. */
    loseNext: (count: number) => {
      bucket.toLose = count;
    },
  };
}

type Container = Pick<ReturnType<typeof createClock>, 'clock' | 'wait'> & {
  readonly send: SendAdminRequest;
  /** The table that all containers share. */
  readonly table: Table;
};

export function createContainer({ clock, wait, send, table }: Container) {
  const now = () => clock.nowMs;
  const quota = createCustomerQuota({ quotaRepository: createCustomerQuotaRepository({ table, now }), now });
  const token = { accessToken: 'token', versionId: '1' };
  const client = createAdminClient({
    send,
    grants: { read: async () => token, renew: async () => token },
    buckets: createThrottleBuckets({ now }),
    loadCustomerQuota: async () => quota,
    platformOrigin: 'https://{shop}',
    platformApiVersion: '2026-07',
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    now,
    random: () => 0.5,
    wait,
  });
  const store = { shopId: 1, domain: 'harbor.example' } as unknown as StoreRecord;
  const operationOf = (points: number) => {
    const document = String(points);
    return { store, document, costKey: document, variables: {}, mutates: false };
  };
  /** Creates a client's request with its platform requests. */
  const startRequest = (customer?: number, expectedPoints = 0, quotaFreeAtMs = 0) => {
    const deadlineAtMs = requestDeadlineAtMs(clock.nowMs);
    const customerId = customer as CustomerId | undefined;
    const waitBudget =
      customer === undefined ? undefined : createWaitBudget({ expectedPoints, quotaFreeAtMs });
    /** 0: served; else the seconds of `Retry-After`. */
    const ask = async (points: number, mutates = false): Promise<number> => {
      const operation = { ...operationOf(points), mutates, deadlineAtMs };
      try {
        await client({ ...operation, customerId, waitBudget });
        return 0;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'THROTTLED') throw error;
        return error.retryAfterSeconds ?? 0;
      }
    };
    /** The request is answered. */
    const end = async () => waitBudget?.refund?.();
    return Object.assign(ask, { end });
  };
  const ask = (points: number, customer?: number) => startRequest(customer)(points);
  /** Starts a customer's request: the customer's quota is read with its session. */
  const receive = async (customer: number, expectedPoints = 0) => {
    const [item] = await table.batchGet([
      customerQuotaKey({ shopId: store.shopId, customerId: customer as CustomerId }),
    ]);
    return startRequest(customer, expectedPoints, quotaFreeAtMsOf(item));
  };
  return { startRequest, receive, ask, client, operationOf };
}

/** Instances that serve one request at a time; further requests wait for one. */
export function createInstances(count: number, start: () => ReturnType<typeof createContainer>) {
  const idle = Array.from({ length: count }, start);
  const waiting: (() => void)[] = [];
  return async <T>(work: (container: ReturnType<typeof createContainer>) => Promise<T>): Promise<T> => {
    while (idle.length === 0) await new Promise<void>((free) => waiting.push(free));
    const container = idle.shift() as ReturnType<typeof createContainer>;
    try {
      return await work(container);
    } finally {
      idle.push(container);
      waiting.shift()?.();
    }
  };
}
