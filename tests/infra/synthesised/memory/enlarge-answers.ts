/**
 * A proxy between the functions and the emulated platform. On demand it repeats the lines of a contract until a response
 * has the largest size.
 */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../../../../sandbox/listen.ts';

/** The largest response of the platform that the service accepts is 5 MiB (lib/platform/admin-api/admin-request.ts). */
const LARGEST_BYTES = 5 * 1024 * 1024 - 1024;

export type EnlargingProxy = {
  readonly url: string;
  isEnlarging: boolean;
  close(): Promise<void>;
};

/** Starts the proxy before the platform at `platformUrl`. */
export async function startEnlargingProxy(platformUrl: string): Promise<EnlargingProxy> {
  const server = await listenOnLoopback(
    createServer(async (request, response) => {
      const { connection: _connection, host: _host, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(platformUrl + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        body: request.method === 'POST' ? await buffer(request) : null,
        redirect: 'manual',
      });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(proxy.isEnlarging ? enlarge(text) : text);
    }),
    0,
  );
  const proxy = { url: server.url, isEnlarging: false, close: () => server.close() };
  return proxy;
}

/** Many small objects take the most memory, so the lines of the first contract are repeated. */
function enlarge(text: string): string {
  const [whole, lines] = /"lines":\{"nodes":\[(\{[^\]]*\})\]/.exec(text) ?? [];
  if (whole === undefined || lines === undefined) return text;
  const count = Math.floor((LARGEST_BYTES - text.length) / (lines.length + 1));
  return text.replace(whole, () => `"lines":{"nodes":[${Array(count).fill(lines).join(',')}]`);
}
