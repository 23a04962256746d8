/** Emulates Secrets Manager: its JSON protocol over HTTP, for the operations that the service uses. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOnLoopback } from '../../listen.ts';
import { AwsError } from '../aws-error.ts';
import { findRequestError } from '../find-request-error.ts';
import { secretsOperations } from './secrets-operations.ts';
import { createSecretsStore, type SecretsStore } from './secrets-store.ts';

export type SecretsManagerOptions = {
  /** The file of the secrets; without it they stay in memory. */
  readonly path: string | undefined;
  readonly now: () => number;
  /** The clock that verifies the times of signatures; without it any time is accepted. */
  readonly awsClock?: (() => number) | undefined;
};
type SecretsManagerDeps = Pick<SecretsManagerOptions, 'awsClock'> & { readonly store: SecretsStore };

/** Starts the emulator on a free port. */
export function startSecretsManagerEmulator(options: SecretsManagerOptions): Promise<ListeningServer> {
  const deps = { ...options, store: createSecretsStore(options) };
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    handleSecretsRequest(deps, request).then(
      ({ status, body }) => {
        response.writeHead(status, {
          'content-type': 'application/x-amz-json-1.1',
          'x-amzn-requestid': randomUUID(),
        });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  return listenOnLoopback(server, 0);
}

async function handleSecretsRequest(
  deps: SecretsManagerDeps,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  const body = await buffer(request);
  try {
    return { status: 200, body: await runOperation(deps, request.headers, body) };
  } catch (error) {
    if (error instanceof AwsError) {
      return { status: 400, body: { __type: error.type, Message: error.message } };
    }
    return { status: 500, body: { __type: 'InternalServiceError', Message: String(error) } };
  }
}

async function runOperation(
  { store, awsClock }: SecretsManagerDeps,
  headers: IncomingHttpHeaders,
  body: Buffer,
) {
  const targetHeader = `${headers['x-amz-target']}`;
  const operationOfTarget = secretsOperations[targetHeader.replace(/^secretsmanager\./, '')];
  if (operationOfTarget === undefined) {
    throw new AwsError('UnknownOperationException', `${targetHeader} is not an operation of this stand-in.`);
  }
  const requestFields = parseRequestBody(body.toString('utf8'));
  const secretName = `${requestFields.SecretId ?? requestFields.Name ?? ''}`;
  const requestError = await findRequestError(
    { service: 'secretsmanager', headers, body, awsClock },
    secretName,
  );
  if (requestError !== undefined) throw new AwsError(requestError.type, requestError.message);
  return operationOfTarget(store, requestFields);
}

function parseRequestBody(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON.');
  }
}
