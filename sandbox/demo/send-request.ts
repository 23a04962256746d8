/** Sends one plain HTTP request of the demo. */

export type DemoRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
};

export type DemoResponse = { readonly status: number; readonly body: unknown };

/** Sends the attempt with this number and returns the response, with the seconds until the retry; 0 for a final response. */
export async function sendRequest({ method, url, headers, body }: DemoRequest, attemptNumber: number) {
  const httpResponse = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await httpResponse.text();
  return {
    response: { status: httpResponse.status, body: parseJson(text) },
    retryAfterSeconds: secondsUntilRetry(httpResponse, attemptNumber),
  };
}

/** Returns the seconds in Retry-After. The gateway sends none with its 429: then a second, doubled at each attempt. */
function secondsUntilRetry({ status, headers }: Response, attemptNumber: number): number {
  if (status !== 429 && status !== 503) return 0;
  const retryAfter = Number.parseInt(headers.get('retry-after') ?? '', 10);
  if (Number.isInteger(retryAfter)) return retryAfter;
  return status === 429 ? 2 ** (attemptNumber - 1) : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
