/**
 * The access that a store has not granted, read from the platform's refusals, whose own words are about our app.
 * Merchants are told what is missing by name; customers are told that something is.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { isAbsence, isDenied, type PlatformError } from './admin-answer.ts';
import { LEVEL_1, LEVEL_2 } from './protected-data.ts';

/** A scope's handle. A longer word is none. */
const SCOPE = /\b(?:read|write|unauthenticated)_[a-z_]{1,60}\b/g;
/** "This app is not approved to access the Customer object", "… to use the email field". */
const PROTECTED = /\bnot approved to (access|use) the \w+ (?:object|field)\b/;
const MOST_NAMED = 10;
const MAX_REASON = 200;

/** Handles of scopes and levels of protected customer data, each once; empty if no refusal names any. */
export function missingAccess(errors: readonly PlatformError[]): string[] {
  const named = errors.filter(isDenied).flatMap(({ message, extensions }) => {
    const words = `${extensions?.requiredAccess ?? ''} ${message}`;
    const way = PROTECTED.exec(words)?.[1];
    const level = way === 'access' ? LEVEL_1 : LEVEL_2;
    return [...(words.match(SCOPE) ?? []), ...(way === undefined ? [] : [level])];
  });
  return [...new Set(named)].slice(0, MOST_NAMED);
}

/** The message for merchants. */
function accessWords(missing: readonly string[]): string {
  const what = missing.length === 0 ? 'The platform does not say what' : `Missing is ${missing.join(', ')}`;
  return `The store has not granted what this needs. ${what}: add it to the app and have the merchant accept it.`;
}

/** STORE_ACCESS_MISSING: nothing was changed, and the error stays until the merchant grants the access. */
export function notGranted(errors: readonly PlatformError[]): ServiceError {
  const missing = missingAccess(errors);
  const [first] = errors;
  return new ServiceError('STORE_ACCESS_MISSING', {
    internal: `not granted: ${missing.join(', ') || String(first?.message ?? 'unknown').slice(0, MAX_REASON)}`,
    forMerchants: { message: accessWords(missing), extensions: { missing } },
  });
}

/**
 * The error for a read of ours that has no answer: STORE_ACCESS_MISSING where the platform denies it, else
 * PLATFORM_UNAVAILABLE. `what` is for the log.
 */
export function unanswered(what: string, errors: readonly PlatformError[]): ServiceError {
  const reasons = errors.filter((error) => !isAbsence(error));
  // Another error may pass: then nobody knows whether the denial is what lasts.
  if (reasons.length > 0 && reasons.every(isDenied)) return notGranted(reasons);
  const internal = `${what}: ${String(errors[0]?.message ?? 'no answer').slice(0, MAX_REASON)}`;
  return new ServiceError('PLATFORM_UNAVAILABLE', { internal, retryAfterSeconds: 2 });
}
