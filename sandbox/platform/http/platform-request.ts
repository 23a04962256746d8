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
  const target = message.url ?? '/';
  if (!target.startsWith('/') || !URL.canParse(target, 'http://platform')) return undefined;
  const { pathname, searchParams } = new URL(target, 'http://platform');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return {
    method: message.method ?? 'GET',
    target,
    path: pathname,
    query: searchParams,
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Returns the fields of a form (`application/x-www-form-urlencoded`). */
export function parseForm(request: PlatformRequest): URLSearchParams {
  return new URLSearchParams(request.body);
}
