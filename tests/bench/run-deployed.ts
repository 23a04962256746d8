/**
 * Measures the query as deployed, from a container's start on: with the read of the session, compared with other
 * servers.
 */

import { type Bench, orderOf } from './order.ts';
import { startProcess } from './process.ts';
import { type Changes, runChanges } from './run-changes.ts';
import { type Container, runContainers } from './run-containers.ts';
import { runRounds } from './run-rounds.ts';
import type { Done } from './worker.ts';

/** The contenders that are deployed with the service. */
export const DEPLOYED = {
  'forwarder-reading': 'bare JSON forwarder',
  'apollo-reading': 'Apollo Server 5',
  'forwarder-small-client': 'bare JSON forwarder, our AWS client',
  'apollo-small-client': 'Apollo Server 5, our AWS client',
} as const;
export const SERVERS = { 'customer-graphql': 'this service', ...DEPLOYED } as const;
export type Server = keyof typeof SERVERS;
const names = Object.keys(SERVERS) as Server[];
/** The figures whose ratio is checked after the warm-up: V8 may compile the same code well or badly in one process. */
const WARM_PROCESSES = { 'customer-graphql': 3, 'forwarder-reading': 3 } as const;

export type Deployed = {
  readonly containers: Readonly<Record<Server, readonly Container[]>>;
  /** CPU of one request in each round after the warm-up, in µs, of each process. */
  readonly warm: Readonly<Record<Server, readonly (readonly number[])[]>>;
  /** The bytes that the service had loaded when it answered the first query, without source maps. */
  readonly loadedBytes: number;
  readonly changes: Changes;
};

/** Every number as deployed. Rejects if an answer is not what was expected. */
export async function runDeployed(bench: Bench): Promise<Deployed> {
  const { sizes, print, env } = bench;
  const { containers, isQuick } = sizes;
  const maximum = isQuick ? 2 : Number.POSITIVE_INFINITY;
  const contenders = Object.fromEntries(names.map((name) => [name, { ...orderOf(bench, name), env }]));
  const found = await runContainers({
    contenders: contenders as Record<Server, (typeof contenders)[string]>,
    ...{ containers, maximum, print, until: 'to1000' },
  });
  // Rounds of a process differ little among themselves: fewer of them pay for the other processes.
  const warmSizes = isQuick ? { ...sizes, warmUp: 20 } : { ...sizes, warmUp: 16_000, rounds: 11 };
  const processes = isQuick ? undefined : WARM_PROCESSES;
  const { rounds } = await runRounds({ ...bench, sizes: warmSizes }, names, processes);
  const loadedBytes = await countLoaded(bench);
  // A quick run starts no stack.
  const changes = isQuick ? undefined : await runChanges({ containers, maximum, print });
  return { containers: found, warm: rounds, loadedBytes, changes };
}

async function countLoaded(bench: Bench): Promise<number> {
  const worker = startProcess('worker.ts', [], bench.env);
  const order = { ...orderOf(bench, 'customer-graphql'), calls: 1, countsLoaded: true };
  const { loadedBytes } = await worker.ask<Done>(order);
  worker.stop();
  return loadedBytes;
}
