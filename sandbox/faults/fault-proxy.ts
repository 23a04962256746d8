/** A proxy between the functions and an AWS emulator. It makes calls fail as the network and AWS do. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type ListeningServer, listenOnLoopback } from '../listen.ts';
import type { FaultPlan, ProxyEffect, ProxyTarget } from './fault-plan.ts';

export type FaultProxyOptions = {
  readonly target: ProxyTarget;
  /** The URL of the emulator. */
  readonly url: string;
  readonly plan: FaultPlan;
};

/** Slightly longer than the timeout of one attempt of the functions. */
const SLOW_DELAY_MS = 1_200;

/** Starts the proxy on a free port of the loopback address. */
export async function startFaultProxy({ target, url, plan }: FaultProxyOptions): Promise<ListeningServer> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const faultEffect = plan.take({ target, ...parseOperation(incoming) });
    proxyRequest({ incoming, response, url, agent }, target, faultEffect).catch(() => response.destroy());
  });
  const listeningServer = await listenOnLoopback(server, 0);
  return {
    url: listeningServer.url,
    close: async () => {
      await listeningServer.close();
      agent.destroy();
    },
  };
}

function parseOperation({ headers }: IncomingMessage) {
  const operation =
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  return { operation, invocationId: String(headers['amz-sdk-invocation-id'] ?? '') };
}

type ProxiedRequest = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly agent: Agent;
};

async function proxyRequest(
  proxiedRequest: ProxiedRequest,
  target: ProxyTarget,
  effect: ProxyEffect | undefined,
): Promise<void> {
  const { incoming, response } = proxiedRequest;
  const body = await readBody(incoming);
  if (effect === 'cut-before') return void response.destroy();
  if (effect === 'throttle' || effect === 'error')
    return sendAwsError(response, errorsByTarget[target][effect]);
  // The call is executed even if the client has disconnected meanwhile: late writes are the danger of slow calls.
  if (effect === 'slow') await wait(SLOW_DELAY_MS, undefined, { ref: false });
  const emulatorResponse = await forwardRequest(proxiedRequest, body);
  if (effect === 'cut-after') return void response.destroy();
  response.writeHead(emulatorResponse.status, emulatorResponse.headers).end(emulatorResponse.body);
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

type EmulatorResponse = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

function forwardRequest({ incoming, url, agent }: ProxiedRequest, body: Buffer): Promise<EmulatorResponse> {
  const { method, url: path = '/', headers } = incoming;
  return new Promise((resolve, reject) => {
    const outgoingRequest = request(new URL(path, url), { method, headers, agent }, (emulatorMessage) => {
      readBody(emulatorMessage).then(
        (emulatorBody) =>
          resolve({
            status: emulatorMessage.statusCode ?? 502,
            headers: emulatorMessage.headers,
            body: emulatorBody,
          }),
        reject,
      );
    });
    outgoingRequest.once('error', reject);
    outgoingRequest.end(body);
  });
}

type AwsErrorResponse = { readonly status: number; readonly type: string; readonly message: string };

/** The errors of DynamoDB and Secrets Manager (AWS JSON protocols 1.0 and 1.1). */
const errorsByTarget: Readonly<
  Record<ProxyTarget, Readonly<Record<'throttle' | 'error', AwsErrorResponse>>>
> = {
  table: {
    throttle: {
      status: 400,
      type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
      message: 'The level of configured provisioned throughput for the table was exceeded.',
    },
    error: {
      status: 500,
      type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
      message: 'The request could not be processed because of an internal error.',
    },
  },
  secrets: {
    throttle: { status: 400, type: 'ThrottlingException', message: 'Rate exceeded' },
    error: { status: 500, type: 'InternalServiceError', message: 'An error occurred on the server side.' },
  },
};

function sendAwsError(response: ServerResponse, { status, type, message }: AwsErrorResponse): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: type, message }));
}
