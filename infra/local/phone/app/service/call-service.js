/** One request to the service's public endpoints. Both shapes of its error bodies end as a ServiceError. */
import { configuration } from './configuration.js';
import { ServiceError } from './service-error.js';

const TIMEOUT_MS = 25_000;

/**
 * @param {{ method?: string, path: string, body: unknown, accessToken?: string }} call
 * @returns {Promise<any>} The answer's JSON.
 */
export async function callService({ method = 'POST', path, body, accessToken }) {
  const response = await send(configuration.serviceUrl + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await readJson(response);
  if (!response.ok || answer === undefined) throw toError(response, answer);
  return answer;
}

/** @param {string} url @param {RequestInit} request */
async function send(url, request) {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new ServiceError({ code: 'NETWORK', message: String(cause) });
  }
}

/** @param {Response} response */
async function readJson(response) {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** @param {Response} response @param {any} answer */
function toError(response, answer) {
  if (response.ok) return new ServiceError({ code: 'NETWORK', message: 'The answer was cut short.' });
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ServiceError({
    code: answer?.error?.code ?? answer?.errors?.[0]?.extensions?.code ?? 'UNKNOWN',
    status: response.status,
    message: answer?.error?.message ?? answer?.errors?.[0]?.message ?? response.statusText,
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  });
}
