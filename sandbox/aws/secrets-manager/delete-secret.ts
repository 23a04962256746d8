/** DeleteSecret: marks a secret for deletion, or removes it at once. */
import { AwsError } from '../aws-error.ts';
import type { SecretsStore } from './secrets-store.ts';

const DAY_MS = 86_400_000;

export function deleteSecret(store: SecretsStore, request: Readonly<Record<string, unknown>>): object {
  const { ForceDeleteWithoutRecovery: isForced, RecoveryWindowInDays: days = 30 } = request;
  if (isForced === true && request.RecoveryWindowInDays !== undefined) {
    throw new AwsError(
      'InvalidParameterException',
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  }
  if (!Number.isInteger(days) || Number(days) < 7 || Number(days) > 30) {
    throw new AwsError(
      'InvalidParameterException',
      'RecoveryWindowInDays value must be between 7 and 30 days (inclusive).',
    );
  }
  const secret = isForced === true ? store.find(request.SecretId) : store.findLive(request.SecretId);
  const deletedAtMs = store.now() + (isForced === true ? 0 : Number(days) * DAY_MS);
  if (isForced === true) store.remove(secret);
  else secret.deletedAtMs = deletedAtMs;
  store.persist();
  return { ARN: secret.arn, Name: secret.name, DeletionDate: deletedAtMs / 1000 };
}
