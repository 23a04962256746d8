/**
 * Derives the access that a store has not granted from the platform's errors, whose own messages address the app's
 * developer. Merchants get the names of the missing access, customers only a general message.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { isAccessDenied, isNotFoundError, type PlatformError } from './admin-response.ts';
import { PROTECTED_DATA_LEVEL_1, PROTECTED_DATA_LEVEL_2 } from './protected-data.ts';

/** The handle of a scope, with at most 60 characters after the first underscore. */
const SCOPE_HANDLE_PATTERN = /\b(?:read|write|unauthenticated)_[a-z_]{1,60}\b/g;
/** "This app is not approved to access the Customer object", "… to use the email field". */
const PROTECTED_DATA_MESSAGE_PATTERN = /\bnot approved to (access|use) the \w+ (?:object|field)\b/;
const MAX_NAMED_HANDLES = 10;
const MAX_LOGGED_REASON_LENGTH = 200;

/** Returns the distinct handles of scopes and levels of protected customer data; empty if no error names one. */
export function listMissingAccess(errors: readonly PlatformError[]): string[] {
  const deniedAccess = errors.filter(isAccessDenied).flatMap(({ message, extensions }) => {
    const text = `${extensions?.requiredAccess ?? ''} ${message}`;
    const deniedAction = PROTECTED_DATA_MESSAGE_PATTERN.exec(text)?.[1];
    const protectedDataLevel = deniedAction === 'access' ? PROTECTED_DATA_LEVEL_1 : PROTECTED_DATA_LEVEL_2;
    return [
      ...(text.match(SCOPE_HANDLE_PATTERN) ?? []),
      ...(deniedAction === undefined ? [] : [protectedDataLevel]),
    ];
  });
  return [...new Set(deniedAccess)].slice(0, MAX_NAMED_HANDLES);
}

/** Returns the message for merchants. */
function missingAccessText(missingAccess: readonly string[]): string {
  const missingText =
    missingAccess.length === 0 ? 'The platform does not say what' : `Missing is ${missingAccess.join(', ')}`;
  return `The store has not granted what this needs. ${missingText}: add it to the app and have the merchant accept it.`;
}

/** Creates STORE_ACCESS_MISSING: nothing was changed, and the error lasts until the merchant grants the access. */
export function accessNotGrantedError(errors: readonly PlatformError[]): ServiceError {
  const missingAccess = listMissingAccess(errors);
  const [firstError] = errors;
  return new ServiceError('STORE_ACCESS_MISSING', {
    internal: `not granted: ${missingAccess.join(', ') || String(firstError?.message ?? 'unknown').slice(0, MAX_LOGGED_REASON_LENGTH)}`,
    forMerchants: { message: missingAccessText(missingAccess), extensions: { missing: missingAccess } },
  });
}

/**
 * Creates the error for an internal read without a result: STORE_ACCESS_MISSING if the platform denies access, else
 * PLATFORM_UNAVAILABLE. `failedReadName` names the read in the log.
 */
export function failedReadError(failedReadName: string, errors: readonly PlatformError[]): ServiceError {
  const otherErrors = errors.filter((error) => !isNotFoundError(error));
  // Any other error may be transient: then it is unknown whether the denial is the lasting cause.
  if (otherErrors.length > 0 && otherErrors.every(isAccessDenied)) return accessNotGrantedError(otherErrors);
  const internal = `${failedReadName}: ${String(errors[0]?.message ?? 'no answer').slice(0, MAX_LOGGED_REASON_LENGTH)}`;
  return new ServiceError('PLATFORM_UNAVAILABLE', { internal, retryAfterSeconds: 2 });
}
