/**
 * Measures a Lambda container from its start on: import, first response, requests 2–20, 21–200 and 201–1,000, each
 * container in its own process. The contenders alternate, container by container.
 */
import { type BenchProcess, startProcess } from './process.ts';
import type { Done, Order } from './worker.ts';

export type Contender = Omit<Order, 'calls' | 'carried'> & {
  readonly env: NodeJS.ProcessEnv;
  /** A field of the answer that the next request is sent with, over all containers of all contenders. */
  readonly carries?: { readonly field: string; readonly retained: { value: string } };
};
/** CPU in µs: of the import and the first answer, then of one request in each span. */
export type Container = {
  readonly init: number;
  readonly first: number;
  readonly to20: number;
  readonly to200: number;
  readonly to1000: number;
};

/** Answers, of which each span has the last. */
const SPANS = [
  ['init', 0],
  ['first', 1],
  ['to20', 19],
  ['to200', 180],
  ['to1000', 800],
] as const;

export type ContainersOrder<Name extends string> = {
  readonly contenders: Readonly<Record<Name, Contender>>;
  readonly containers: number;
  /** The last span that is measured. */
  readonly until: keyof Container;
  /** The maximum number of requests of a span: few if no bound is checked. */
  readonly maximum: number;
  readonly print: (text: string) => void;
};

/** The containers of each contender. Rejects if an answer is not what was expected. */
export async function runContainers<Name extends string>(
  order: ContainersOrder<Name>,
): Promise<Record<Name, Container[]>> {
  const names = Object.keys(order.contenders) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as Container[]])) as Record<
    Name,
    Container[]
  >;
  for (let count = 1; count <= order.containers; count++) {
    for (const name of names) {
      order.print(`container ${count} of ${order.containers}: ${name}`);
      const contender = order.contenders[name];
      const worker = startProcess('worker.ts', [], contender.env);
      found[name].push(await runContainer(worker, contender, order));
      worker.stop();
    }
  }
  return found;
}

async function runContainer(
  worker: BenchProcess,
  contender: Contender,
  { until, maximum }: Pick<ContainersOrder<string>, 'until' | 'maximum'>,
): Promise<Container> {
  const { env: _env, carries, ...order } = contender;
  const spans: Record<string, number> = {};
  for (const [span, requests] of SPANS) {
    const calls = Math.min(requests, maximum);
    const carried = carries && { field: carries.field, value: carries.retained.value };
    const { cpuUs, body } = await worker.ask<Done>({ ...order, calls, ...(carried && { carried }) });
    if (carries && calls > 0) carries.retained.value = JSON.parse(body)[carries.field];
    spans[span] = cpuUs / Math.max(1, calls);
    if (span === until) break;
  }
  return spans as Container;
}

/** CPU of one of the requests 2 to 200, in µs. */
export function early({ to20, to200 }: Container): number {
  return (19 * to20 + 180 * to200) / 199;
}
