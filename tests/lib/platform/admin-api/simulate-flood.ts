/** One customer floods a store through many containers, while others, its own server and the scheduled work go on. */
import { createSendWithinBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import { type createContainer, createInstances, createStore } from './busy-world.ts';

export type Flood = {
  readonly containers: number;
  readonly connections: number;
  /** The requests that each connection repeats, one after another. */
  readonly requests: readonly FloodRequest[];
  /** Whether the attacker waits for Retry-After or retries immediately. */
  readonly waits: boolean;
};
/** A query of this many points, or a change, cheap or expensive: its reads and its steps. */
type FloodRequest = { readonly kind: 'query' | keyof typeof CHANGES; readonly points: number };

/** The result. Times in milliseconds; `sentAway`: the number of refusals of clients that waited for Retry-After. */
export type FloodResult = {
  readonly others: readonly { readonly ms: number; readonly sentAway: number }[];
  readonly server: { readonly longestMs: number; readonly sentAway: number };
  readonly scheduledLongestMs: number;
  readonly attacker: {
    readonly spent: number;
    /** The seconds of each `Retry-After`. */
    readonly refusals: readonly number[];
    /**
     * The number of further refusals of the last refused request, retried after its Retry-After when the flood was
     * over.
     */
    readonly refusedAfterwards: number;
  };
};

const FLOOD_MS = 40_000;
const NETWORK_MS = 50;
const ATTACKER = 1;
/** The changes' expected and actual points: a skip, and an interval with a date. */
const CHANGES = {
  change: { expected: 60, reads: [10], steps: [15, 15, 15] },
  expensive: { expected: 300, reads: [58, 17, 10], steps: [20, 10, 14, 30, 60, 60, 60, 60, 60] },
};
/** Less than two thirds of the restored points, with the server's calls and the scheduled work. */
const OTHERS_POINTS = [10, 40, 120];

type World = ReturnType<typeof createStore> & {
  readonly invoke: ReturnType<typeof createInstances>;
  readonly endAtMs: number;
};
type Container = ReturnType<typeof createContainer>;

/** Runs the flood. */
export async function simulateFlood(flood: Flood): Promise<FloodResult> {
  const store = createStore();
  const invoke = createInstances(flood.containers, store.startContainer);
  const world = { ...store, invoke, endAtMs: store.clock.nowMs + FLOOD_MS };
  const work = Promise.all([attack(world, flood), visits(world), serve(world), schedule(world)]);
  await store.runUntil(work);
  const [attacker, others, server, scheduledLongestMs] = await work;
  return { attacker, others, server, scheduledLongestMs };
}

async function attack(
  world: World,
  { connections, requests, waits }: Flood,
): Promise<FloodResult['attacker']> {
  const { clock, wait, endAtMs, invoke } = world;
  const refusals: number[] = [];
  let spent = 0;
  let last: FloodRequest | undefined;
  const retry = async (connection: number) => {
    for (let turn = connection; clock.nowMs < endAtMs; turn++) {
      await wait(NETWORK_MS);
      const request = requests[turn % requests.length] as FloodRequest;
      const seconds = await invoke((container) => sendOne(container, request, ATTACKER));
      if (seconds === 0) spent += costOf(request);
      else {
        refusals.push(seconds);
        last = request;
        if (waits) await wait(seconds * 1000);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => retry(connection)));
  if (last === undefined) return { spent, refusals, refusedAfterwards: 0 };
  await wait((refusals.at(-1) ?? 0) * 1000);
  const { sentAway } = await askUntilServed(world, last, ATTACKER);
  return { spent, refusals, refusedAfterwards: sentAway };
}

async function visits(world: World): Promise<FloodResult['others']> {
  const visiting: ReturnType<typeof askUntilServed>[] = [];
  for (let customer = 100; world.clock.nowMs < world.endAtMs; customer++) {
    await world.wait(6_000);
    const points = OTHERS_POINTS[customer % OTHERS_POINTS.length] ?? 0;
    const kind = customer % 4 === 0 ? 'change' : 'query';
    visiting.push(askUntilServed(world, { kind, points }, customer));
  }
  return Promise.all(visiting);
}

async function askUntilServed(
  { clock, wait, invoke }: World,
  request: FloodRequest,
  customer: number,
): Promise<FloodResult['others'][number]> {
  const cameAtMs = clock.nowMs;
  for (let sentAway = 0; ; sentAway++) {
    const seconds = await invoke((container) => sendOne(container, request, customer));
    if (seconds === 0) return { ms: clock.nowMs - cameAtMs, sentAway };
    await wait(seconds * 1000);
  }
}

async function serve({ startContainer, clock, wait, endAtMs }: World): Promise<FloodResult['server']> {
  const { ask } = startContainer();
  let [longestMs, sentAway] = [0, 0];
  while (clock.nowMs < endAtMs) {
    const cameAtMs = clock.nowMs;
    if ((await ask(30)) > 0) sentAway += 1;
    longestMs = Math.max(longestMs, clock.nowMs - cameAtMs);
    await wait(4_000);
  }
  return { longestMs, sentAway };
}

async function schedule({ startContainer, clock, wait, endAtMs }: World): Promise<number> {
  const { operationOf, client } = startContainer();
  const send = createSendWithinBudget({ send: client, now: () => clock.nowMs, wait });
  let longestMs = 0;
  while (clock.nowMs < endAtMs) {
    const cameAtMs = clock.nowMs;
    await send({ ...operationOf(20), endAtMs: cameAtMs + FLOOD_MS });
    longestMs = Math.max(longestMs, clock.nowMs - cameAtMs);
    await wait(10_000);
  }
  return longestMs;
}

function costOf({ kind, points }: FloodRequest): number {
  if (kind === 'query') return points;
  const { reads, steps } = CHANGES[kind];
  return [...reads, ...steps].reduce((sum, cost) => sum + cost, 0);
}

/** 0: served; else the seconds of `Retry-After`. */
async function sendOne(
  { receive }: Container,
  { kind, points }: FloodRequest,
  customer: number,
): Promise<number> {
  const { expected, reads, steps } =
    kind === 'query' ? { expected: 0, reads: [points], steps: [] } : CHANGES[kind];
  const ask = await receive(customer, expected);
  let seconds = 0;
  for (const [index, cost] of [...reads, ...steps].entries()) {
    seconds = await ask(cost, index >= reads.length);
    if (seconds > 0) break;
  }
  await ask.end();
  return seconds;
}
