/** JSON logs of the functions. Every text is searched for secrets before it is written. */
import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';
import { redact } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/** What the service logs with. `message` is a constant text: facts go into the fields. */
export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Something an operator must look at: alarms count these by `alarm`. */
  error(message: string, fields?: LogFields): void;
};

type Options = { readonly functionName: string; readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' };

/** A logger that writes one JSON object a line, with level, time, function and the given fields, redacted. */
export function createLogger({ functionName, level }: Options): Logger {
  const out = new PowertoolsLogger({ serviceName: functionName, logLevel: level });
  return {
    debug: (message, fields = {}) => out.debug(message, redact(fields)),
    info: (message, fields = {}) => out.info(message, redact(fields)),
    warn: (message, fields = {}) => out.warn(message, redact(fields)),
    error: (message, fields = {}) => out.error(message, redact(fields)),
  };
}
