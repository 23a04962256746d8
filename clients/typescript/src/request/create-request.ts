/**
 * Implements `request`: sends one GraphQL operation with a valid credential, and retries it with the same idempotency
 * key.
 */
import { type ErrorCode, isServiceError, ServiceError } from '../errors/service-error.ts';
import {
  callService,
  notServiceResponseError,
  type ServiceConnection,
  type ServiceResponse,
} from './call-service.ts';
import { documentTextOf } from './document.ts';
import { type Language, languageTagOf } from './language.ts';
import { readOperation } from './read-operation.ts';
import type { FieldError, Request, RequestOptions, RequestResult } from './request.ts';
import { type RetryPolicy, retryRequest } from './retry.ts';

export type CreateRequestDeps = ServiceConnection &
  RetryPolicy & {
    readonly path: string;
    readonly language?: Language | undefined;
    /** The time limit of a change, if it differs from that of a query. */
    readonly changeDeadlineMs?: number;
    /**
     * Returns a credential. `refused` is the one that the service has just rejected; a source without another one
     * returns it again or throws.
     */
    readonly authorize: (refused?: string) => Promise<string>;
  };

type Variables = Readonly<Record<string, unknown>>;

export function createRequest(deps: CreateRequestDeps): Request {
  const { environment, authorize, path, language } = deps;
  const request = async (document: unknown, givenVariables: Variables = {}, options: RequestOptions = {}) => {
    const query = documentTextOf(document);
    const { name, isRetryable, isChange, keyVariables } = readOperation(query, options.operationName);
    const { operationName, idempotencyKey, signal, onWaiting = deps.onWaiting } = options;
    const { deadlineMs = (isChange && deps.changeDeadlineMs) || deps.deadlineMs } = options;
    if (idempotencyKey !== undefined && !keyVariables[0])
      throw new TypeError('The document has no @idempotent(key: $key).');
    const variables: Record<string, unknown> = { ...givenVariables };
    const key = idempotencyKey ?? environment.createKey();
    // Several variables get different keys.
    keyVariables.forEach((variableName, index) => {
      variables[variableName] ??= index > 0 ? `${key}.${variableName}` : key;
    });
    const languageTag = languageTagOf(language);
    const headers = { ...(languageTag && { 'accept-language': languageTag }), ...options.headers };
    let isSent = false;
    const sendAttempt = async (leftMs: () => number, attempt: number) => {
      let refusedCredential: { readonly credential: string; readonly error: unknown } | undefined;
      for (;;) {
        isSent = false;
        const credential = await authorize(refusedCredential?.credential);
        if (credential === refusedCredential?.credential) throw refusedCredential.error;
        isSent = true;
        try {
          const authorization = `Bearer ${credential}`;
          // JSON has no undefined.
          const body = { query, variables, operationName };
          const call = { path, body, operationName: name, attempt, leftMs: leftMs(), aborting: signal };
          return toResult(await callService(deps, { ...call, headers: { ...headers, authorization } }));
        } catch (error) {
          // The service's clock decides whether the token has expired: refresh once and retry once.
          if (refusedCredential || !isServiceError(error, 'UNAUTHENTICATED')) throw error;
          refusedCredential = { credential, error };
        }
      }
    };
    return retryRequest(
      { ...deps, deadlineMs, onWaiting, aborting: signal },
      { run: sendAttempt, isRetryable: () => isRetryable || !isSent, mayChange: () => isChange && isSent },
    );
  };
  return request as Request;
}

type GraphqlResponseBody = { readonly data?: Record<string, unknown> | null; readonly errors?: unknown };
type GraphqlError = {
  readonly message?: string;
  readonly path?: (string | number)[];
  readonly extensions?: { readonly code?: ErrorCode; readonly retryAfterSeconds?: number };
};

function toResult({ json, requestId }: ServiceResponse): RequestResult<unknown> {
  const { data, errors }: GraphqlResponseBody = json;
  const fieldErrors = Array.isArray(errors) ? (errors as GraphqlError[]).map(toFieldError) : [];
  const [firstError] = fieldErrors;
  // Some captive portals respond with JSON.
  if (data === undefined && !firstError) throw notServiceResponseError();
  if (firstError && Object.values(data ?? {}).every((value) => value === null)) {
    const { retryAfterSeconds } = (errors as GraphqlError[])[0]?.extensions ?? {};
    throw new ServiceError(firstError.code, {
      status: 200,
      message: firstError.message,
      requestId,
      retryAfterMs: retryAfterSeconds && retryAfterSeconds * 1000,
    });
  }
  return { data, errors: fieldErrors, requestId };
}

function toFieldError({ message = '', path = [], extensions }: GraphqlError): FieldError {
  return { code: extensions?.code ?? 'UNKNOWN', message, path };
}
