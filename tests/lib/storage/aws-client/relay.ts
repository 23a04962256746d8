/** A relay between a client and an emulator of AWS: records requests, and injects faults into single responses. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOnLoopback } from '../../../../sandbox/listen.ts';

type RelayedCall = {
  readonly target: string;
  readonly input: unknown;
  readonly headers: IncomingMessage['headers'];
  /** The connection of the request. */
  readonly socket: Socket;
};
export type WireAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};
/**
 * The fault of a request: `before` it is processed, or `after`; `hangs`: processed, without a response. A function
 * changes the response.
 */
export type RelayFault =
  | 'reset before'
  | 'reset after'
  | 'hangs'
  | 'cut'
  | ((answer: WireAnswer) => WireAnswer)
  | undefined;

export type Relay = ListeningServer & {
  readonly calls: RelayedCall[];
  /** For the next requests, one after the other; what there is none for goes well. */
  readonly plannedFaults: RelayFault[];
  /** Returns the fault of a request without a planned one. */
  faultFor: (call: RelayedCall) => RelayFault;
};

/** Starts one on a free port. */
export async function startRelay(to: string): Promise<Relay> {
  const calls: RelayedCall[] = [];
  const plannedFaults: RelayFault[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const pass = async () => {
      const body = await buffer(incoming);
      const { headers, socket } = incoming;
      const call = { target: `${headers['x-amz-target']}`, input: JSON.parse(`${body}`), headers, socket };
      calls.push(call);
      await goOn({ to, headers, body, response }, plannedFaults.shift() ?? relay.faultFor(call));
    };
    pass().catch(() => response.destroy());
  });
  const relay: Relay = {
    ...(await listenOnLoopback(server, 0)),
    calls,
    plannedFaults,
    faultFor: () => undefined,
  };
  return relay;
}

/** An answer of AWS's own error. */
export function refusal(
  type: string,
  { status = 400, headers = {}, message = 'no' }: Partial<WireAnswer> & { readonly message?: string } = {},
): RelayFault {
  const body = Buffer.from(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }));
  return () => ({ status, headers: { 'x-amzn-requestid': 'REQUEST1', ...headers }, body });
}

type Passage = {
  readonly to: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly response: ServerResponse;
};

async function goOn(passage: Passage, fault: RelayFault): Promise<void> {
  const { response } = passage;
  if (fault === 'reset before') return void response.destroy();
  const answer = await forward(passage);
  if (fault === 'reset after') return void response.destroy();
  if (fault === 'hangs') return;
  const { status, headers, body } = typeof fault === 'function' ? fault(answer) : answer;
  const known = {
    ...headers,
    connection: undefined,
    'transfer-encoding': undefined,
    'content-length': `${body.byteLength}`,
  };
  for (const [name, value] of Object.entries(known)) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(status);
  if (fault !== 'cut') return void response.end(body);
  response.write(body.subarray(0, -1), () => response.destroy());
}

function forward({ to, headers, body }: Passage): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(to, { method: 'POST', headers }, (answered) => {
      const status = answered.statusCode ?? 0;
      buffer(answered).then((text) => resolve({ status, headers: answered.headers, body: text }), reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
