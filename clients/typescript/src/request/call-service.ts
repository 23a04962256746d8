/**
 * Sends one request to the service and returns the response's JSON, or throws the failure's code. The callers decide
 * about retries.
 */
import type { Environment } from '../device/environment.ts';
import { within } from '../device/within.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Longer than any request takes at the service. */
const TRY_MS = 25_000;

export type Wire = { readonly serviceUrl: string; readonly environment: Environment };

export type Call = {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The remaining time of the call; a request takes at most 25 s. */
  readonly leftMs?: number;
};

/** `servedAtMs`: epoch milliseconds by the service's clock, if the device can read them. */
export type Answer = {
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
export async function callService({ serviceUrl, environment }: Wire, call: Call): Promise<Answer> {
  const { method = 'POST', path, body, headers, leftMs = TRY_MS } = call;
  if (leftMs <= 0) throw new ServiceError('NETWORK');
  const limit = { ...environment, ms: Math.min(leftMs, TRY_MS), code: 'NETWORK' } as const;
  const { text, ...answered } = await within(limit, async (signal) => {
    const answer = await environment.fetch(serviceUrl.replace(/\/+$/, '') + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }).catch((cause: Error) => {
    throw new ServiceError('NETWORK', { message: cause.message, cause });
  });
  const json = readJson(text);
  const header = (name: string) => answered.headers.get(name) ?? undefined;
  const requestId = header('x-request-id');
  if (answered.status === 200 && json)
    return { json, servedAtMs: Date.parse(header('date') ?? '') || undefined, requestId };
  throw toError({ ...answered, requestId }, json);
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
export function notOfTheService(): ServiceError {
  return new ServiceError('NETWORK', { message: 'The answer is not of the service.' });
}

type Answered = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly requestId: string | undefined;
};

function toError({ status, headers, ...answered }: Answered, json: ErrorBody | undefined): ServiceError {
  if (status < 400) return notOfTheService();
  const first = json?.errors?.[0];
  const { code, message, details, requestId } = json?.error ?? { ...first, ...first?.extensions };
  const retryAfter = headers.get('retry-after') ?? '';
  return new ServiceError(textOf(code) ?? 'UNKNOWN', {
    status,
    message: textOf(message),
    details: textOf(details),
    requestId: answered.requestId ?? textOf(requestId),
    // RFC 9110, section 10.2.3: seconds. The service sends no date.
    retryAfterMs: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined,
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
