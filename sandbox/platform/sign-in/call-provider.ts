/**
 * Passes a completely read request to oidc-provider and captures its response, so that a fault can replace it. The
 * provider is a Koa application: it receives a replayed message and a response without a connection.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Provider from 'oidc-provider';
import type { PlatformRequest } from '../http/platform-request.ts';
import type { PlatformResponse } from '../http/response.ts';

export type ReplayedRequest = { readonly req: IncomingMessage; readonly res: ServerResponse };

/** Replays the request at its path below `mountPath`. */
export function createReplayedRequest(request: PlatformRequest, mountPath: string): ReplayedRequest {
  const nodeRequest = new IncomingMessage(new Socket());
  nodeRequest.method = request.method;
  nodeRequest.url = request.target.slice(mountPath.length);
  nodeRequest.headers = { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) };
  // The issuer has a path, so the provider builds its addresses from the complete target.
  Object.assign(nodeRequest, { originalUrl: request.target, httpVersion: '1.1', complete: true });
  if (request.body === '') {
    delete nodeRequest.headers['content-length'];
    delete nodeRequest.headers['transfer-encoding'];
  } else nodeRequest.push(request.body);
  nodeRequest.push(null);
  return { req: nodeRequest, res: new ServerResponse(nodeRequest) };
}

/**
 * Returns the provider's response. A `Location` on its own origin becomes a path, because the browser may have opened the
 * page at another origin.
 */
export async function callProvider(
  provider: Provider,
  request: PlatformRequest,
  mountPath: string,
): Promise<PlatformResponse> {
  const { req, res } = createReplayedRequest(request, mountPath);
  const responseBodyPromise = new Promise<string | Buffer>((resolve) => {
    res.end = ((chunk?: unknown) => {
      resolve(Buffer.isBuffer(chunk) || typeof chunk === 'string' ? chunk : '');
      return res;
    }) as typeof res.end;
  });
  void provider.callback()(req, res);
  return {
    body: await responseBodyPromise,
    status: res.statusCode,
    headers: convertHeaders(res, request.headers.host),
  };
}

function convertHeaders(res: ServerResponse, host: string | undefined): PlatformResponse['headers'] {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value : String(value);
  }
  delete headers['content-length'];
  const { location } = headers;
  if (typeof location === 'string' && location.startsWith(`http://${host}/`)) {
    headers.location = location.slice(`http://${host}`.length);
  }
  return headers;
}
