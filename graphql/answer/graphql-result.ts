/** The answer to a GraphQL request, before HTTP. */
import { catalogue, type ErrorCode } from '../../lib/errors/catalogue.ts';
import { type ServiceError, withInternalMessage } from '../../lib/errors/service-error.ts';
import type { Message } from '../../lib/messages/message.ts';
import type { Path, ResultError } from '../plan/result-error.ts';

export type GraphqlResult<Text = string | Message> = {
  /** The data; missing if the request was refused before it ran. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResultError<Text>[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** The complete result as JSON, if the caller requested text. No other field is set then. */
  readonly text?: string;
};

/** The answer to a request that is refused as a whole. */
export function refuseRequest({ publicMessage, code, extensions }: ServiceError): GraphqlResult<string> {
  return { errors: [{ message: publicMessage, extensions: { code, ...extensions } }] };
}

/** An error of one field, in the catalogue's words. */
export function createFieldError(code: ErrorCode, path: Path, message?: string): ResultError {
  return { message: message ?? catalogue[code].message, path, extensions: { code } };
}

/** An error of one field, from an error that was thrown. */
export function toFieldError(error: ServiceError, path: Path, isMerchant: boolean): ResultError {
  const { publicMessage, code, extensions } = isMerchant ? withInternalMessage(error) : error;
  return { message: publicMessage, path, extensions: { code, ...extensions } };
}
