/**
 * The ring of keys that sign customers' tokens. The stack makes it once, as `{ "seed": "<random>" }`; from
 * then on only the operator's `token-keys rotate` writes it.
 */
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { removalPolicy } from './removal-policy.ts';

/**
 * Nothing in `generateSecretString` may ever change: CloudFormation would then generate a new value, and every
 * customer would be signed out. In production it outlives the stack.
 */
export function createTokenKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return new Secret(scope, 'TokenKeySecret', {
    secretName: `${config.secretsPrefix}/token-keys`,
    description: "The ring of keys that sign customers' tokens; replaced only by the operator's command line",
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'seed',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: removalPolicy(config),
  });
}
