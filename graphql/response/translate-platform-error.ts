/** Translates an error of the platform's response: its path, its code and its message. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { message } from '../../lib/messages/message.ts';
import {
  isAccessDenied,
  isPlatformFailure,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-response.ts';
import type { GidNamespaces, RequestIdentity } from '../plan/identity.ts';
import type { ResponsePath, ResultError } from '../plan/result-error.ts';
import type { CompiledRoot } from '../plan/root-handler.ts';
import { shortenMessage } from '../policy/errors/shorten-message.ts';
import { createFieldError, toFieldError } from './graphql-result.ts';
import { createAccessMissingError } from './refusal.ts';

type ErrorContext = {
  /** The root that the error belongs to. */
  readonly root: Pick<CompiledRoot, 'handler'>;
  readonly identity: Pick<RequestIdentity, 'namespaces'>;
  readonly isMerchant: boolean;
  readonly isAfterChange?: boolean;
};

/**
 * Translates a platform error for the client. Denied access and a platform failure at a query's root become a
 * service error. Merchants get the platform's message for all other errors.
 */
export function translatePlatformError(
  context: ErrorContext,
  error: PlatformError | ServiceError,
  path: ResponsePath,
): ResultError {
  if (error instanceof ServiceError) return toFieldError(error, path, context.isMerchant);
  const isRetryable = isPlatformFailure(error) && path.length === 1 && !context.isAfterChange;
  if (isAccessDenied(error))
    return createAccessMissingError({ errors: [error], isMerchant: context.isMerchant }, path);
  if (isRetryable) return createFieldError('PLATFORM_UNAVAILABLE', path);
  if (!context.isMerchant) return translateForCustomer(error, path);
  const mappedError = mapPlatformError(error, path, context.identity.namespaces);
  return context.root.handler.hasOwnLists && isArgumentErrorOfRoot(error, path)
    ? { ...mappedError, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }
    : mappedError;
}

/** Whether the platform rejected the arguments of a root, or of a list directly below it. */
function isArgumentErrorOfRoot({ extensions }: PlatformError, path: ResponsePath): boolean {
  return extensions?.code === 'BAD_REQUEST' && path.length <= 2;
}

/**
 * Translates a platform error for customers. A rejected value is a validation error, as for the service's own
 * lists.
 */
function translateForCustomer({ extensions }: PlatformError, path: ResponsePath): ResultError {
  if (extensions?.code === 'BAD_REQUEST') {
    return { message: message('valueNotTaken'), path, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
  }
  return { message: message('answerMissing'), path, ...toCodeExtension(extensions) };
}

function toCodeExtension(extensions: PlatformError['extensions']): Pick<ResultError, 'extensions'> {
  const code = extensions?.code;
  return typeof code === 'string' ? { extensions: { code } } : {};
}

/** Returns the platform's error with its own message. Ids in the message are rewritten to the client's namespace. */
function mapPlatformError(error: PlatformError, path: ResponsePath, namespaces: GidNamespaces): ResultError {
  const { platform, client } = namespaces;
  const text = String(error.message).replaceAll(`gid://${platform}/`, `gid://${client}/`);
  return { message: shortenMessage(text), path, ...toCodeExtension(error.extensions) };
}
