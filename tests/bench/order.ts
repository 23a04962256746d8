/** The configuration of a benchmark run: its amounts, its environment, and the order for a contender's process. */
import { eventOf, QUERY } from './fixtures.ts';
import type { Order } from './worker.ts';

export type Sizes = {
  readonly warmUp: number;
  readonly calls: number;
  readonly rounds: number;
  readonly starts: number;
  /** Containers as deployed, of each contender. */
  readonly containers: number;
  readonly isQuick: boolean;
};

export type Bench = {
  readonly sizes: Sizes;
  readonly env: NodeJS.ProcessEnv;
  readonly functions: Readonly<Record<string, { readonly path: string }>>;
  readonly print: (text: string) => void;
};

const EVENT = eventOf(QUERY);

/** Returns the order for a contender's process with the query. */
export function orderOf({ functions }: Bench, name: string): Omit<Order, 'calls'> {
  return { bundle: functions[name]?.path ?? '', events: [EVENT], expected: 'House blend' };
}
