/** A process that lives longer than its credentials reads the renewed ones, whatever is in progress. */
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { readAwsEnvironment } from '../../../../lib/config/aws-environment.ts';
import { listenOnLoopback } from '../../../../sandbox/listen.ts';
import { ownClient } from './clients.ts';

const CALLS = 64;

/** An AWS endpoint that accepts one access key. It responds when `released` resolves. */
async function startAws() {
  const state = { accepted: 'key-1', released: Promise.resolve(), sessionTokens: [] as unknown[] };
  const server = createServer((request, response) => {
    const { authorization = '', 'x-amz-security-token': sessionToken } = request.headers;
    request.resume().once('end', async () => {
      await state.released;
      state.sessionTokens.push(sessionToken);
      if (authorization.includes(`Credential=${state.accepted}/`)) response.writeHead(200).end('{}');
      else response.writeHead(400).end('{"__type":"ExpiredTokenException"}');
    });
  });
  const { url, close } = await listenOnLoopback(server, 0);
  return { state, url, [Symbol.asyncDispose]: close };
}

function setCredentials(accessKeyId: string): void {
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: `secret of ${accessKeyId}`,
    AWS_SESSION_TOKEN: `session of ${accessKeyId}`,
  });
}

function clientOf(url: string) {
  setCredentials('key-1');
  const ended = { count: 0 };
  const { credentials } = readAwsEnvironment();
  const onExpired = () => void ended.count++;
  return { ended, ...ownClient('dynamodb', url, { credentials, onCredentialsExpired: onExpired }) };
}

const get = (call: ReturnType<typeof clientOf>['call']) => call('GetItem', { TableName: 'table', Key: {} });

test('signs with renewed credentials before the earlier ones expire', async () => {
  await using aws = await startAws();
  const { call, close, ended } = clientOf(aws.url);
  await get(call);
  setCredentials('key-2');
  aws.state.accepted = 'key-2';
  await Promise.all(Array.from({ length: CALLS }, () => get(call)));
  expect(new Set(aws.state.sessionTokens)).toEqual(new Set(['session of key-1', 'session of key-2']));
  expect(ended.count).toBe(0);
  close();
});

test('sends 64 calls again whose credentials expired while they were in progress', async () => {
  await using aws = await startAws();
  const { call, close, ended } = clientOf(aws.url);
  const release = Promise.withResolvers<void>();
  aws.state.released = release.promise;
  const calls = Array.from({ length: CALLS }, () => get(call));
  setCredentials('key-2');
  aws.state.accepted = 'key-2';
  release.resolve();
  await Promise.all(calls);
  expect(ended.count).toBe(0);
  close();
});

test('ends the container when the credentials expired and no new ones are there', async () => {
  await using aws = await startAws();
  const { call, close, ended } = clientOf(aws.url);
  aws.state.accepted = 'key-2';
  await expect(get(call)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
  expect(ended.count).toBe(1);
  close();
});
