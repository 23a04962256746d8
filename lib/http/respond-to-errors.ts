/** Converts errors to responses. No other module does this, and internal details are left out. */
import { hasRetryAfter } from '../errors/catalogue.ts';
import { ServiceError } from '../errors/service-error.ts';
import { errorMessageOf } from '../messages/error-message-of.ts';
import type { RequestedLanguage } from '../messages/translator.ts';
import type { Logger } from '../observability/logger.ts';
import type { HandlerStep } from './exchange.ts';
import { toApiGatewayResult } from './http-response.ts';

/** `requestId` is for support. `message` is for people, in their language. */
export type LocalizedErrorText = { readonly requestId: string; readonly message: string };

/** Builds the response body of an error. */
type BuildErrorBody = (error: ServiceError, errorText: LocalizedErrorText) => unknown;

type ErrorResponseOptions = {
  readonly buildBody: BuildErrorBody;
  readonly logger: Logger;
  /**
   * Who reads the messages. Their language is the one that the GraphQL request names. If the request names none,
   * customers get the language of the header `Accept-Language`, and merchants get English.
   */
  readonly audience: 'customers' | 'merchants';
};

/**
 * Responds to an error with the status of its code in the catalogue. Any error that is no ServiceError becomes
 * INTERNAL_ERROR, so that nothing about it is revealed.
 */
export function respondToErrors({ buildBody, logger, audience }: ErrorResponseOptions): HandlerStep {
  return {
    name: 'respondToErrors',
    onError: async (request) => {
      const { exchange } = request.event;
      const error = toServiceError(request.error);
      exchange.logFields.errorCode = error.code;
      if (error.internal !== undefined) exchange.logFields.reason = error.internal;
      if (error.status >= 500) {
        exchange.logFields.causedBy = error.causedBy;
        // Callers can provoke errors with an external cause, so these are warnings: callers must not be able to fill
        // the log with errors.
        const log = error.causedBy === 'others' ? logger.warn : logger.error;
        log('request.failed', toErrorLogFields(error));
      }
      const { language } = exchange;
      const acceptLanguage =
        audience === 'customers' ? exchange.request.headers['accept-language'] : undefined;
      const message = await translatePublicMessage(error, { language, acceptLanguage });
      const retryAfter = hasRetryAfter(error.code) ? (error.retryAfterSeconds ?? 1) : undefined;
      request.response = toApiGatewayResult(exchange, {
        status: error.status,
        body: buildBody(error, { requestId: exchange.requestId, message }),
        headers: {
          ...error.headers,
          ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
        },
      });
    },
  };
}

/** Translates the message. Loads no code for English, because the catalogue is in English. */
async function translatePublicMessage(
  error: ServiceError,
  requestedLanguage: RequestedLanguage,
): Promise<string> {
  const text = errorMessageOf(error);
  const isEnglish =
    requestedLanguage.language === undefined && requestedLanguage.acceptLanguage === undefined;
  if (isEnglish && typeof text === 'string') return text;
  const { localizeError } = await import('../messages/localize-errors.ts');
  return localizeError({ code: error.code, text }, requestedLanguage);
}

function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', { cause: error });
}

function toErrorLogFields(error: ServiceError) {
  const causeField =
    error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {};
  const stack =
    error.code === 'INTERNAL_ERROR' && error.cause instanceof Error ? { stack: error.cause.stack } : {};
  return {
    errorCode: error.code,
    ...(error.internal ? { internal: error.internal } : {}),
    ...causeField,
    ...stack,
  };
}
