/** JSON logs of the functions. Every text is searched for secrets before it is written. */
import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { alarmMetrics, embedMetrics, type MetricGroup, type MetricsOptions } from './metrics.ts';
import { redact } from './redact.ts';

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

type Options = {
  readonly functionName: string;
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** Without it the lines carry no metrics. */
  readonly metrics?: MetricsOptions;
};

/** A logger that writes one JSON object a line, with level, time, function and the given fields, redacted. */
export function createLogger({ functionName, level, metrics: options }: Options): Logger {
  const out = new PowertoolsLogger({ serviceName: functionName, logLevel: level });
  const write =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}, groups: readonly MetricGroup[] = []) => {
      const isAlarm = typeof fields.alarm === 'string';
      const all = isAlarm ? [...groups, alarmMetrics] : groups;
      const embedded = options === undefined || all.length === 0 ? {} : embedMetrics(options, all);
      out[method](message, { ...redact(fields), ...(isAlarm && { alarms: 1 }), ...embedded });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
