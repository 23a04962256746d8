/** A gateway for tests: what its functions received, what they return, and requests to it. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeEach } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { startGateway } from '../../../../sandbox/local/gateway/handle-gateway-request.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };
export type Sent = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
};

/** The instant of every request. */
export const nowMs = Date.UTC(2026, 10, 21, 8, 40, 29, 123);

/** The events that the functions received, and their results; both are reset for every test. */
export const functions: {
  returns: () => Promise<unknown>;
  /** Until an instance is free. */
  waits: () => Promise<unknown>;
  received: { name: string; event: APIGatewayProxyEventV2 }[];
} = { returns: async () => ({}), waits: async () => undefined, received: [] };

const gateway = await startGateway({
  port: 0,
  now: () => nowMs,
  integrationTimeoutMs: 200,
  invoke: async (name, event, onStart) => {
    functions.received.push({ name, event: event as APIGatewayProxyEventV2 });
    await functions.waits();
    onStart();
    return functions.returns();
  },
});
afterAll(() => gateway.close());
beforeEach(() => {
  functions.received = [];
  functions.returns = async () => ({ statusCode: 204 });
  functions.waits = async () => undefined;
});

export function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${gateway.url}`, { method, headers, path }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, headers: answered, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The event of a request. */
export async function eventOf(path: string, sent?: Sent): Promise<APIGatewayProxyEventV2> {
  await send(path, sent);
  const event = functions.received.at(-1)?.event;
  if (event === undefined) throw new Error('No event came.');
  return event;
}
