/**
 * The rings of keys. The stack makes each once, as `{ "seed": "<random>" }`; from then on only the operator's
 * `token-keys rotate` writes the one of customers' tokens, and nobody the other.
 */
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { removalPolicy } from './removal-policy.ts';

/**
 * The ring of keys that the secrets of merchants' endpoints are sealed with in the table. It is another one, so that who
 * configures endpoints can make no tokens of customers.
 */
export function createWebhookKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return createRing(scope, config, {
    id: 'WebhookKeySecret',
    name: 'webhook-keys',
    description: "The ring of keys that the secrets of merchants' endpoints are sealed with",
  });
}

/** The ring of keys that sign customers' tokens. */
export function createTokenKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return createRing(scope, config, {
    id: 'TokenKeySecret',
    name: 'token-keys',
    description: "The ring of keys that sign customers' tokens; replaced only by the operator's command line",
  });
}

type Ring = { readonly id: string; readonly name: string; readonly description: string };

/**
 * Nothing in `generateSecretString` may ever change: CloudFormation would then generate a new value, and every
 * customer would be signed out, and no webhook could be signed. In production it outlives the stack.
 */
function createRing(scope: Construct, config: EnvironmentConfig, ring: Ring): Secret {
  return new Secret(scope, ring.id, {
    secretName: `${config.secretsPrefix}/${ring.name}`,
    description: ring.description,
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'seed',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: removalPolicy(config),
  });
}
