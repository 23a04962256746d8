/** The key that tombstones of erased customers are hashed with. The stack makes it once; nothing writes it again. */
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { removalPolicy } from './removal-policy.ts';

/**
 * Nothing in `generateSecretString` may ever change: CloudFormation would then generate a new value, and whoever was
 * erased in the last 35 days would be nobody's tombstone. In production it outlives the stack.
 */
export function createTombstoneKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return new Secret(scope, 'TombstoneKeySecret', {
    secretName: `${config.secretsPrefix}/tombstone-key`,
    description: 'The key that tombstones of erased customers are hashed with; never replaced',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'key',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: removalPolicy(config),
  });
}
