/** A platform on the loopback address that sends scripted responses, one per request. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Scripted = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Cuts the connection: before anything is answered, or in the middle of the body. */
  readonly cut?: 'before' | 'within';
};
type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly url: string;
};

export type AdminUpstream = AsyncDisposable & { readonly origin: string; readonly received: Received[] };

/** Starts it. A request beyond the script is answered 500. */
export async function startUpstream(script: readonly Scripted[]): Promise<AdminUpstream> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status = 200, body = {}, headers = {}, cut } = script[received.length] ?? { status: 500 };
      const text = Buffer.concat(chunks).toString('utf8');
      received.push({ headers: request.headers, body: JSON.parse(text), url: request.url ?? '' });
      if (cut === 'before') {
        request.socket.destroy();
        return;
      }
      const payload = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-length': Buffer.byteLength(payload), ...headers });
      if (cut === 'within') response.write(payload.slice(0, 5), () => request.socket.destroy());
      else response.end(payload);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
