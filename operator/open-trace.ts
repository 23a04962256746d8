import { randomBytes } from 'node:crypto';
import type { Target } from './target.ts';
import { createTrace, type Trace } from './trace/trace.ts';
import type { Command } from './trace/trace-line.ts';
import { createTraceStore } from './trace/trace-store.ts';
import { whoAmI } from './trace/who-am-i.ts';

/** The trace of a command at its target. */
export function openTrace(target: Target, command: Command): Trace {
  const { name: environment, tableName: table, clockOffsetMs } = target;
  return createTrace(
    {
      store: createTraceStore(target.logs, target.traceGroup),
      whoAmI: () => whoAmI(target.sts),
      now: () => Date.now() + clockOffsetMs,
      random: randomBytes,
    },
    { command, environment, table },
  );
}
