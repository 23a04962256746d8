/** Emulates CloudWatch Logs: its JSON protocol over HTTP, for the operations that operators use. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOnLoopback } from '../../listen.ts';
import { AwsError } from '../aws-error.ts';
import { findRequestError } from '../find-request-error.ts';
import { createLogStore, type LogStore, type LogStoreOptions } from './log-store.ts';
import { logsOperations } from './logs-operations.ts';

/** Starts the emulator on a free port. `messages` returns the lines of all groups, in their order of arrival. */
export async function startLogsEmulator(
  options: LogStoreOptions,
): Promise<ListeningServer & { readonly messages: () => string[] }> {
  const store = createLogStore(options);
  const server = createServer((request, response) => {
    handleLogsRequest(store, request).then(
      ({ status, body }) => {
        const head = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() };
        response.writeHead(status, head).end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  const listMessages = () => store.events.map(({ message }) => message);
  return { ...(await listenOnLoopback(server, 0)), messages: listMessages };
}

async function handleLogsRequest(
  store: LogStore,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const { headers } = request;
  const body = await buffer(request);
  const requestError = await findRequestError({ service: 'logs', headers, body });
  if (requestError !== undefined) return toErrorResponse(requestError);
  const targetHeader = `${headers['x-amz-target']}`;
  const runOperation = logsOperations[targetHeader.replace(/^Logs_20140328\./, '')];
  if (runOperation === undefined)
    return toErrorResponse({
      type: 'UnknownOperationException',
      message: `${targetHeader} is not one of this stand-in.`,
    });
  try {
    return { status: 200, body: runOperation(store, JSON.parse(body.toString('utf8'))) };
  } catch (error) {
    if (error instanceof AwsError) return toErrorResponse(error);
    throw error;
  }
}

function toErrorResponse({ type, message }: { readonly type: string; readonly message: string }) {
  return { status: 400, body: { __type: type, message } };
}
