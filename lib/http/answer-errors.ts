/** Errors become bodies here and nowhere else; nothing internal passes. */
import { hasRetryAfter } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Listener } from '../messages/say.ts';
import type { Logger } from '../observability/logger.ts';
import { toResult } from './answer.ts';
import type { Step } from './exchange.ts';

/** `requestId` can be quoted; `message` are the words for people, in their language. */
export type ToldError = { readonly requestId: string; readonly message: string };

/** Makes the body of an error. */
type ErrorBody = (error: ServiceError, told: ToldError) => unknown;

type Options = {
  readonly body: ErrorBody;
  readonly logger: Logger;
  /** Customers are told in the language of `Accept-Language`, merchants in the one that their request names. */
  readonly listeners: 'customers' | 'merchants';
};

/** Answers every error with its catalogue status. An error that is no ServiceError is masked as INTERNAL_ERROR. */
export function answerErrors({ body, logger, listeners }: Options): Step {
  return {
    name: 'answerErrors',
    onError: async (request) => {
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
      const { language } = exchange;
      const acceptLanguage =
        listeners === 'customers' ? exchange.request.headers['accept-language'] : undefined;
      const message = await inWords(error, { language, acceptLanguage });
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

/** English needs no other words than the catalogue's. */
async function inWords(error: ServiceError, listener: Listener): Promise<string> {
  if (listener.language === undefined && listener.acceptLanguage === undefined) return error.publicMessage;
  const { tellError } = await import('../messages/tell-errors.ts');
  return tellError(error, listener);
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
