/** A request that AWS would refuse for its signature is refused here, by its name there. */
import { expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { createRequestSigner } from '../../../lib/storage/aws-client/sign-request.ts';
import { deriveCredentials } from '../../../sandbox/aws/credentials.ts';
import { Sha256 } from '../../../sandbox/aws/sha-256.ts';
import { findSignatureError } from '../../../sandbox/aws/verify-signature.ts';
import { anyText } from '../../any-text.ts';
import { propertyRuns } from '../../full-size.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 10);
const credentials = deriveCredentials('local-a');
type Signer = typeof createRequestSigner;
const request: Parameters<Signer>[0] & Parameters<ReturnType<Signer>>[0] = {
  host: '127.0.0.1:4567',
  region: 'us-east-1',
  service: 'dynamodb',
  contentType: 'application/x-amz-json-1.0',
  credentials: () => credentials,
  target: 'DynamoDB_20120810.GetItem',
  body: '{"TableName":"ä"}',
  signedAtMs: NOW_MS,
};

/** The refusal of what was signed and changed on the way. */
async function sent(changes: {
  readonly signed?: Partial<typeof request>;
  readonly as?: typeof credentials;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly awsClock?: () => number;
}) {
  const unsigned = { ...request, ...changes.signed };
  const sign = createRequestSigner({ ...unsigned, credentials: () => changes.as ?? credentials });
  const signed = Object.entries(sign(unsigned));
  const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), `${value}`]));
  return findSignatureError({
    service: 'dynamodb',
    headers: { ...headers, ...changes.headers },
    body: Buffer.from(changes.body ?? unsigned.body),
    awsClock: changes.awsClock ?? (() => NOW_MS),
  });
}

test('a right signature passes, and one of five minutes ago', async () => {
  expect(await sent({})).toBeUndefined();
  expect(await sent({ signed: { signedAtMs: NOW_MS - 299_000 } })).toBeUndefined();
  expect(await sent({ headers: { 'user-agent': 'not signed' } })).toBeUndefined();
});

test.each([
  ['another body', { body: '{"TableName":"b"}' }],
  ['another operation', { headers: { 'x-amz-target': 'DynamoDB_20120810.DeleteItem' } }],
  ['another time', { headers: { 'x-amz-date': '20261122T100001Z' } }],
  ['another host', { headers: { host: '127.0.0.1:1' } }],
  ['another secret key', { as: { ...credentials, secretAccessKey: 'other' } }],
  ['ten minutes ago', { signed: { signedAtMs: NOW_MS - 600_000 } }],
  ['ten minutes ahead', { signed: { signedAtMs: NOW_MS + 600_000 } }],
  ['a time that is none', { headers: { 'x-amz-date': 'now' } }],
  ['for another service', { signed: { service: 'secretsmanager' } }],
])('returns InvalidSignatureException for %s', async (_what, changes) => {
  expect(await sent(changes)).toMatchObject({ type: 'InvalidSignatureException' });
});

test('the checksum of another body, though it is signed: InvalidSignatureException', async () => {
  const identity = { ...credentials, sessionToken: `${credentials.sessionToken}` };
  const signer = new SignatureV4({ ...request, credentials: identity, sha256: Sha256 });
  const { body, host } = request;
  const target = `${request.target}`;
  const unsigned = { method: 'POST', protocol: 'http:', hostname: '', path: '/', body };
  const { headers } = await signer.sign(
    { ...unsigned, headers: { host, 'x-amz-target': target } },
    { signingDate: new Date(NOW_MS) },
  );
  const requested = { service: 'dynamodb', headers, awsClock: () => NOW_MS } as const;
  expect(await findSignatureError({ ...requested, body: Buffer.from(body) })).toBeUndefined();
  const other = await findSignatureError({ ...requested, body: Buffer.from('{"TableName":"b"}') });
  expect(other).toMatchObject({ type: 'InvalidSignatureException' });
});

/** What AWS's library signs for a request that was signed at the time. */
async function signedByAws(unsigned: typeof request): Promise<string | undefined> {
  const { Authorization: _own, ...headers } = createRequestSigner(unsigned)(unsigned);
  const identity = { ...credentials, sessionToken: `${credentials.sessionToken}` };
  const signer = new SignatureV4({
    ...unsigned,
    credentials: identity,
    sha256: Sha256,
    applyChecksum: false,
  });
  const sending = {
    method: 'POST',
    protocol: 'http:',
    hostname: '',
    path: '/',
    headers,
    body: unsigned.body,
  };
  const signed = await signer.sign(sending, {
    signingDate: new Date(unsigned.signedAtMs),
    unsignableHeaders: new Set(['content-length']),
  });
  return signed.headers.authorization;
}

test('whatever is signed, and whenever, is signed as AWS signs it, and verified as it verifies', async () => {
  const signed = fc.record({
    target: fc.stringMatching(/^[\w.]{1,30}$/),
    body: anyText(),
    host: fc.stringMatching(/^[a-z0-9.-]{1,40}(:[1-9]\d{1,4})?$/),
    region: fc.constantFrom('us-east-1', 'eu-central-1', 'cn-north-1'),
  });
  const property = fc.asyncProperty(signed, fc.nat({ max: 10 ** 12 }), async (changes, atMs) => {
    const unsigned = { ...request, ...changes, signedAtMs: atMs };
    expect(createRequestSigner(unsigned)(unsigned).Authorization).toBe(await signedByAws(unsigned));
    expect(await sent({ signed: unsigned, awsClock: () => atMs })).toBeUndefined();
  });
  await fc.assert(property, propertyRuns(1_000));
});

test('a signer signs on beyond midnight, UTC', async () => {
  const sign = createRequestSigner(request);
  for (const atMs of [0, 1].map((daysLater) => NOW_MS + daysLater * 86_400_000)) {
    const signed = Object.entries(sign({ ...request, signedAtMs: atMs }));
    const headers = Object.fromEntries(signed.map(([name, value]) => [name.toLowerCase(), value]));
    const body = Buffer.from(request.body);
    expect(
      await findSignatureError({ service: 'dynamodb', headers, body, awsClock: () => atMs }),
    ).toBeUndefined();
  }
});

test("signs the path and the query of a function's version as AWS does", async () => {
  const lambda = { ...request, service: 'lambda', contentType: 'application/json' };
  const path = `/2015-03-31/functions/${encodeURIComponent('arn:aws:lambda:r:1:function:a-b_c')}/invocations`;
  const { target: _target, ...unsigned } = { ...lambda, path, query: 'Qualifier=%24LATEST' };
  const { Authorization: given, ...headers } = createRequestSigner(lambda)(unsigned);
  const identity = { ...credentials, sessionToken: `${credentials.sessionToken}` };
  const signer = new SignatureV4({ ...lambda, credentials: identity, sha256: Sha256, applyChecksum: false });
  const { body } = request;
  const again = await signer.sign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: '',
      path,
      query: { Qualifier: '$LATEST' },
      headers,
      body,
    },
    {
      signingDate: new Date(NOW_MS),
      signableHeaders: new Set(['content-type', 'host', 'x-amz-date', 'x-amz-security-token']),
      unsignableHeaders: new Set(['content-length']),
    },
  );
  expect(again.headers.authorization).toBe(given);
});

test.each([
  ['another token', { as: { ...credentials, sessionToken: 'other' } }],
  ['no token', { as: { ...credentials, sessionToken: '' } }],
  ['the key of another', { as: { ...credentials, accessKeyId: 'local-b' } }],
])('returns UnrecognizedClientException for %s', async (_what, changes) => {
  expect(await sent(changes)).toMatchObject({ type: 'UnrecognizedClientException' });
});

test('returns IncompleteSignatureException without a signature, or with half of one', async () => {
  for (const authorization of [
    '',
    'Bearer a',
    'AWS4-HMAC-SHA256 Credential=a/20261122/r/dynamodb/aws4_request',
  ])
    expect(await sent({ headers: { authorization } })).toMatchObject({
      type: 'IncompleteSignatureException',
    });
});
