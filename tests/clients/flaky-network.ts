/**
 * A network between a client and the service that injects faults: lost responses, captive portals, gateway errors,
 * silence.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lost`: the request reaches the service, and the response is lost. `held`: the response waits until `release`. */
export type NetworkFault = 'offline' | 'lost' | 'held' | 'portal' | 'redirected' | 'throttled';
type Passed = { readonly path: string; readonly body: string; readonly status: number };

export type FlakyNetwork = {
  readonly url: string;
  /**
   * Sets the faults of the next requests whose path has this ending, in this order; `always` sets the fault of all
   * later requests.
   */
  next(path: string, ...nextFaults: readonly NetworkFault[]): void;
  always(fault: NetworkFault | undefined): void;
  /** Resolves when a response waits for `release`. */
  whenWithheld(): Promise<void>;
  release(): void;
  /** Returns all requests so far with the service's status; 0 if the request did not reach the service. */
  passed(path: string): readonly Passed[];
  close(): Promise<void>;
};

type Service = {
  readonly url: string;
  /** Its clock, epoch milliseconds. */
  readonly now: () => number;
};

export async function startFlakyNetwork(service: Service): Promise<FlakyNetwork> {
  const waiting: { path: string; fault: NetworkFault }[] = [];
  const sent: Passed[] = [];
  let everywhere: NetworkFault | undefined;
  let lost = Promise.withResolvers<void>();
  let released = Promise.withResolvers<void>();
  const faultOf = (path: string) => {
    const index = waiting.findIndex((one) => path.endsWith(one.path));
    return index < 0 ? everywhere : waiting.splice(index, 1)[0]?.fault;
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await readBody(request);
    const fault = faultOf(path);
    const refusal = fault === undefined ? undefined : refusals[fault];
    if (refusal !== undefined) {
      sent.push({ path, body, status: 0 });
      return refusal(response);
    }
    const answer = await fetch(service.url + path, {
      method: request.method ?? 'GET',
      headers: forwarded(request),
      body,
    });
    const text = await answer.text();
    sent.push({ path, body, status: answer.status });
    if (fault === 'lost') return void response.destroy();
    if (fault === 'held') {
      lost.resolve();
      await released.promise;
    }
    const headers = ['content-type', 'retry-after', 'x-request-id'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.setHeader('date', new Date(service.now()).toUTCString());
    response.writeHead(answer.status, Object.fromEntries(headers)).end(text);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (path, ...nextFaults) => void waiting.push(...nextFaults.map((fault) => ({ path, fault }))),
    always(fault) {
      everywhere = fault;
    },
    whenWithheld: () => lost.promise,
    release() {
      released.resolve();
      lost = Promise.withResolvers();
      released = Promise.withResolvers();
    },
    passed: (path) => sent.filter((one) => one.path.endsWith(path)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const refusals: Partial<Record<NetworkFault, (response: ServerResponse) => void>> = {
  offline: (response) => void response.destroy(),
  portal: (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to our Wi-Fi</html>'),
  // A client that followed it would take the service's 404 for the response.
  redirected: (response) => void response.writeHead(307, { location: '/' }).end(),
  // A response of API Gateway: no Retry-After, and no code of the service.
  throttled: (response) =>
    void response
      .writeHead(429, { 'content-type': 'application/json' })
      .end('{"message":"Too Many Requests"}'),
};

function forwarded({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'authorization', 'user-agent', 'accept-language'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
