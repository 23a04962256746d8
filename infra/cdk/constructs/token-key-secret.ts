/**
 * The key rings. The stack creates each once, as `{ "seed": "<random>" }`. After that, only the operator's `token-keys
 * rotate` writes the ring of customers' tokens, and nothing writes the other ring.
 */
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { EnvironmentConfig } from '../../definition/environment-schema.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/**
 * Creates the key ring that seals the secrets of merchants' endpoints in the table. It is separate, so that a function
 * which configures endpoints cannot sign customers' tokens.
 */
export function createWebhookKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return createKeyRingSecret(scope, config, {
    id: 'WebhookKeySecret',
    name: 'webhook-keys',
    description: "The ring of keys that the secrets of merchants' endpoints are sealed with",
  });
}

/** Creates the key ring that signs customers' tokens. */
export function createTokenKeySecret(scope: Construct, config: EnvironmentConfig): Secret {
  return createKeyRingSecret(scope, config, {
    id: 'TokenKeySecret',
    name: 'token-keys',
    description: "The ring of keys that sign customers' tokens; replaced only by the operator's command line",
  });
}

type KeyRingSecret = { readonly id: string; readonly name: string; readonly description: string };

/**
 * Never change `generateSecretString`: CloudFormation would generate a new value, which signs out every customer and
 * makes every webhook's secret unreadable. In production the ring outlives the stack.
 */
function createKeyRingSecret(scope: Construct, config: EnvironmentConfig, ring: KeyRingSecret): Secret {
  return new Secret(scope, ring.id, {
    secretName: `${config.secretsPrefix}/${ring.name}`,
    description: ring.description,
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'seed',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: chooseRemovalPolicy(config),
  });
}
