/** Wraps the dependencies that write, so that the trace is written first. No command can write without them. */
import type { Secrets } from '../../lib/storage/secrets.ts';
import type { Table } from '../../lib/storage/table.ts';
import type { CommandTrace } from './trace.ts';

type TraceStart = Pick<CommandTrace, 'writeStart'>;

/**
 * Returns `work` such that each call first waits until the command is stored in the trace. Rejects without starting the work
 * when it cannot be stored.
 */
export function createTracedCall<Args extends unknown[], Result>(
  { writeStart }: TraceStart,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    await writeStart();
    return work(...args);
  };
}

export const createTracedTable = (trace: TraceStart, table: Table): Table => ({
  ...table,
  put: createTracedCall(trace, table.put),
  update: createTracedCall(trace, table.update),
  delete: createTracedCall(trace, table.delete),
});

export const createTracedSecrets = (trace: TraceStart, secrets: Secrets): Secrets => ({
  ...secrets,
  addPending: createTracedCall(trace, secrets.addPending),
  moveCurrent: createTracedCall(trace, secrets.moveCurrent),
});
