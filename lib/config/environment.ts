/**
 * Reads and validates the environment variables. No other file reads them, except for the AWS client, the smoke test
 * and the trace id, in this folder. Each function reads them once at its start, and exits when a value is invalid.
 */
import * as z from 'zod/mini';
import { BROWSER_ORIGIN_RULE, isBrowserOrigin, isLoopbackHost } from './browser-origin.ts';
import { parseEnvironmentVariables } from './parse-environment-variables.ts';

const createListSchema = (defaultText: string) =>
  z.pipe(
    z._default(z.string(), defaultText),
    z.transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    ),
  );
const httpAddressSchema = z
  .string()
  .check(z.regex(/^https?:\/\/[^\s/]+(\/[^\s]*)?$/, 'must be an http(s) address'));
const lowerCaseWordSchema = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/, 'must be a lower-case word'));
const requiredTextSchema = z.string('is missing').check(z.minLength(1, 'must not be empty'));

const environmentSchema = z.object({
  TABLE_NAME: requiredTextSchema,
  SECRETS_PREFIX: requiredTextSchema,
  PLATFORM_ORIGIN: z._default(httpAddressSchema, 'https://{shop}'),
  PLATFORM_API_VERSION: z._default(
    z.string().check(z.regex(/^\d{4}-\d{2}$/, 'must look like 2026-07')),
    '2026-07',
  ),
  GID_NAMESPACE: z._default(lowerCaseWordSchema, 'platform'),
  PLATFORM_GID_NAMESPACE: z._default(lowerCaseWordSchema, 'shopify'),
  PUBLIC_BASE_URL: z.optional(httpAddressSchema),
  ALLOWED_ORIGINS: createListSchema('').check(
    z.refine((origins) => origins.every(isBrowserOrigin), `each ${BROWSER_ORIGIN_RULE}`),
  ),
  SHOP_DOMAIN_SUFFIXES: createListSchema('.myshopify.com'),
  EDGE_SECRET_HASHES: createListSchema('').check(
    z.refine(
      (hashes) => hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)),
      'each must be a SHA-256 in hexadecimal',
    ),
  ),
  GRAPHIQL: z._default(z.enum(['on', 'off'], 'must be one of on, off'), 'off'),
  LOG_LEVEL: z._default(
    z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR'], 'must be one of DEBUG, INFO, WARN, ERROR'),
    'INFO',
  ),
  VERSION: z._default(requiredTextSchema, 'unknown'),
});

export type Environment = {
  readonly tableName: string;
  readonly secretsPrefix: string;
  /** The platform's address. `{shop}` is replaced by the store's domain. */
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
  /** The namespace of the global ids that clients see (`gid://{namespace}/…`). */
  readonly gidNamespace: string;
  /** The namespace of the platform's own global ids. */
  readonly platformGidNamespace: string;
  readonly publicBaseUrl: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly shopDomainSuffixes: readonly string[];
  /**
   * SHA-256 hashes (hexadecimal) of the secrets by which a request proves that it came through the edge. Empty without
   * an edge.
   */
  readonly edgeSecretHashes: readonly string[];
  readonly graphiql: boolean;
  readonly logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** The release of this project. */
  readonly version: string;
};

/**
 * Returns the validated configuration.
 * @throws Error that names the variable and its required form, but never contains a value
 */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const parsedVariables = parseEnvironmentVariables(environmentSchema, variables);
  if (!isAllowedPlatformOrigin(parsedVariables.PLATFORM_ORIGIN)) {
    throw new Error(
      'The environment is not usable. PLATFORM_ORIGIN: plain http is for loopback addresses only.',
    );
  }
  return {
    tableName: parsedVariables.TABLE_NAME,
    secretsPrefix: parsedVariables.SECRETS_PREFIX,
    platformOrigin: parsedVariables.PLATFORM_ORIGIN,
    platformApiVersion: parsedVariables.PLATFORM_API_VERSION,
    gidNamespace: parsedVariables.GID_NAMESPACE,
    platformGidNamespace: parsedVariables.PLATFORM_GID_NAMESPACE,
    publicBaseUrl: parsedVariables.PUBLIC_BASE_URL,
    allowedOrigins: parsedVariables.ALLOWED_ORIGINS,
    shopDomainSuffixes: parsedVariables.SHOP_DOMAIN_SUFFIXES,
    edgeSecretHashes: parsedVariables.EDGE_SECRET_HASHES,
    graphiql: parsedVariables.GRAPHIQL === 'on',
    logLevel: parsedVariables.LOG_LEVEL,
    version: parsedVariables.VERSION,
  };
}

function isAllowedPlatformOrigin(text: string): boolean {
  const { protocol, hostname } = new URL(text.replaceAll('{shop}', 'shop'));
  return protocol === 'https:' || isLoopbackHost(hostname);
}
