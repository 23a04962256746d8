/** A completely read request, which all endpoints use. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 1_048_576;

export type PlatformRequest = {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/**
 * Reads the request.
 * @returns undefined when its body is too large or its address is invalid
 */
export async function readPlatformRequest(message: IncomingMessage): Promise<PlatformRequest | undefined> {
  const requestTarget = message.url ?? '/';
  if (!requestTarget.startsWith('/') || !URL.canParse(requestTarget, 'http://platform')) return undefined;
  const { pathname, searchParams } = new URL(requestTarget, 'http://platform');
  const bodyChunks: Buffer[] = [];
  let bodyBytes = 0;
  for await (const chunk of message) {
    bodyBytes += chunk.length;
    if (bodyBytes > MAX_BODY_BYTES) return undefined;
    bodyChunks.push(chunk);
  }
  return {
    method: message.method ?? 'GET',
    target: requestTarget,
    path: pathname,
    query: searchParams,
    headers: message.headers,
    body: Buffer.concat(bodyChunks).toString('utf8'),
  };
}

/** Returns the fields of a form (`application/x-www-form-urlencoded`). */
export function parseForm(request: PlatformRequest): URLSearchParams {
  return new URLSearchParams(request.body);
}
