/** `request`: one GraphQL operation with a credential that is still good, its repeats, and the key that they share. */
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { callService, notOfTheService, type Wire } from './call-service.ts';
import { textOf } from './document.ts';
import { keepTrying, type Patience } from './keep-trying.ts';
import { readOperation } from './read-operation.ts';
import type { FieldError, Request, RequestOptions, RequestResult } from './request.ts';

export type RequestParts = Wire &
  Patience & {
    readonly path: string;
    readonly language: (() => string | undefined) | string | undefined;
    /** The credential. `refused`: the one that the service has just refused; who has no other gives it once more, or throws. */
    readonly authorize: (refused?: string) => Promise<string>;
  };

type Variables = Readonly<Record<string, unknown>>;

export function createRequest(parts: RequestParts): Request {
  const request = async (document: unknown, given: Variables = {}, options: RequestOptions = {}) => {
    const query = textOf(document);
    const { isRepeatable, isChange, keyVariables } = readOperation(query, options.operationName);
    const { operationName, idempotencyKey } = options;
    if (idempotencyKey !== undefined && keyVariables.length === 0)
      throw new TypeError('A key needs its place in the document: @idempotent(key: $key).');
    const missing = keyVariables.filter((name) => given[name] === undefined);
    const variables = { ...given, ...keysOf(missing, idempotencyKey ?? parts.environment.createKey()) };
    const headers = { ...languageOf(parts), ...options.headers };
    let isSent = false;
    const send = async (credential: string, left: () => number) => {
      isSent = true;
      const { json } = await callService(parts, {
        path: parts.path,
        // JSON has no undefined.
        body: { query, variables, operationName },
        headers: { ...headers, authorization: `Bearer ${credential}` },
        leftMs: left(),
      });
      return toResult(json);
    };
    const run = async (left: () => number) => {
      isSent = false;
      const credential = await parts.authorize();
      try {
        return await send(credential, left);
      } catch (error) {
        // The service's clock decides, not this device's: one refresh, one repeat.
        if (!isServiceError(error, 'UNAUTHENTICATED')) throw error;
        const other = await parts.authorize(credential);
        if (other === credential) throw error;
        isSent = false;
        return await send(other, left);
      }
    };
    const deadlineMs = options.deadlineMs ?? parts.deadlineMs;
    return keepTrying(
      { ...parts, deadlineMs },
      { run, isRepeatable: () => isRepeatable || !isSent, mayChange: () => isChange && isSent },
    );
  };
  return request as Request;
}

/** One for the variable of `@idempotent`; if a document has several, each has its own. */
function keysOf(names: readonly string[], key: string): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, index === 0 ? key : `${key}.${name}`]));
}

function languageOf({ language }: Pick<RequestParts, 'language'>): Record<string, string> {
  const tag = typeof language === 'function' ? language() : language;
  return tag ? { 'accept-language': tag } : {};
}

type GraphqlAnswer = { readonly data?: Record<string, unknown> | null; readonly errors?: unknown };
type GraphqlError = {
  readonly message?: string;
  readonly path?: (string | number)[];
  readonly extensions?: { readonly code?: string; readonly retryAfterSeconds?: number };
};

function toResult({ data, errors }: GraphqlAnswer): RequestResult<unknown> {
  const list = Array.isArray(errors) ? (errors as GraphqlError[]) : [];
  const [first] = list;
  // Some portals answer with JSON of their own.
  if (data === undefined && first === undefined) throw notOfTheService();
  const hasSomething = Object.values(data ?? {}).some((value) => value !== null);
  if (first !== undefined && !hasSomething) {
    const seconds = first.extensions?.retryAfterSeconds;
    throw new ServiceError(codeOf(first), {
      status: 200,
      message: first.message,
      retryAfterMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
    });
  }
  return { data, errors: list.map(toFieldError) };
}

function codeOf({ extensions }: GraphqlError): string {
  return extensions?.code ?? 'UNKNOWN';
}

function toFieldError(error: GraphqlError): FieldError {
  return { code: codeOf(error), message: error.message ?? '', path: error.path ?? [] };
}
