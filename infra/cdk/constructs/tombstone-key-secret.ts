/** The key that hashes the tombstones of erased customers. The stack creates it once; nothing writes it again. */
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/**
 * Never change `generateSecretString`: CloudFormation would generate a new value, and the tombstones of the last 35
 * days would match no customer. In production the key outlives the stack.
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
    removalPolicy: chooseRemovalPolicy(config),
  });
}
