/** JSON logs of the functions, one object a line. Every text is searched for secrets before it is written. */
import { alarmMetrics, createEmbedding, type MetricGroup, type MetricsOptions } from './metrics.ts';
import { redactField } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/**
 * What the service logs with. `message` is a constant text: facts go into the fields. A field `alarm` is something
 * an operator must look at, and is counted by its value. `metrics`: which of the fields are metrics.
 */
export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields, metrics?: readonly MetricGroup[]): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];
const FIRST: ReadonlySet<string> = new Set(['level', 'message', 'timestamp', 'service']);

type Options = {
  readonly functionName: string;
  /** Lines below it are not written. */
  readonly level: Level;
  /** Without it the lines carry no metrics. */
  readonly metrics?: MetricsOptions;
};

type Line = {
  readonly message: string;
  readonly fields: LogFields | undefined;
  readonly groups: readonly MetricGroup[];
};

/**
 * A logger that writes one JSON object a line, with level, time, function and the given fields, redacted: to
 * stdout, from WARN on to stderr. No field takes the place of those first four.
 */
export function createLogger({ functionName, level: lowest, metrics }: Options): Logger {
  const now = metrics?.now ?? Date.now;
  const embed = metrics && createEmbedding(metrics);
  const write = (level: Level, { message, fields = {}, groups }: Line) => {
    const line: Record<string, unknown> = {
      level,
      message,
      timestamp: new Date(now()).toISOString(),
      service: functionName,
    };
    for (const [name, value] of Object.entries(fields)) {
      if (!FIRST.has(name)) line[name] = redactField(name, value);
    }
    const isAlarm = typeof fields.alarm === 'string';
    if (isAlarm) line.alarms = 1;
    const all = isAlarm ? [...groups, alarmMetrics] : groups;
    const text = JSON.stringify(line);
    const isEmbedded = embed !== undefined && all.length > 0;
    streamOf(level).write(isEmbedded ? `${text.slice(0, -1)},${embed(all)}}\n` : `${text}\n`);
  };
  const at =
    (level: Level): Logger['info'] =>
    (message, fields, groups = []) => {
      if (LEVELS.indexOf(level) >= LEVELS.indexOf(lowest)) write(level, { message, fields, groups });
    };
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

function streamOf(level: Level): NodeJS.WriteStream {
  return level === 'DEBUG' || level === 'INFO' ? process.stdout : process.stderr;
}
