/** The parts that write, each of which has the trace written before. No verb can write past them. */
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { Trace } from './trace.ts';

type TraceBefore = Pick<Trace, 'before'>;

/**
 * Returns `work` such that each call first waits until the command is stored in the trace. Rejects without starting the work
 * when it cannot be stored.
 */
export function traceBefore<Args extends unknown[], Result>(
  { before }: TraceBefore,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    await before();
    return work(...args);
  };
}

export const tracedTable = (trace: TraceBefore, table: Table): Table => ({
  ...table,
  put: traceBefore(trace, table.put),
  update: traceBefore(trace, table.update),
  delete: traceBefore(trace, table.delete),
});

export const tracedSecrets = (trace: TraceBefore, secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: traceBefore(trace, secrets.addPending),
  moveCurrent: traceBefore(trace, secrets.moveCurrent),
});
