/**
 * The emulator of Secrets Manager without its protocol: one request is one call. For tests with very many requests;
 * tests/lib/stores/lifecycle/store-lifecycle.test.ts runs the same worlds over the wire.
 */
import {
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { AwsError } from '../sandbox/aws/aws-error.ts';
import { secretsOperations } from '../sandbox/aws/secrets-manager/secrets-operations.ts';
import { createSecretsStore } from '../sandbox/aws/secrets-manager/secrets-store.ts';

type Command = { readonly input: object };

/** Emulates the `send` of the SDK's client with secrets in memory. Rejects with the SDK's errors. */
export function createMemorySecrets({ now }: { readonly now: () => number }): SecretsManagerClient {
  const store = createSecretsStore({ path: undefined, now });
  const send = async (command: Command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    const operation = secretsOperations[name];
    if (operation === undefined) throw new Error(`${name} is not an operation of the stand-in.`);
    try {
      return copy(operation(store, copy(command.input)));
    } catch (error) {
      throw error instanceof AwsError ? asSdkError(error) : error;
    }
  };
  return { send, destroy: () => undefined } as unknown as SecretsManagerClient;
}

function copy<Value extends object>(value: Value): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

function asSdkError({ type, message }: AwsError): Error {
  const facts = { message, $metadata: { httpStatusCode: 400 } };
  if (type === 'ResourceNotFoundException') return new ResourceNotFoundException(facts);
  if (type === 'ResourceExistsException') return new ResourceExistsException(facts);
  return Object.assign(new Error(message), { name: type, ...facts });
}
