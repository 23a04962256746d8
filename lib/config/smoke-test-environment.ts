/**
 * The environment of the smoke test. It differs from that of the service's functions: it has no table, but the versions
 * of functions to check.
 */
import * as z from 'zod/mini';
import { parseVariables } from './parse-variables.ts';

const present = z.string('is missing').check(z.minLength(1, 'must not be empty'));
const VERSION = /^arn:[\w-]+:lambda:[\w-]+:\d{12}:function:([\w-]+):(\d+)$/;
const version = present.check(z.regex(VERSION, 'must be the ARN of a version'));

const schema = z.object({
  SECRETS_PREFIX: present,
  SHOP_DOMAIN_SUFFIX: present,
  HEADLESS_AUTH_VERSION: version,
  CUSTOMER_GRAPHQL_VERSION: version,
  ADMIN_GRAPHQL_VERSION: version,
  PLATFORM_WEBHOOKS_VERSION: version,
  /** Set if there is an edge: the region of the secret that the edge sends, and the field of the secret. */
  EDGE_SECRET_REGION: z._default(z.string(), ''),
  EDGE_SECRET_FIELD: z._default(z.string(), ''),
});

/**
 * Returns the validated values.
 * @throws Error that names the variable and its required form, but never contains a value
 */
export function readSmokeTestEnvironment(variables: NodeJS.ProcessEnv = process.env) {
  const values = parseVariables(schema, variables);
  return {
    secretsPrefix: values.SECRETS_PREFIX,
    shopDomainSuffix: values.SHOP_DOMAIN_SUFFIX,
    /** Undefined when there is no edge. */
    edgeSecretPlace: values.EDGE_SECRET_FIELD
      ? { region: values.EDGE_SECRET_REGION, field: values.EDGE_SECRET_FIELD }
      : undefined,
    versions: {
      'headless-auth': versionOf(values.HEADLESS_AUTH_VERSION),
      'customer-graphql': versionOf(values.CUSTOMER_GRAPHQL_VERSION),
      'admin-graphql': versionOf(values.ADMIN_GRAPHQL_VERSION),
      'platform-webhooks': versionOf(values.PLATFORM_WEBHOOKS_VERSION),
    },
  };
}

function versionOf(arn: string): { readonly functionName: string; readonly qualifier: string } {
  const [, functionName = '', qualifier = ''] = VERSION.exec(arn) ?? [];
  return { functionName, qualifier };
}
