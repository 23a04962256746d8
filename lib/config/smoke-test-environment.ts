/**
 * The environment of the smoke test. It differs from that of the service's functions: it has no table, but the versions
 * of functions to check.
 */
import * as z from 'zod/mini';
import { parseEnvironmentVariables } from './parse-environment-variables.ts';

const requiredTextSchema = z.string('is missing').check(z.minLength(1, 'must not be empty'));
const VERSION_ARN_PATTERN = /^arn:[\w-]+:lambda:[\w-]+:\d{12}:function:([\w-]+):(\d+)$/;
const versionArnSchema = requiredTextSchema.check(
  z.regex(VERSION_ARN_PATTERN, 'must be the ARN of a version'),
);

const environmentSchema = z.object({
  SECRETS_PREFIX: requiredTextSchema,
  SHOP_DOMAIN_SUFFIX: requiredTextSchema,
  HEADLESS_AUTH_VERSION: versionArnSchema,
  CUSTOMER_GRAPHQL_VERSION: versionArnSchema,
  ADMIN_GRAPHQL_VERSION: versionArnSchema,
  PLATFORM_WEBHOOKS_VERSION: versionArnSchema,
  /** Set if there is an edge: the region of the secret that the edge sends, and the field of the secret. */
  EDGE_SECRET_REGION: z._default(z.string(), ''),
  EDGE_SECRET_FIELD: z._default(z.string(), ''),
});

/**
 * Returns the validated values.
 * @throws Error that names the variable and its required form, but never contains a value
 */
export function readSmokeTestEnvironment(variables: NodeJS.ProcessEnv = process.env) {
  const parsedVariables = parseEnvironmentVariables(environmentSchema, variables);
  return {
    secretsPrefix: parsedVariables.SECRETS_PREFIX,
    shopDomainSuffix: parsedVariables.SHOP_DOMAIN_SUFFIX,
    /** Undefined when there is no edge. */
    edgeSecretLocation: parsedVariables.EDGE_SECRET_FIELD
      ? { region: parsedVariables.EDGE_SECRET_REGION, field: parsedVariables.EDGE_SECRET_FIELD }
      : undefined,
    versions: {
      'headless-auth': parseVersionArn(parsedVariables.HEADLESS_AUTH_VERSION),
      'customer-graphql': parseVersionArn(parsedVariables.CUSTOMER_GRAPHQL_VERSION),
      'admin-graphql': parseVersionArn(parsedVariables.ADMIN_GRAPHQL_VERSION),
      'platform-webhooks': parseVersionArn(parsedVariables.PLATFORM_WEBHOOKS_VERSION),
    },
  };
}

function parseVersionArn(arn: string): { readonly functionName: string; readonly qualifier: string } {
  const [, functionName = '', qualifier = ''] = VERSION_ARN_PATTERN.exec(arn) ?? [];
  return { functionName, qualifier };
}
