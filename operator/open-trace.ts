import { randomBytes } from 'node:crypto';
import type { OperatorTarget } from './target.ts';
import { readCallerIdentity } from './trace/read-caller-identity.ts';
import { type CommandTrace, createTrace } from './trace/trace.ts';
import type { TracedCommandText } from './trace/trace-line.ts';
import { createTraceStore } from './trace/trace-store.ts';

/** Creates the trace of a command for its target. */
export function createCommandTrace(target: OperatorTarget, command: TracedCommandText): CommandTrace {
  const { name: environment, tableName: table, clockOffsetMs } = target;
  return createTrace(
    {
      store: createTraceStore(target.logs, target.traceGroup),
      whoAmI: () => readCallerIdentity(target.sts),
      now: () => Date.now() + clockOffsetMs,
      random: randomBytes,
    },
    { command, environment, table },
  );
}
