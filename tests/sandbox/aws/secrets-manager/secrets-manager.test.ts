/** The emulator of Secrets Manager, through the real client. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from '@jest/globals';
import { emulatorClientSettings } from '../../../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { client, move, newName, now, stagesOf, token, withPending } from './fixture-secrets.ts';

describe('versions', () => {
  test('a new version is current, the one before is previous', async () => {
    const SecretId = await withPending();
    await client.send(
      new PutSecretValueCommand({ SecretId, SecretString: 'c', ClientRequestToken: token('C') }),
    );
    expect(await stagesOf(SecretId)).toEqual({
      [token('A')]: ['AWSPREVIOUS'],
      [token('B')]: ['AWSPENDING'],
      [token('C')]: ['AWSCURRENT'],
    });
    expect(await client.send(new GetSecretValueCommand({ SecretId }))).toMatchObject({
      Name: SecretId,
      SecretString: 'c',
      VersionId: token('C'),
      VersionStages: ['AWSCURRENT'],
      CreatedDate: new Date(now()),
    });
  });

  test('the first version is current, whatever its labels', async () => {
    const Name = newName();
    await client.send(new CreateSecretCommand({ Name }));
    const put = await client.send(
      new PutSecretValueCommand({ SecretId: Name, SecretString: 'a', VersionStages: ['AWSPENDING'] }),
    );
    expect(put.VersionStages?.sort()).toEqual(['AWSCURRENT', 'AWSPENDING']);
  });

  test('AWSCURRENT moves from the version that is named', async () => {
    const name = await withPending();
    await move(name, token('B'), token('A'));
    expect(await stagesOf(name)).toEqual({
      [token('A')]: ['AWSPREVIOUS'],
      [token('B')]: ['AWSPENDING', 'AWSCURRENT'],
    });
    await expect(move(name, token('B'), token('A'))).rejects.toThrow(/not attached/);
  });

  test('a pending version that is overtaken can still be read by its id', async () => {
    const SecretId = await withPending();
    await client.send(
      new PutSecretValueCommand({ SecretId, SecretString: 'c', VersionStages: ['AWSPENDING'] }),
    );
    const read = await client.send(new GetSecretValueCommand({ SecretId, VersionId: token('B') }));
    expect(read.SecretString).toBe('b');
    const listed = await client.send(new ListSecretVersionIdsCommand({ SecretId, IncludeDeprecated: true }));
    expect(listed.Versions).toHaveLength(3);
    expect((await client.send(new ListSecretVersionIdsCommand({ SecretId }))).Versions).toHaveLength(2);
  });

  test('repeating a request with its token changes nothing', async () => {
    const Name = newName();
    const create = { Name, SecretString: 'a', ClientRequestToken: token('A') };
    const first = await client.send(new CreateSecretCommand(create));
    expect((await client.send(new CreateSecretCommand(create))).ARN).toBe(first.ARN);
    const put = { SecretId: Name, SecretString: 'b', ClientRequestToken: token('B') };
    await client.send(new PutSecretValueCommand(put));
    await client.send(
      new PutSecretValueCommand({ ...put, SecretString: 'c', ClientRequestToken: token('C') }),
    );
    await client.send(new PutSecretValueCommand(put));
    expect((await client.send(new GetSecretValueCommand({ SecretId: Name }))).SecretString).toBe('c');
  });

  test('returns binary content', async () => {
    const Name = newName();
    await client.send(new CreateSecretCommand({ Name, SecretBinary: Buffer.from([0, 255]) }));
    const read = await client.send(new GetSecretValueCommand({ SecretId: Name }));
    expect([...(read.SecretBinary ?? [])]).toEqual([0, 255]);
  });
});

test('a secret is found by its ARN too', async () => {
  const Name = newName();
  const { ARN } = await client.send(new CreateSecretCommand({ Name, SecretString: 'a' }));
  const read = await client.send(new GetSecretValueCommand({ SecretId: ARN }));
  expect(read.Name).toBe(Name);
});

test('the list is filtered by the beginning of the name, in pages', async () => {
  const prefix = `${newName()}/list`;
  for (const end of ['b', 'a', 'c']) {
    await client.send(new CreateSecretCommand({ Name: `${prefix}/${end}`, SecretString: 'x' }));
  }
  const Filters = [{ Key: 'name' as const, Values: [prefix] }];
  const first = await client.send(new ListSecretsCommand({ Filters, MaxResults: 2 }));
  expect(first.SecretList?.map(({ Name }) => Name)).toEqual([`${prefix}/a`, `${prefix}/b`]);
  const second = await client.send(new ListSecretsCommand({ Filters, NextToken: first.NextToken }));
  expect(second.SecretList?.map(({ Name }) => Name)).toEqual([`${prefix}/c`]);
  expect(second.NextToken).toBeUndefined();
});

describe('deleting', () => {
  test('without recovery the name is free at once', async () => {
    const Name = await withPending();
    await client.send(new DeleteSecretCommand({ SecretId: Name, ForceDeleteWithoutRecovery: true }));
    await expect(client.send(new GetSecretValueCommand({ SecretId: Name }))).rejects.toThrow(
      ResourceNotFoundException,
    );
    await client.send(new CreateSecretCommand({ Name, SecretString: 'new' }));
  });

  test('with recovery it is only marked, and its name stays taken', async () => {
    const Name = await withPending();
    await client.send(new DeleteSecretCommand({ SecretId: Name }));
    for (const command of [
      new GetSecretValueCommand({ SecretId: Name }),
      new CreateSecretCommand({ Name, SecretString: 'new' }),
    ]) {
      await expect(client.send(command as GetSecretValueCommand)).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidRequestException' }),
      );
    }
  });
});

test('a file keeps the secrets', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
  const path = join(dir, 'secrets.json');
  const first = await startSecretsManagerEmulator({ path, now });
  const Name = newName();
  const stored = new SecretsManagerClient(emulatorClientSettings(first.url));
  await stored.send(new CreateSecretCommand({ Name, SecretString: 'kept' }));
  await first.close();
  const second = await startSecretsManagerEmulator({ path, now });
  const again = new SecretsManagerClient(emulatorClientSettings(second.url));
  expect((await again.send(new GetSecretValueCommand({ SecretId: Name }))).SecretString).toBe('kept');
  for (const one of [stored, again]) one.destroy();
  await second.close();
  rmSync(dir, { recursive: true });
});
