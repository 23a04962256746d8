/** The requests that the emulator of Secrets Manager rejects, like the real service. */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetRandomPasswordCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from '@jest/globals';
import { client, move, newName, stagesOf, token, withPending } from './fixture-secrets.ts';

describe('refusals', () => {
  test('rejects a secret that does not exist', async () => {
    const SecretId = newName();
    for (const command of [
      new GetSecretValueCommand({ SecretId }),
      new DescribeSecretCommand({ SecretId }),
      new PutSecretValueCommand({ SecretId, SecretString: 'x' }),
      new DeleteSecretCommand({ SecretId }),
    ]) {
      await expect(client.send(command as GetSecretValueCommand)).rejects.toThrow(ResourceNotFoundException);
    }
  });

  test('rejects a version or label that does not exist', async () => {
    const SecretId = await withPending();
    for (const selector of [{ VersionId: token('X') }, { VersionStage: 'NONE' }]) {
      const sent = client.send(new GetSecretValueCommand({ SecretId, ...selector }));
      await expect(sent).rejects.toThrow(ResourceNotFoundException);
    }
    const both = new GetSecretValueCommand({ SecretId, VersionId: token('B'), VersionStage: 'AWSCURRENT' });
    await expect(client.send(both)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidRequestException' }),
    );
  });

  test('rejects a name that is taken', async () => {
    const Name = await withPending();
    const again = new CreateSecretCommand({ Name, SecretString: 'a' });
    await expect(client.send(again)).rejects.toThrow(ResourceExistsException);
  });

  test('rejects a token that stands for another content', async () => {
    const SecretId = await withPending();
    const other = new PutSecretValueCommand({ SecretId, SecretString: 'c', ClientRequestToken: token('B') });
    await expect(client.send(other)).rejects.toThrow(ResourceExistsException);
  });

  test.each([
    ['no version', undefined],
    ['a version that does not hold the label', token('B')],
    ['a version that does not exist', token('X')],
  ])('refuses to move AWSCURRENT from %s', async (_case, from) => {
    const name = await withPending();
    await expect(move(name, token('B'), from)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
    expect(await stagesOf(name)).toEqual({ [token('A')]: ['AWSCURRENT'], [token('B')]: ['AWSPENDING'] });
  });

  test('refuses to move AWSCURRENT to a version that does not exist', async () => {
    const name = await withPending();
    await expect(move(name, token('X'), token('A'))).rejects.toThrow(ResourceNotFoundException);
  });

  test.each([
    ['a name with a space', new CreateSecretCommand({ Name: 'not good' })],
    ['a short token', new CreateSecretCommand({ Name: 'x', SecretString: 'x', ClientRequestToken: 'short' })],
    [
      'two contents',
      new CreateSecretCommand({ Name: 'x', SecretString: 'x', SecretBinary: Buffer.from('x') }),
    ],
  ])('%s', async (_case, command) => {
    await expect(client.send(command)).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidParameterException' }),
    );
  });

  test('rejects an operation that this emulator does not have', async () => {
    await expect(client.send(new GetRandomPasswordCommand({}))).rejects.toThrow(/is not an operation/);
  });
});
