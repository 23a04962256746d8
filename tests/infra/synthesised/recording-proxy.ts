/**
 * Stands between one function and a stand-in for AWS: notes every call as IAM sees it, action and resource, refuses
 * what the function's role does not allow as AWS would, and hands the rest on.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listen } from '../../../infra/emulators/listen.ts';
import { ACCOUNT, REGION } from './resolve-intrinsics.ts';
import type { Statement } from './template-parts.ts';

/** For example `dynamodb:GetItem` on the ARN of a table. */
export type AwsCall = { readonly action: string; readonly resource: string };

type Body = Readonly<Record<string, unknown>>;
export type ProxyOptions = {
  readonly service: 'dynamodb' | 'secretsmanager';
  readonly backendUrl: string;
  readonly statements: readonly Statement[];
  readonly onCall: (call: AwsCall, allowed: boolean) => void;
};

export function startRecordingProxy(options: ProxyOptions): Promise<ListeningServer> {
  return listen(
    createServer((request, response) => {
      relay(options, request, response).catch(() => response.destroy());
    }),
    0,
  );
}

async function relay(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { service, backendUrl, statements, onCall } = options;
  const body = await buffer(request);
  const operation = String(request.headers['x-amz-target']).split('.').at(-1);
  const action = `${service}:${operation}`;
  let allAllowed = true;
  for (const resource of resourcesOf(service, JSON.parse(body.toString('utf8')))) {
    const allowed = statements.some((statement) => allows(statement, { action, resource }));
    onCall({ action, resource }, allowed);
    allAllowed &&= allowed;
  }
  if (!allAllowed) {
    const refusal = { __type: 'AccessDeniedException', message: `not authorized to perform: ${action}` };
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(refusal));
    return;
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding', 'expect'].includes(name),
  );
  const answer = await fetch(backendUrl, {
    method: 'POST',
    headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
    body,
  });
  const type = answer.headers.get('content-type') ?? 'application/x-amz-json-1.1';
  const crc = answer.headers.get('x-amz-crc32');
  response.writeHead(answer.status, { 'content-type': type, ...(crc !== null && { 'x-amz-crc32': crc }) });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** What a request touches, as ARNs. */
function resourcesOf(service: ProxyOptions['service'], body: Body): string[] {
  if (service === 'secretsmanager') {
    return [`arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${body.SecretId}-AbCdEf`];
  }
  const table = (name: unknown) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
  if (typeof body.IndexName === 'string') return [`${table(body.TableName)}/index/${body.IndexName}`];
  if (typeof body.TableName === 'string') return [table(body.TableName)];
  return Object.keys((body.RequestItems ?? {}) as object).map(table);
}

/** As IAM matches: `*` stands for any text, `?` for one character; actions without regard to case. */
function allows({ actions, resources }: Statement, call: AwsCall): boolean {
  return (
    actions.some((action) => matches(action, call.action, 'i')) &&
    resources.some((resource) => matches(resource, call.resource, ''))
  );
}

export function matches(pattern: string, value: string, flags: '' | 'i'): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, flags).test(value);
}
