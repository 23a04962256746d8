/** The logger of the functions. It writes one JSON object per line, without secrets. */
import { alarmMetrics, createMetricEmbedder, type MetricGroup, type MetricsOptions } from './metrics.ts';
import { toRedactedJson } from './redact.ts';
import { currentContext, type RequestContext } from './request-context.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The interface of the logger. `message` is a constant text, and facts are in the fields. The field `alarm` marks
 * something that an operator must check; its value is counted. `metrics` lists fields that CloudWatch reads as metrics.
 */
export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields, metrics?: readonly MetricGroup[]): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];
const LINE_FIELDS = ['level', 'message', 'timestamp', 'service', 'traceId'];
const REQUEST_LINE_FIELDS = [...LINE_FIELDS, 'requestId'];

type LoggerOptions = {
  readonly functionName: string;
  /** The lowest level that is written. */
  readonly level: Level;
  /** Undefined means that the lines contain no metrics. */
  readonly metrics?: MetricsOptions;
};

type LogLine = {
  readonly message: string;
  readonly fields: LogFields | undefined;
  readonly groups: readonly MetricGroup[];
};

/**
 * Creates a logger. A line has level, message, time, function, and the ids of the present request, and then the fields,
 * which cannot replace these. WARN and ERROR go to stderr, other levels to stdout.
 */
export function createLogger(given: LoggerOptions): Logger {
  const { functionName, level: lowest, metrics: options } = given;
  const now = options?.now ?? Date.now;
  const embed = options && createMetricEmbedder(options);
  const service = JSON.stringify(functionName);
  const write = (level: Level, { message, fields = {}, groups }: LogLine) => {
    const nowMs = now();
    const time = new Date(nowMs).toISOString();
    const request = currentContext();
    const first = `"level":"${level}","message":${JSON.stringify(message)},"timestamp":"${time}","service":${service}${request === undefined ? '' : requestIdsJson(request)}`;
    const reserved = request === undefined ? LINE_FIELDS : REQUEST_LINE_FIELDS;
    const more = toRedactedJson(withoutFields(reserved, fields)).slice(1, -1);
    const isAlarm = typeof fields.alarm === 'string';
    const all = isAlarm ? [...groups, alarmMetrics] : groups;
    const alarm = isAlarm ? ',"alarms":1' : '';
    const metrics = embed === undefined || all.length === 0 ? '' : `,${embed(all, nowMs)}`;
    outputStreamOf(level).write(`{${first}${more && ','}${more}${alarm}${metrics}}\n`);
  };
  const at = (level: Level): Logger['info'] => {
    const isWritten = LEVELS.indexOf(level) >= LEVELS.indexOf(lowest);
    return (message, fields, groups = []) => {
      if (isWritten) write(level, { message, fields, groups });
    };
  };
  return { debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

function requestIdsJson({ requestId, traceId }: RequestContext): string {
  const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  return `${trace},"requestId":${JSON.stringify(requestId)}`;
}

function withoutFields(reserved: readonly string[], fields: LogFields): LogFields {
  if (!reserved.some((name) => name in fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !reserved.includes(name)));
}

function outputStreamOf(level: Level): NodeJS.WriteStream {
  return level === 'DEBUG' || level === 'INFO' ? process.stdout : process.stderr;
}
