/** The only place that converts errors to bodies; internal details are not included. */
import { hasRetryAfter } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Reader } from '../messages/translator.ts';
import type { Logger } from '../observability/logger.ts';
import { toResult } from './answer.ts';
import type { Step } from './exchange.ts';

/** `requestId` can be quoted; `message` is the text for people, in their language. */
export type ErrorText = { readonly requestId: string; readonly message: string };

/** Builds the body of an error. */
type ErrorBody = (error: ServiceError, body: ErrorText) => unknown;

type Options = {
  readonly body: ErrorBody;
  readonly logger: Logger;
  /** Customers get the language of `Accept-Language`, merchants the one that their request names. */
  readonly listeners: 'customers' | 'merchants';
};

/** Responds to every error with its catalogue status. Any error except a ServiceError is masked as INTERNAL_ERROR. */
export function answerErrors({ body, logger, listeners }: Options): Step {
  return {
    name: 'answerErrors',
    onError: async (request) => {
      const { exchange } = request.event;
      const error = toServiceError(request.error);
      exchange.logFields.errorCode = error.code;
      if (error.status >= 500) exchange.logFields.causedBy = error.causedBy;
      if (error.status >= 500) {
        // Errors with an external cause can be provoked by callers: they are warnings, so that callers cannot fill
        // the log with errors.
        const log = error.causedBy === 'others' ? logger.warn : logger.error;
        log('request.failed', { requestId: exchange.requestId, ...describe(error) });
      }
      const { language } = exchange;
      const acceptLanguage =
        listeners === 'customers' ? exchange.request.headers['accept-language'] : undefined;
      const message = await translateError(error, { language, acceptLanguage });
      const retryAfter = hasRetryAfter(error.code) ? (error.retryAfterSeconds ?? 1) : undefined;
      request.response = toResult(exchange, {
        status: error.status,
        body: body(error, { requestId: exchange.requestId, message }),
        headers: {
          ...error.headers,
          ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
        },
      });
    },
  };
}

/** English needs only the catalogue's messages. */
async function translateError(error: ServiceError, reader: Reader): Promise<string> {
  if (reader.language === undefined && reader.acceptLanguage === undefined) return error.publicMessage;
  const { localizeError } = await import('../messages/localize-errors.ts');
  return localizeError(error, reader);
}

function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', { cause: error });
}

function describe(error: ServiceError) {
  const cause = error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {};
  const stack =
    error.code === 'INTERNAL_ERROR' && error.cause instanceof Error ? { stack: error.cause.stack } : {};
  return {
    errorCode: error.code,
    ...(error.internal ? { internal: error.internal } : {}),
    ...cause,
    ...stack,
  };
}
