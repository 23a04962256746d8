/** One call of the demo over plain HTTP. */

export type Request = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** The answer, and after how many seconds to ask again; 0: it is final. */
export async function sendRequest({ method, url, headers, body }: Request) {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isRetryable = response.status === 429 || response.status === 503;
  const retryAfterSeconds = isRetryable ? Number(response.headers.get('retry-after')) : 0;
  return { answer: { status: response.status, body: parseJson(text) }, retryAfterSeconds };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
