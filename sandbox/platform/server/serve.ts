/** The HTTP server: reads a request completely, finds its endpoint, and writes the response or cuts the connection. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FaultableAnswer } from '../control/apply-fault.ts';
import { type Answer, jsonAnswer, notFound } from '../http/answer.ts';
import { answerAsset } from '../http/answer-asset.ts';
import { type PlatformRequest, readRequest } from '../http/platform-request.ts';
import { indexPage } from '../pages/index-page.ts';
import { answerAuthentication } from './answer-authentication.ts';
import { answerBank } from './answer-bank.ts';
import { answerControl } from './answer-control.ts';
import { answerMailbox } from './answer-mailbox.ts';
import { answerStore } from './answer-store.ts';
import type { PlatformContext } from './platform-context.ts';

/** `context` returns undefined while the platform starts. */
export function createPlatformServer(context: () => PlatformContext | undefined): Server {
  return createServer(async (message, response) => {
    const ready = context();
    try {
      const request = await readRequest(message);
      if (ready === undefined)
        writeAnswer(response, jsonAnswer(503, { errors: 'The platform is starting.' }));
      else if (request === undefined)
        writeAnswer(response, jsonAnswer(413, { errors: 'The request is too large.' }));
      else finishResponse(message, response, await routeRequest(ready, request));
    } catch (error) {
      // The client disconnected before the end of its body, so no response is possible.
      if (!message.complete) return;
      ready?.announce(`The platform failed at ${message.method} ${message.url?.split('?', 1)[0]}: ${error}`);
      if (!response.headersSent) writeAnswer(response, jsonAnswer(500, { errors: 'Internal Server Error' }));
    }
  });
}

/**
 * The order matters: the first matching endpoint handles the request. All other paths start with the shop's domain or
 * id.
 */
async function routeRequest(context: PlatformContext, request: PlatformRequest): Promise<FaultableAnswer> {
  const [, first = '', ...rest] = request.path.split('/');
  const below = rest.join('/');
  if (first === '') return indexPage([...context.state().stores.values()]);
  if (first === '_assets') return answerAsset(request, below);
  if (first === '_mailbox') return answerMailbox(context, request, '/_mailbox');
  if (first === '_bank') return answerBank(context, request, Number(below));
  if (first === '_control') return answerControl(context, request, below);
  if (!request.headers['user-agent']) return missingUserAgentAnswer();
  if (first === 'authentication') return answerAuthentication(context, request, rest);
  return answerStore(context, request, { first, below });
}

/** The real platform's response. */
function missingUserAgentAnswer(): Answer {
  const answer = notFound();
  return { ...answer, status: 403, body: JSON.stringify({ errors: 'Forbidden: send a User-Agent.' }) };
}

function finishResponse(message: IncomingMessage, response: ServerResponse, outcome: FaultableAnswer): void {
  if (outcome === undefined) message.socket.destroy();
  else writeAnswer(response, outcome);
}

function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
