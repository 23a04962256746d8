/** Errors become bodies here and nowhere else; nothing internal passes. */
import { hasRetryAfter } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';
import { toResult } from './answer.ts';
import type { Step } from './exchange.ts';

/** Makes the body of an error; `requestId` goes into it so that it can be quoted. */
type ErrorBody = (error: ServiceError, requestId: string) => unknown;

type Options = { readonly body: ErrorBody; readonly logger: Logger };

/** Answers every error with its catalogue status. An error that is no ServiceError is masked as INTERNAL_ERROR. */
export function answerErrors({ body, logger }: Options): Step {
  return {
    name: 'answerErrors',
    onError: (request) => {
      const { exchange } = request.event;
      const error = toServiceError(request.error);
      exchange.logFields.errorCode = error.code;
      if (error.status >= 500) exchange.logFields.causedBy = error.causedBy;
      if (error.status >= 500) {
        // Errors with a cause outside can be repeated by whoever likes: they are warnings, so that nobody fills the
        // log with errors.
        const log = error.causedBy === 'others' ? logger.warn : logger.error;
        log('request failed', { requestId: exchange.requestId, ...describe(error) });
      }
      const retryAfter = hasRetryAfter(error.code) ? (error.retryAfterSeconds ?? 1) : undefined;
      request.response = toResult(exchange, {
        status: error.status,
        body: body(error, exchange.requestId),
        headers: {
          ...error.headers,
          ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
        },
      });
    },
  };
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
