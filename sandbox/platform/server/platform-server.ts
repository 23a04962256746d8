/** The HTTP server: reads a request completely, finds its endpoint, and writes the response or cuts the connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FaultableResponse } from '../control/apply-fault.ts';
import { type PlatformRequest, readPlatformRequest } from '../http/platform-request.ts';
import { createJsonResponse, createNotFoundResponse, type PlatformResponse } from '../http/response.ts';
import { serveAsset } from '../http/serve-asset.ts';
import { renderIndexPage } from '../pages/index-page.ts';
import { handleAuthentication } from './handle-authentication.ts';
import { handleBankPage } from './handle-bank-page.ts';
import { handleControl } from './handle-control.ts';
import { handleMailbox } from './handle-mailbox.ts';
import { handleStoreRequest } from './handle-store-request.ts';
import type { PlatformContext } from './platform-context.ts';

/** `context` returns undefined while the platform starts. */
export function createPlatformServer(context: () => PlatformContext | undefined): Server {
  return createServer(async (message, response) => {
    const platformContext = context();
    try {
      const request = await readPlatformRequest(message);
      if (platformContext === undefined)
        writeResponse(response, createJsonResponse(503, { errors: 'The platform is starting.' }));
      else if (request === undefined)
        writeResponse(response, createJsonResponse(413, { errors: 'The request is too large.' }));
      else finishResponse(message, response, await routeRequest(platformContext, request));
    } catch (error) {
      // The client disconnected before the end of its body, so no response is possible.
      if (!message.complete) return;
      platformContext?.announce(
        `The platform failed at ${message.method} ${message.url?.split('?', 1)[0]}: ${error}`,
      );
      if (!response.headersSent)
        writeResponse(response, createJsonResponse(500, { errors: 'Internal Server Error' }));
    }
  });
}

/**
 * The order matters: the first matching endpoint handles the request. All other paths start with the shop's domain or
 * id.
 */
async function routeRequest(context: PlatformContext, request: PlatformRequest): Promise<FaultableResponse> {
  await context.otherServer.sendDue();
  const [, firstSegment = '', ...remainingSegments] = request.path.split('/');
  const pathBelow = remainingSegments.join('/');
  if (firstSegment === '') return renderIndexPage([...context.state().stores.values()]);
  if (firstSegment === '_assets') return serveAsset(request, pathBelow);
  if (firstSegment === '_mailbox') return handleMailbox(context, request, '/_mailbox');
  if (firstSegment === '_bank') return handleBankPage(context, request, Number(pathBelow));
  if (firstSegment === '_control') return handleControl(context, request, pathBelow);
  if (!request.headers['user-agent']) return createMissingUserAgentResponse();
  if (firstSegment === 'authentication') return handleAuthentication(context, request, remainingSegments);
  return handleStoreRequest(context, request, { storeKey: firstSegment, remainingPath: pathBelow });
}

/** Creates the response of the real platform to a request without a user agent. */
function createMissingUserAgentResponse(): PlatformResponse {
  const notFoundResponse = createNotFoundResponse();
  return {
    ...notFoundResponse,
    status: 403,
    body: JSON.stringify({ errors: 'Forbidden: send a User-Agent.' }),
  };
}

function finishResponse(
  message: IncomingMessage,
  response: ServerResponse,
  outcome: FaultableResponse,
): void {
  if (outcome === undefined) message.socket.destroy();
  else writeResponse(response, outcome);
}

function writeResponse(response: ServerResponse, { status, headers, body }: PlatformResponse): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
