/** A run of the benchmark: how much is measured, with what, and what a contender's process is told to do. */
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

/** The query, as a contender's process is told to answer it. */
export function orderOf({ functions }: Bench, name: string): Omit<Order, 'calls'> {
  return { bundle: functions[name]?.path ?? '', events: [EVENT], expected: 'House blend' };
}
