/** Requests to the service: the code of whatever went wrong, and what is worth sending again. */
import type { Device } from './device.ts';

const TRIES = 5;
const LONGEST_WAIT_SECONDS = 8;
/** Longer than the service takes for any request. */
const TIME_OUT_MS = 25_000;

/** Everything that can go wrong, by its code; `status` is 0 where no answer came. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAfterSeconds: number;

  constructor(code: string, { status = 0, message = code, retryAfterSeconds = 0 } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Call = { method?: string; path: string; body: unknown; accessToken?: string };

/** One request, its answer's JSON. ServiceError with the code of the error body, or NETWORK. */
export async function callService({ serviceUrl }: Device, call: Call) {
  const { method = 'POST', path, body, accessToken } = call;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (accessToken !== undefined) headers.authorization = `Bearer ${accessToken}`;
  const { response, answer } = await fetchJson(serviceUrl + path, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  if (response === undefined || (response.ok && answer === undefined)) throw new ServiceError('NETWORK');
  if (response.ok) return answer;
  const error = answer?.error ?? { ...answer?.errors?.[0], ...answer?.errors?.[0]?.extensions };
  throw new ServiceError(error.code ?? 'UNKNOWN', {
    status: response.status,
    message: error.message,
    retryAfterSeconds: Number.parseInt(response.headers.get('retry-after') ?? '', 10) || 0,
  });
}

/** Undefined is what did not come, or was cut short. React Native has no `AbortSignal.timeout`. */
async function fetchJson(address: string, request: RequestInit) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIME_OUT_MS);
  try {
    const response = await fetch(address, { ...request, signal: stop.signal }).catch(() => undefined);
    return { response, answer: await response?.json().catch(() => undefined) };
  } finally {
    clearTimeout(timer);
  }
}

/** Sends again what may succeed in a moment: as late as the service says, else ever later, and spread. */
export async function keepTrying<Result>(
  { wait }: Device,
  request: () => Promise<Result>,
  { isChange = false } = {},
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error, isChange) || tries === TRIES) throw error;
      const backOff = 2 ** (tries - 1) * (0.75 + Math.random() / 2);
      await wait(Math.max(error.retryAfterSeconds, Math.min(backOff, LONGEST_WAIT_SECONDS)));
    }
  }
}

/** What stays so until the merchant does something. */
const FINAL: readonly string[] = [
  'STOREFRONT_TOKEN_UNAVAILABLE',
  'STORE_ACCESS_MISSING',
  'STORE_DISCONNECTED',
];

/** With `isChange`, only what certainly did not run: a change whose answer was lost may have been made. */
export function isPassing(error: unknown, isChange = false): error is ServiceError {
  if (!(error instanceof ServiceError) || FINAL.includes(error.code)) return false;
  if (error.status === 429 || error.status === 503) return true;
  return !isChange && (error.code === 'NETWORK' || error.status >= 500);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ServiceError && codes.includes(error.code);
}
