/** The logger of the functions. It writes one JSON object per line, without secrets. */
import { alarmMetrics, createMetricEmbedder, type MetricGroup, type MetricsOptions } from './metrics.ts';
import { toRedactedJson } from './redact-secrets.ts';
import { currentRequestContext, type RequestContext } from './request-context.ts';

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

const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_LINE_FIELDS = ['level', 'message', 'timestamp', 'service', 'traceId'];
const REQUEST_LOG_LINE_FIELDS = [...LOG_LINE_FIELDS, 'requestId'];

type LoggerOptions = {
  readonly functionName: string;
  /** The lowest level that is written. */
  readonly level: LogLevel;
  /** Undefined means that the lines contain no metrics. */
  readonly metrics?: MetricsOptions;
};

type LogLine = {
  readonly message: string;
  readonly fields: LogFields | undefined;
  readonly metricGroups: readonly MetricGroup[];
};

/**
 * Creates a logger. A line has level, message, time, function, and the ids of the present request, and then the fields,
 * which cannot replace these. WARN and ERROR go to stderr, other levels to stdout.
 */
export function createLogger(loggerOptions: LoggerOptions): Logger {
  const { functionName, level: lowestLevel, metrics: metricsOptions } = loggerOptions;
  const now = metricsOptions?.now ?? Date.now;
  const embedMetrics = metricsOptions && createMetricEmbedder(metricsOptions);
  const functionNameJson = JSON.stringify(functionName);
  const writeLine = (level: LogLevel, { message, fields = {}, metricGroups }: LogLine) => {
    const nowMs = now();
    const timestamp = new Date(nowMs).toISOString();
    const requestContext = currentRequestContext();
    const leadingFieldsJson = `"level":"${level}","message":${JSON.stringify(message)},"timestamp":"${timestamp}","service":${functionNameJson}${requestContext === undefined ? '' : requestIdsJson(requestContext)}`;
    const reservedFields = requestContext === undefined ? LOG_LINE_FIELDS : REQUEST_LOG_LINE_FIELDS;
    const otherFieldsJson = toRedactedJson(withoutReservedFields(reservedFields, fields)).slice(1, -1);
    const isAlarm = typeof fields.alarm === 'string';
    const allMetricGroups = isAlarm ? [...metricGroups, alarmMetrics] : metricGroups;
    const alarmCountJson = isAlarm ? ',"alarms":1' : '';
    const metricsJson =
      embedMetrics === undefined || allMetricGroups.length === 0
        ? ''
        : `,${embedMetrics(allMetricGroups, nowMs)}`;
    outputStreamOf(level).write(
      `{${leadingFieldsJson}${otherFieldsJson && ','}${otherFieldsJson}${alarmCountJson}${metricsJson}}\n`,
    );
  };
  const createLogMethod = (level: LogLevel): Logger['info'] => {
    const isLevelWritten = LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowestLevel);
    return (message, fields, metricGroups = []) => {
      if (isLevelWritten) writeLine(level, { message, fields, metricGroups });
    };
  };
  return {
    debug: createLogMethod('DEBUG'),
    info: createLogMethod('INFO'),
    warn: createLogMethod('WARN'),
    error: createLogMethod('ERROR'),
  };
}

function requestIdsJson({ requestId, traceId }: RequestContext): string {
  const traceIdJson = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
  return `${traceIdJson},"requestId":${JSON.stringify(requestId)}`;
}

function withoutReservedFields(reservedNames: readonly string[], fields: LogFields): LogFields {
  if (!reservedNames.some((name) => name in fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !reservedNames.includes(name)));
}

function outputStreamOf(level: LogLevel): NodeJS.WriteStream {
  return level === 'DEBUG' || level === 'INFO' ? process.stdout : process.stderr;
}
