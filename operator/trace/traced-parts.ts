/** The parts that write, each of which has the trace written before. No verb can write past them. */
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { Trace } from './trace.ts';

type Before = Pick<Trace, 'before'>;

/** The same work, once the trace has the command. */
export function traced<Args extends unknown[], Result>(
  { before }: Before,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    await before();
    return work(...args);
  };
}

export const tracedTable = (trace: Before, table: Table): Table => ({
  ...table,
  put: traced(trace, table.put),
  update: traced(trace, table.update),
  delete: traced(trace, table.delete),
});

export const tracedSecrets = (trace: Before, secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: traced(trace, secrets.addPending),
  moveCurrent: traced(trace, secrets.moveCurrent),
});
