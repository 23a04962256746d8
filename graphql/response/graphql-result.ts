/** The result of a GraphQL request, before it is sent as an HTTP response. */
import { type ErrorCode, errorCatalogue } from '../../lib/errors/catalogue.ts';
import { type ServiceError, withMerchantMessage } from '../../lib/errors/service-error.ts';
import { errorMessageOf } from '../../lib/messages/error-message-of.ts';
import type { Message } from '../../lib/messages/message.ts';
import type { ResponsePath, ResultError } from '../plan/result-error.ts';

export type GraphqlResult<Text = string | Message> = {
  /** The data; missing if the request was refused before it ran. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResultError<Text>[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** The complete result as JSON, if the caller requested text. No other field is set then. */
  readonly text?: string;
};

/** Returns the result of a request that is refused as a whole, without data. */
export function createRefusedResult({
  publicMessage,
  code,
  extensions,
}: ServiceError): GraphqlResult<string> {
  return { errors: [{ message: publicMessage, extensions: { code, ...extensions } }] };
}

/** Creates the error of one field. Without `message`, it has the catalogue's message of the code. */
export function createFieldError(code: ErrorCode, path: ResponsePath, message?: string): ResultError {
  return { message: message ?? errorCatalogue[code].message, path, extensions: { code } };
}

/** Converts a thrown error to the error of one field. A merchant gets the error's message for merchants, if it has one. */
export function toFieldError(error: ServiceError, path: ResponsePath, isMerchant: boolean): ResultError {
  const publicError = isMerchant ? withMerchantMessage(error) : error;
  return {
    message: errorMessageOf(publicError),
    path,
    extensions: { code: publicError.code, ...publicError.extensions },
  };
}
