/**
 * Sends one request to the service and returns the response's JSON, or throws the failure's code. The callers decide
 * about retries.
 */
import type { AppInfo } from '../device/check-options.ts';
import type { Environment } from '../device/environment.ts';
import { runWithTimeLimit, type Signal } from '../device/run-with-time-limit.ts';
import { ServiceError } from '../errors/service-error.ts';
import { notify, type Observer } from './observer.ts';

/** Longer than any request takes at the service. */
const ATTEMPT_TIMEOUT_MS = 25_000;

export type ServiceConnection = Observer & {
  readonly serviceUrl: string;
  /** The query string of every request's URL, with its question mark. */
  readonly query?: string;
  readonly environment: Environment;
  /** Sent in the header `x-app-info`. */
  readonly appInfo?: AppInfo | undefined;
};

export type ServiceCall = {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly operationName: string;
  readonly attempt?: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The remaining time of the call; a request takes at most 25 s. */
  readonly leftMs?: number;
  readonly aborting?: Signal | undefined;
};

/** `servedAtMs`: epoch milliseconds by the service's clock, if the device can read them. */
export type ServiceResponse = {
  readonly json: object;
  readonly servedAtMs: number | undefined;
  readonly requestId: string | undefined;
};

type ErrorFields = Readonly<Partial<Record<'code' | 'message' | 'details' | 'requestId', unknown>>>;
type ErrorBody = {
  readonly error?: ErrorFields;
  readonly errors?: readonly (ErrorFields & { readonly extensions?: ErrorFields })[];
};

/**
 * Sends one request.
 * @throws ServiceError with the service's code, UNKNOWN with the status of a response without a code, else NETWORK.
 */
export async function callService(
  connection: ServiceConnection,
  call: ServiceCall,
): Promise<ServiceResponse> {
  const { serviceUrl, environment, appInfo, query = '' } = connection;
  const {
    method = 'POST',
    path,
    body,
    operationName,
    attempt = 1,
    leftMs = ATTEMPT_TIMEOUT_MS,
    aborting,
  } = call;
  if (leftMs <= 0) throw new ServiceError('NETWORK');
  const attemptLimit = {
    ...environment,
    ms: Math.min(leftMs, ATTEMPT_TIMEOUT_MS),
    code: 'NETWORK',
    aborting,
  } as const;
  const requestInfo = { method, operationName, attempt };
  const startedAtMs = environment.now();
  const notifyResponse = (status: number, requestId?: string) =>
    notify(connection.onResponse, {
      ...requestInfo,
      status,
      durationMs: environment.now() - startedAtMs,
      requestId,
    });
  notify(connection.onRequest, requestInfo);
  const { text, ...responseHead } = await runWithTimeLimit(attemptLimit, async (signal) => {
    const httpResponse = await environment.fetch(serviceUrl.replace(/\/+$/, '') + path + query, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(appInfo && { 'x-app-info': `${appInfo.name}/${appInfo.version}` }),
        ...call.headers,
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    return { status: httpResponse.status, headers: httpResponse.headers, text: await httpResponse.text() };
  }).catch((cause: Error) => {
    notifyResponse(0);
    throw new ServiceError('NETWORK', { message: cause.message, cause });
  });
  const json = readJson(text);
  const readHeader = (name: string) => responseHead.headers.get(name) ?? undefined;
  const requestId = readHeader('x-request-id');
  notifyResponse(responseHead.status, requestId);
  if (responseHead.status === 200 && json)
    return { json, servedAtMs: Date.parse(readHeader('date') ?? '') || undefined, requestId };
  throw toServiceError({ ...responseHead, requestId }, json);
}

/**
 * Parses the response's JSON.
 * @returns undefined for a truncated response and for one of another server.
 */
function readJson(text: string): object | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Creates the error for a response of another server, such as a captive portal. */
export function notServiceResponseError(): ServiceError {
  return new ServiceError('NETWORK', { message: 'The answer is not of the service.' });
}

type HttpResponse = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly requestId: string | undefined;
};

function toServiceError(
  { status, headers, ...httpResponse }: HttpResponse,
  json: ErrorBody | undefined,
): ServiceError {
  if (status < 400) return notServiceResponseError();
  const firstError = json?.errors?.[0];
  const { code, message, details, requestId } = json?.error ?? { ...firstError, ...firstError?.extensions };
  const retryAfter = headers.get('retry-after') ?? '';
  return new ServiceError(textOrUndefined(code) ?? 'UNKNOWN', {
    status,
    message: textOrUndefined(message),
    details: textOrUndefined(details),
    requestId: httpResponse.requestId ?? textOrUndefined(requestId),
    // RFC 9110, section 10.2.3: seconds. The service sends no date.
    retryAfterMs: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined,
  });
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
