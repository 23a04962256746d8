/** A request that AWS rejects as invalid or unauthorized is an internal error; a missing response is an outage. */
import { inspect } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from '@jest/globals';
import { createSdkSecretsClient } from '../../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../../lib/storage/sdk-client/sdk-table.ts';
import { createTableScan } from '../../../../lib/storage/sdk-client/table-scan.ts';

/** As the SDK throws them: by name, and whose fault it is. */
function failure(name: string, fault?: 'client' | 'server', httpStatusCode?: number): Error {
  return Object.assign(new Error(name), { name, $fault: fault, $metadata: { httpStatusCode } });
}

const OWN_ERRORS = [
  'ValidationException',
  'SerializationException',
  'AccessDeniedException',
  'InvalidParameterException',
];
const OUTAGES: readonly Error[] = [
  failure('InternalServerError', 'server', 500),
  failure('ServiceUnavailable', 'server', 503),
  failure('ThrottlingException', 'client', 400),
  failure('ProvisionedThroughputExceededException', 'client', 400),
  failure('RequestLimitExceeded', 'client', 400),
  failure('LimitExceededException', 'client', 400),
  failure('ExpiredTokenException', 'client', 400),
  failure('CredentialsProviderError'),
  failure('TimeoutError'),
  new Error('socket hang up'),
];

const key = { pk: 'a', sk: 'b' };
/** Every call, over clients that all fail with `error`. */
function calls(error: Error): Record<string, () => Promise<unknown>> {
  const client = { send: async () => Promise.reject(error) };
  const table = createSdkTableClient({ client: client as unknown as DynamoDBClient, tableName: 't' });
  const secrets = createSdkSecretsClient({ client: client as unknown as SecretsManagerClient });
  const scan = createTableScan({ client: client as unknown as DynamoDBClient, tableName: 't' });
  return {
    get: () => table.get(key),
    batchGet: () => table.batchGet([key]),
    put: () => table.put(key),
    update: () => table.update({ key, update: 'SET a = b' }),
    delete: () => table.delete(key),
    query: () => table.query({ keyCondition: 'pk = :pk' }),
    scan: () => scan({ filter: 'sk = :a' }),
    read: () => secrets.read('name'),
    labels: () => secrets.versionIdByLabel('name'),
    addPending: () => secrets.addPending('name', {}),
  };
}

/** AWS's error for a wrong signature, with the text that should have been signed. */
const CANONICAL =
  "The Canonical String for this request should have been\n'POST\n/\n\nx-amz-security-token:IQoJb3JpZ2luX2VjEXAMPLE\n'";

test('logs nothing that AWS quotes of the signed headers: the session token is among them', async () => {
  const refusal = Object.assign(failure('InvalidSignatureException', 'client', 400), { message: CANONICAL });
  for (const call of Object.values(calls(refusal))) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
    expect(inspect(error, { depth: null })).not.toContain('IQoJb3JpZ2luX2VjEXAMPLE');
  }
});

test('reports an unknown refusal as an internal error, with the id that AWS gave it', async () => {
  const refusal = Object.assign(failure('SomethingNewException'), {
    $metadata: { httpStatusCode: 400, requestId: 'ABC123' },
  });
  for (const call of Object.values(calls(refusal)))
    await expect(call()).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      internal: expect.stringMatching(/: SomethingNewException \(AWS request ABC123\)$/),
    });
});

describe.each(Object.keys(calls(new Error())))('%s', (name) => {
  const ask = (error: Error) => calls(error)[name]?.();

  test.each(OWN_ERRORS)('%s: the request was wrong', async (error) => {
    await expect(ask(failure(error, 'client', 400))).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      cause: expect.objectContaining({ name: error }),
    });
  });

  test.each(OUTAGES)('reports an outage for %s', async (error) => {
    await expect(ask(error)).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
  });
});
