import {
  DeleteSecretCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { createAwsErrorConverters } from '../aws-client/aws-error-converters.ts';

const { toServiceError } = createAwsErrorConverters('Secrets Manager');

/**
 * Deletes a secret with all its versions, immediately and permanently.
 * @returns false when it does not exist
 */
export type RemoveSecret = (name: string) => Promise<boolean>;

/** Creates the deletion with the AWS SDK, for operators only. Other failures are the errors of aws-error-converters.ts. */
export function createRemoveSecret({ client }: { readonly client: SecretsManagerClient }): RemoveSecret {
  return async (name) => {
    const command = new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true });
    try {
      await client.send(command);
      return true;
    } catch (cause) {
      if (cause instanceof ResourceNotFoundException) return false;
      throw toServiceError(cause);
    }
  };
}
