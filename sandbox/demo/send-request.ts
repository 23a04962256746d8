/** One call of the demo over plain HTTP. */

export type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** The answer to the `tries`-th try, and after how many seconds to ask again; 0: it is final. */
export async function sendRequest({ method, url, headers, body }: Request, tries: number) {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return {
    answer: { status: response.status, body: parseJson(text) },
    retryAfterSeconds: waitSeconds(response, tries),
  };
}

/** As long as the answer says. The gateway before the service says nothing with its 429: a second, doubling. */
function waitSeconds({ status, headers }: Response, tries: number): number {
  if (status !== 429 && status !== 503) return 0;
  const retryAfter = Number.parseInt(headers.get('retry-after') ?? '', 10);
  if (Number.isInteger(retryAfter)) return retryAfter;
  return status === 429 ? 2 ** (tries - 1) : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
