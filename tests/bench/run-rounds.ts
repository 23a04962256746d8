/** Contenders that answer in turns, in short rounds, so that what else the machine does meets them all alike. */

import { type Bench, orderOf } from './order.ts';
import { startProcess } from './process.ts';
import type { Done } from './worker.ts';

export type Rounds<Name extends string> = {
  /** CPU of one request in each round after the warm-up, in µs, of each process. */
  readonly rounds: Readonly<Record<Name, readonly (readonly number[])[]>>;
  /** The first call of each contender's first process, its import included. */
  readonly first: Readonly<Record<Name, Done>>;
};

/** The rounds of a run; `processes` of a contender are one unless it says otherwise. Rejects if an answer is not what was expected. */
export async function runRounds<Name extends string>(
  bench: Bench,
  names: readonly Name[],
  processes?: Readonly<Partial<Record<Name, number>>>,
): Promise<Rounds<Name>> {
  const { sizes, print } = bench;
  const listed = names.flatMap((name) => Array<Name>(processes?.[name] ?? 1).fill(name));
  const workers = listed.map((name) => {
    const worker = startProcess('worker.ts', [], bench.env);
    const call = (calls: number) => worker.ask<Done>({ ...orderOf(bench, name), calls });
    return { name, worker, call, times: [] as number[] };
  });
  const first: Partial<Record<Name, Done>> = {};
  for (const { name, call } of workers) {
    const done = await call(1);
    first[name] ??= done;
  }
  const warmUps = Math.ceil(sizes.warmUp / sizes.calls);
  // In turns from the first call: V8 drops code that a process has not used while it waited for the others.
  for (let round = 1 - warmUps; round <= sizes.rounds; round++) {
    print(round > 0 ? `round ${round} of ${sizes.rounds}` : `warming up: ${round + warmUps} of ${warmUps}`);
    for (const { call, times } of workers) {
      const { cpuUs } = await call(sizes.calls);
      if (round > 0) times.push(cpuUs / sizes.calls);
    }
  }
  for (const { worker } of workers) worker.stop();
  const timesOf = (name: Name) => workers.filter((one) => one.name === name).map(({ times }) => times);
  const rounds = Object.fromEntries(names.map((name) => [name, timesOf(name)]));
  return { rounds: rounds as Record<Name, number[][]>, first: first as Record<Name, Done> };
}
