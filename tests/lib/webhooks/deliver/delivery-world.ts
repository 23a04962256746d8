/**
 * Streams of stores, endpoints with scripted responses, and workers that start each minute like the schedule, over a
 * table in memory and in simulated time. All received events are recorded in order.
 */
import { Webhook } from 'standardwebhooks';
import { STORE_TIME_SLICE_MS } from '../../../../functions/compose/webhooks/run-store-work.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { processWorkQueue } from '../../../../lib/storage/work-queue/process-work-queue.ts';
import { createWorkQueue } from '../../../../lib/storage/work-queue/work-queue.ts';
import {
  createEndpointsDeliveryWork,
  type EndpointsDeliveryDeps,
} from '../../../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import type { ServedEndpoint, StreamEvent } from '../../../../lib/webhooks/deliver/endpoint-run.ts';
import type { EndpointUrl } from '../../../../lib/webhooks/guard-address.ts';
import type { WebhookResponse } from '../../../../lib/webhooks/send-webhook.ts';
import { createWebhookSecret } from '../../../../lib/webhooks/webhook-secret.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { tableOf as guardedTable } from '../../../rights/guarded-table.ts';
import { createSimulatedTime } from './simulated-time.ts';

export const START_MS = Date.parse('2026-11-22T12:00:00Z');
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** An event that an endpoint received, and its response. Times: of the arrival, and of the response. */
export type Receipt = {
  readonly endpointId: string;
  readonly id: string;
  readonly contract: string | undefined;
  readonly number: number;
  readonly worker: number;
  readonly atMs: number;
  answeredAtMs: number;
  answer: WebhookResponse | undefined;
};

/** After how long an endpoint answers, and what. */
type Answering = { readonly afterMs: number; readonly answer: WebhookResponse };
export type Receiver = (receipt: Receipt, before: readonly Receipt[]) => Answering;

export const accepts: Receiver = () => ({ afterMs: 200, answer: { status: 200 } });

/** A worker's process, which crashes or freezes at the table requests that a test selects. */
export type Fault = 'before' | 'after' | { readonly frozenMs: number };
type Faults = (request: { readonly count: number; readonly operation: string }) => Fault | undefined;

class Death extends Error {}

type Process = { readonly worker: number; hasCrashed: boolean };
type Options = {
  readonly random?: () => number;
  readonly storeConcurrency?: number;
  readonly memory?: Table;
  /** Makes each body longer by so many characters. */
  readonly moreCharacters?: number;
};

export function createDeliveryWorld({
  random = () => 0.5,
  storeConcurrency = 4,
  memory = createMemoryTable(),
  moreCharacters = 0,
}: Options = {}) {
  const time = createSimulatedTime(START_MS);
  const streams = new Map<
    ShopId,
    (Omit<StreamEvent, 'webhook'> & { type: string; id: string; atMs: number })[]
  >();
  const endpoints = new Map<string, ServedEndpoint & { receiver: Receiver }>();
  const receipts: Receipt[] = [];
  /** The reads of the stream, each with the number of events that were received before. */
  const reads: { readonly fromNumber: number; readonly received: number }[] = [];
  const more = moreCharacters === 0 ? {} : { more: 'x'.repeat(moreCharacters) };
  const disabled: { endpointId: string; reason: string; atMs: number }[] = [];
  const logs: string[] = [];
  const secret = createWebhookSecret(() => Buffer.alloc(32, 7));
  const verifier = new Webhook(secret);
  const storeState = { uninstalledAtMs: undefined as number | undefined };
  let ids = 0;
  let requests = 0;
  let polls = 0;
  let isSlow = false;
  const newId = () => `id-${++ids}`;
  const log = (message: string) => void logs.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  const guarded = guardedTable('webhook-deliveries', memory);
  const workQueue = createWorkQueue({ table: memory, now: time.now, newId });

  async function send(
    worker: number,
    { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  ) {
    const endpoint = endpoints.get(url);
    if (endpoint === undefined) throw new Error(`nobody is at ${url}`);
    const { id, contract, number, type } = JSON.parse(body);
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    if (Math.abs(at.getTime() - time.now()) > 1000) throw new Error('an old time');
    if (headers['webhook-signature'] !== verifier.sign(id, at, body)) throw new Error('a wrong signature');
    if (headers['webhook-id'] !== id) throw new Error('a wrong id');
    if (endpoint.types !== null && !endpoint.types.includes(type)) throw new Error('an unwanted type');
    const receipt: Receipt = {
      ...{ endpointId: endpoint.id, id, contract, number, worker, atMs: time.now() },
      ...{ answeredAtMs: Infinity, answer: undefined },
    };
    const before = isSlow ? [] : receipts.filter((one) => one.endpointId === endpoint.id);
    receipts.push(receipt);
    const { afterMs, answer } = endpoint.receiver(receipt, before);
    await time.until(time.now() + afterMs);
    receipt.answeredAtMs = time.now();
    receipt.answer = answer;
    return answer;
  }

  function tableOf(faults: Faults, process: Process): Table {
    let count = 0;
    const wrap =
      (operation: keyof Table) =>
      async (...parameters: unknown[]) => {
        if (process.hasCrashed) return new Promise(() => undefined);
        const fault = faults({ count: count++, operation });
        requests++;
        if (typeof fault === 'object') await time.until(time.now() + fault.frozenMs);
        const die = (when: Fault) => {
          if (fault !== when) return;
          process.hasCrashed = true;
          throw new Death();
        };
        die('before');
        const result = await (guarded[operation] as (...all: unknown[]) => Promise<unknown>)(...parameters);
        die('after');
        return result;
      };
    const operations = ['get', 'batchGet', 'put', 'update', 'delete', 'query'] as const;
    return Object.fromEntries(operations.map((one) => [one, wrap(one)])) as unknown as Table;
  }

  function depsOf(process: Process, table: Table): EndpointsDeliveryDeps {
    return {
      ...{ table, logger, random, now: time.now },
      async readEvents(shopId, fromNumber, limit) {
        reads.push({ fromNumber, received: receipts.length });
        const all = streams.get(shopId) ?? [];
        const first = all[0]?.number ?? 0;
        const from = Math.max(0, fromNumber - first);
        return all.slice(from, from + limit).map(({ type, id, atMs, ...event }) => {
          const body = JSON.stringify({
            ...event,
            type,
            id,
            timestamp: new Date(atMs).toISOString(),
            ...more,
          });
          return { ...event, webhook: { type, id, body } };
        });
      },
      async send(request) {
        const answer = process.hasCrashed
          ? new Promise<never>(() => undefined)
          : send(process.worker, request);
        return answer.then((one) => (process.hasCrashed ? new Promise<never>(() => undefined) : one));
      },
      async reportDisabledEndpoint({ id }, { reason }) {
        disabled.push({ endpointId: id, reason, atMs: time.now() });
      },
      async readVersion({ url }) {
        polls++;
        return endpoints.get(url)?.version;
      },
      readStoreLifecycle: async () => storeState,
      listEndpoints: async (shopId) => [...endpoints.values()].filter((one) => one.shopId === shopId),
    };
  }

  let workers = 0;
  return {
    ...{ time, memory, endpoints, receipts, reads, disabled, logs, storeState, workQueue },
    requests: () => requests,
    /** Returns the number of reads of the store's configuration during deliveries. */
    polls: () => polls,
    /** Stops the lookup of earlier receipts for receivers, which would take most of the time. */
    clearReceipts() {
      isSlow = true;
    },
    addEndpoint(
      shopId: ShopId,
      id: string,
      receiver: Receiver = accepts,
      more: Partial<ServedEndpoint> = {},
    ) {
      const url = `https://hooks.example.com/${id}` as EndpointUrl;
      const openSecrets = async () => [secret];
      const nothing = {
        openSecrets,
        types: null,
        startsAt: 1,
        version: 1,
      };
      endpoints.set(url, { shopId, id, url, ...nothing, ...more, receiver });
    },
    /** Changes what the store has configured, as its key does, and wakes the worker. */
    async configure(id: string, change: Partial<ServedEndpoint & { receiver: Receiver }>) {
      const endpoint = [...endpoints.values()].find((one) => one.id === id);
      if (endpoint === undefined) throw new Error(`no endpoint ${id}`);
      endpoints.set(endpoint.url, { ...endpoint, ...change });
      await workQueue.enqueue('webhook-deliveries', endpoint.shopId);
    },
    async place(shopId: ShopId, contract: string | undefined, type = 'subscription.paused') {
      const stream = streams.get(shopId) ?? [];
      streams.set(shopId, stream);
      const number = (stream.at(-1)?.number ?? 0) + 1;
      stream.push({ number, contract, type, id: `event-${shopId}-${number}`, atMs: time.now() });
      await workQueue.enqueue('webhook-deliveries', shopId);
      return number;
    },
    streamOf: (shopId: ShopId) => streams.get(shopId) ?? [],
    /** One run of the function: until nothing is due, or `lastsMs` are over. A death ends it. */
    async run({ faults = () => undefined, lastsMs = 55_000 }: { faults?: Faults; lastsMs?: number } = {}) {
      const process = { worker: ++workers, hasCrashed: false };
      const table = tableOf(faults, process);
      const workQueue = createWorkQueue({ table, now: time.now, newId });
      const wait = (ms: number, signal: AbortSignal) => time.until(time.now() + ms, signal);
      const endAtMs = time.now() + lastsMs;
      const run = {
        kind: 'webhook-deliveries',
        endAtMs,
        storeConcurrency,
        timeSliceMs: STORE_TIME_SLICE_MS,
      } as const;
      const work = createEndpointsDeliveryWork(depsOf(process, table));
      const over = time.until(endAtMs + 30_000).then(() => 0);
      const working = processWorkQueue({ workQueue, logger, now: time.now, wait }, run, work).catch(() => 0);
      return Promise.race([working, over]);
    },
    /** The schedule: a run each minute, side by side with those that still last, until `hours` are over. */
    async pass(hours: number, faults: (minute: number) => Faults | undefined = () => undefined) {
      const untilMs = time.now() + hours * HOUR_MS;
      const running = new Set<Promise<unknown>>();
      for (let minute = 0; time.now() < untilMs; minute++) {
        const nextMs = time.now() + MINUTE_MS;
        const ofRun = faults(minute);
        const run: Promise<unknown> = this.run(ofRun && { faults: ofRun }).finally(() => running.delete(run));
        running.add(run);
        await time.until(nextMs);
      }
      await Promise.allSettled(running);
    },
  };
}

export type DeliveryWorld = ReturnType<typeof createDeliveryWorld>;
