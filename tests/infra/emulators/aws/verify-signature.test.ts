/** A request that AWS would refuse for its signature is refused here, by its name there. */
import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { credentialsOf } from '../../../../infra/emulators/aws/credentials.ts';
import { signatureRefusal } from '../../../../infra/emulators/aws/verify-signature.ts';
import { signRequest, type UnsignedRequest } from '../../../../lib/storage/aws-client/sign-request.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 10);
const credentials = credentialsOf('local-a');
const request: UnsignedRequest = {
  host: '127.0.0.1:4567',
  region: 'us-east-1',
  service: 'dynamodb',
  headers: { 'X-Amz-Target': 'DynamoDB_20120810.GetItem', 'Content-Type': 'application/x-amz-json-1.0' },
  body: '{"TableName":"ä"}',
  atMs: NOW_MS,
};

/** The refusal of what was signed and changed on the way. */
async function sent(changes: {
  readonly signed?: Partial<UnsignedRequest>;
  readonly as?: typeof credentials;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}) {
  const unsigned = { ...request, ...changes.signed };
  const signed = Object.entries(signRequest(unsigned, changes.as ?? credentials));
  const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), `${value}`]));
  return signatureRefusal({
    service: 'dynamodb',
    headers: { ...headers, ...changes.headers },
    body: Buffer.from(changes.body ?? unsigned.body),
    awsClock: () => NOW_MS,
  });
}

test('a right signature passes, and one of five minutes ago', async () => {
  expect(await sent({})).toBeUndefined();
  expect(await sent({ signed: { atMs: NOW_MS - 299_000 } })).toBeUndefined();
  expect(await sent({ headers: { 'user-agent': 'not signed' } })).toBeUndefined();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test.each([
  ['another body', { body: '{"TableName":"b"}' }],
  ['another operation', { headers: { 'x-amz-target': 'DynamoDB_20120810.DeleteItem' } }],
  ['another time', { headers: { 'x-amz-date': '20261122T100001Z' } }],
  ['another host', { headers: { host: '127.0.0.1:1' } }],
  ['another secret key', { as: { ...credentials, secretAccessKey: 'other' } }],
  ['ten minutes ago', { signed: { atMs: NOW_MS - 600_000 } }],
  ['ten minutes ahead', { signed: { atMs: NOW_MS + 600_000 } }],
  ['a time that is none', { headers: { 'x-amz-date': 'now' } }],
  ['for another service', { signed: { service: 'secretsmanager' } }],
  [
    'the checksum of another body',
    {
      signed: { headers: { ...request.headers, 'X-Amz-Content-Sha256': sha256(request.body) } },
      body: '{"TableName":"b"}',
    },
  ],
])('%s: InvalidSignatureException', async (_what, changes) => {
  expect(await sent(changes)).toMatchObject({ type: 'InvalidSignatureException' });
});

test.each([
  ['another token', { as: { ...credentials, sessionToken: 'other' } }],
  ['no token', { as: { ...credentials, sessionToken: '' } }],
  ['the key of another', { as: { ...credentials, accessKeyId: 'local-b' } }],
])('%s: UnrecognizedClientException', async (_what, changes) => {
  expect(await sent(changes)).toMatchObject({ type: 'UnrecognizedClientException' });
});

test('without a signature, or with half of one: IncompleteSignatureException', async () => {
  for (const authorization of [
    '',
    'Bearer a',
    'AWS4-HMAC-SHA256 Credential=a/20261122/r/dynamodb/aws4_request',
  ])
    expect(await sent({ headers: { authorization } })).toMatchObject({
      type: 'IncompleteSignatureException',
    });
});
