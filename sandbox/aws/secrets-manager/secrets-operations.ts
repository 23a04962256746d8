/** The operations of Secrets Manager that the service and its operators use, with AWS's rules. */

import { deleteSecret } from './delete-secret.ts';
import { createSecret, putSecretValue } from './put-secret.ts';
import { describeSecret, getSecretValue, listSecrets, listSecretVersionIds } from './read-secret.ts';
import type { SecretsStore } from './secrets-store.ts';
import { updateSecretVersionStage } from './update-stage.ts';

/** Takes the request's JSON and returns the response's. @throws AwsError */
export type SecretsOperation = (store: SecretsStore, request: Readonly<Record<string, unknown>>) => object;

/** The operations by their name in the header `x-amz-target`, after `secretsmanager.`. */
export const secretsOperations: Readonly<Record<string, SecretsOperation>> = {
  CreateSecret: createSecret,
  PutSecretValue: putSecretValue,
  GetSecretValue: getSecretValue,
  UpdateSecretVersionStage: updateSecretVersionStage,
  DescribeSecret: describeSecret,
  ListSecretVersionIds: listSecretVersionIds,
  ListSecrets: listSecrets,
  DeleteSecret: deleteSecret,
};
