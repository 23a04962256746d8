/** `npm run bench -- client`: measures the size of the client, and its time without the network. */
import { performance } from 'node:perf_hooks';
import vm from 'node:vm';
import { createMerchantClient } from '../../clients/typescript/src/client.ts';
import { bundleClient } from '../clients/bundle-client.ts';
import { clientSizes } from '../clients/typescript/client-sizes.ts';

const CALLS = 5_000;
const LOADS = 20;

/** Prints a table; the sizes with the most that they may be. */
export async function printClientFigures(): Promise<void> {
  for (const { name, bytes, maximum } of await clientSizes()) print(name, `${bytes} of ${maximum} bytes`);
  const bundle = new vm.Script(await bundleClient('iife', { minify: true }));
  const loads = Array.from({ length: LOADS }, () => timed(() => bundle.runInNewContext()));
  print('loaded, compiled before', `${middle(loads).toFixed(2)} ms`);
  const { subscriptions } = createMerchantClient({
    ...{ serviceUrl: 'https://service.example', adminKey: 'SVC_AT_bench' },
    environment: { fetch: async () => ANSWER },
  });
  const call = () => subscriptions.list({ first: 1 });
  const first = await timedAsync(call);
  print('a first call beside the network', `${first.toFixed(2)} ms`);
  const all = await timedAsync(async () => {
    for (let calls = 0; calls < CALLS; calls++) await call();
  });
  print('a call beside the network', `${((1000 * all) / CALLS).toFixed(0)} µs`);
}

const TEXT = JSON.stringify({
  data: { subscriptionContracts: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } },
});
const ANSWER = { status: 200, headers: { get: () => null }, text: async () => TEXT };

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function middle(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(66)} ${value.padStart(22)}`);
}
