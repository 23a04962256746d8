/**
 * A merchant's server that receives webhooks on its own port. It verifies them, displays them on a page, and sends the
 * selected response. It depends on the service only through the webhooks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { type ListeningServer, listenOnLoopback } from '../../listen.ts';
import {
  RESPONSE_CHOICES,
  type ReceivedWebhook,
  type ResponseName,
  renderEndpointPage,
} from './render-endpoint-page.ts';

const MERCHANT_HOOKS_PATH = '/hooks';
const MAX_STORED_WEBHOOKS = 200;
/** The tolerance of Standard Webhooks for a webhook's timestamp. */
const TIMESTAMP_TOLERANCE_MS = 300_000;

export type MerchantEndpoint = ListeningServer & {
  readonly hooksUrl: string;
  /** Sets the secret for verification. */
  setSecret(secret: string): void;
};

/** Starts the server. `now` is the stack's clock and returns epoch milliseconds. */
export async function startMerchantEndpoint(now: () => number): Promise<MerchantEndpoint> {
  const receivedWebhooks: ReceivedWebhook[] = [];
  let secret: string | undefined;
  let chosenResponse: ResponseName = 'accept';

  async function receiveWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { status, headers } = RESPONSE_CHOICES[chosenResponse];
    const id = String(request.headers['webhook-id']);
    const isDouble = receivedWebhooks.some(
      (earlierWebhook) => earlierWebhook.id === id && earlierWebhook.status === 204,
    );
    const receivedWebhook = {
      atMs: now(),
      id,
      status,
      isDouble,
      isVerified: isVerified(request, body),
      body,
    };
    receivedWebhooks.unshift(receivedWebhook);
    receivedWebhooks.length = Math.min(receivedWebhooks.length, MAX_STORED_WEBHOOKS);
    // The choice `silent` sends no response: the connection stays open until the sender gives up.
    if (status !== undefined) response.writeHead(status, headers).end();
  }

  /** Verifies as the Standard Webhooks package does, which only supports the machine's clock. */
  function isVerified({ headers }: IncomingMessage, body: string): boolean {
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    if (secret === undefined || !(Math.abs(signedAt.getTime() - now()) <= TIMESTAMP_TOLERANCE_MS))
      return false;
    const expectedSignature = new Webhook(secret).sign(String(headers['webhook-id']), signedAt, body);
    return String(headers['webhook-signature']).split(' ').includes(expectedSignature);
  }

  async function chooseResponse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestedName = new URLSearchParams(await text(request)).get('answer') ?? '';
    if (Object.hasOwn(RESPONSE_CHOICES, requestedName)) chosenResponse = requestedName as ResponseName;
    response.writeHead(303, { location: '/' }).end();
  }

  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    if (route === `POST ${MERCHANT_HOOKS_PATH}`) return receiveWebhook(request, response);
    if (route === 'POST /answer') return chooseResponse(request, response);
    if (route === 'GET /received')
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(receivedWebhooks));
    if (route !== 'GET /') return response.writeHead(404).end('Nothing is here. The page is at /.');
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return response
      .writeHead(200, headers)
      .end(renderEndpointPage({ received: receivedWebhooks, chosenResponse }));
  });
  const listeningServer = await listenOnLoopback(server, 0);
  return {
    ...listeningServer,
    hooksUrl: listeningServer.url + MERCHANT_HOOKS_PATH,
    setSecret(newSecret) {
      secret = newSecret;
    },
  };
}
