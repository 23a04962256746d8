/**
 * A proxy between a caller, a function or an operator, and an emulator of AWS: records every call with the action and
 * resources that IAM evaluates, rejects calls without a right like AWS, and forwards the others.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseTableCall } from '../../../infra/definition/evaluate-call.ts';
import { type ListeningServer, listenOnLoopback } from '../../../sandbox/listen.ts';
import { ACCOUNT, REGION } from './resolve-intrinsics.ts';
import type { Statement } from './template-parts.ts';
import type { Units, Weigh } from './weigh-call.ts';

/** For example `dynamodb:GetItem` on the ARN of a table, with the partition keys that it names. */
export type AwsCall = {
  readonly action: string;
  readonly resource: string;
  readonly leadingKeys?: readonly string[];
  /** The units that DynamoDB charges for the call, if calls are weighed. */
  readonly units?: Units;
};

type Body = Readonly<Record<string, unknown>>;
export type ProxyOptions = {
  readonly service: 'dynamodb' | 'secretsmanager' | 'logs';
  readonly backendUrl: string;
  readonly statements: readonly Statement[];
  readonly onCall: (call: AwsCall, allowed: boolean) => void;
  readonly weigh?: Weigh | undefined;
};

export function startRecordingProxy(options: ProxyOptions): Promise<ListeningServer> {
  return listenOnLoopback(
    createServer((request, response) => {
      relay(options, request, response).catch(() => response.destroy());
    }),
    0,
  );
}

async function relay(
  options: ProxyOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { service, backendUrl, statements, onCall } = options;
  const body = await buffer(incoming);
  const operation = String(incoming.headers['x-amz-target']).split('.').at(-1);
  const action = `${service}:${operation}`;
  const json = JSON.parse(body.toString('utf8'));
  const { leadingKeys } = parseTableCall(operation ?? '', json);
  const calls = resourcesOf(service, json).map((resource) => ({ action, resource, leadingKeys }));
  const isAllowed = (call: AwsCall) => statements.some((statement) => allows(statement, call));
  const allAllowed = calls.every(isAllowed);
  if (!allAllowed || options.weigh === undefined) for (const call of calls) onCall(call, isAllowed(call));
  if (!allAllowed) {
    const refusal = { __type: 'AccessDeniedException', message: `not authorized to perform: ${action}` };
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(refusal));
    return;
  }
  const weighed = await options.weigh?.(operation ?? '', json);
  const answer = await forward(backendUrl, incoming.headers, body);
  const answered = await buffer(answer);
  const units = await weighed?.(JSON.parse(answered.toString('utf8')));
  if (units !== undefined) for (const call of calls) onCall({ ...call, units }, true);
  const { 'content-type': type = 'application/x-amz-json-1.1', 'x-amz-crc32': crc } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, { 'content-type': type, ...(crc && { 'x-amz-crc32': crc }) });
  response.end(answered);
}

/**
 * With the very headers that were signed, and a connection of its own: a busy process would take an idle one that the emulator
 * has closed.
 */
function forward(url: string, headers: IncomingHttpHeaders, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent: false }, resolve).once('error', reject).end(body);
  });
}

/** Returns the ARNs of a request's resources. */
function resourcesOf(service: ProxyOptions['service'], body: Body): string[] {
  if (service === 'secretsmanager') {
    return [`arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${body.SecretId ?? body.Name}-AbCdEf`];
  }
  if (service === 'logs') {
    const group = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${body.logGroupName}`;
    return [body.logEvents === undefined ? group : `${group}:log-stream:${body.logStreamName}`];
  }
  const table = (name: unknown) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
  if (typeof body.IndexName === 'string') return [`${table(body.TableName)}/index/${body.IndexName}`];
  if (typeof body.TableName === 'string') return [table(body.TableName)];
  return Object.keys((body.RequestItems ?? {}) as object).map(table);
}

/** Decides like IAM: a single statement has to allow the whole call. */
export function allows({ actions, resources, leadingKeys }: Statement, call: AwsCall): boolean {
  return (
    actions.some((action) => matches(action, call.action, 'i')) &&
    resources.some((resource) => matches(resource, call.resource, '')) &&
    (leadingKeys === undefined || allKeysMatch(leadingKeys, call.leadingKeys ?? []))
  );
}

/** `ForAllValues:StringLike`, which holds where there is none, with `Null: false`, which wants one. */
function allKeysMatch(patterns: readonly string[], keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => patterns.some((pattern) => matches(pattern, key, '')));
}

const expressions = new Map<string, RegExp>();

/**
 * Whether the value matches the pattern: `*` matches any text, `?` one character; actions are compared
 * case-insensitively.
 */
export function matches(pattern: string, value: string, flags: '' | 'i'): boolean {
  const key = `${flags} ${pattern}`;
  const expression = expressions.get(key) ?? expressionOf(pattern, flags);
  expressions.set(key, expression);
  return expression.test(value);
}

function expressionOf(pattern: string, flags: '' | 'i'): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, flags);
}
