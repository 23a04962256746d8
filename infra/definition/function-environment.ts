/** The environment variables of a function, as lib/config/environment.ts reads them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentConfig } from './environment-schema.ts';
import type { FunctionDefinition } from './function-definitions.ts';

/** The part of an environment that the functions receive; the local stack has these values too. */
type FunctionConfig = Pick<
  EnvironmentConfig,
  | 'allowedOrigins'
  | 'edge'
  | 'gidNamespace'
  | 'logLevel'
  | 'platformApiVersion'
  | 'platformGidNamespace'
  | 'platformOrigin'
  | 'production'
  | 'secretsPrefix'
  | 'shopDomainSuffixes'
>;

export type FunctionEnvironmentInput = {
  readonly config: FunctionConfig;
  readonly definition: FunctionDefinition;
  readonly tableName: string;
  /** The service's address, without a slash at its end. */
  readonly baseUrl: string;
};

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string;
};

/**
 * Returns every variable, also those with default values, so that the template shows the function's complete settings.
 */
export function createFunctionEnvironment(input: FunctionEnvironmentInput): Record<string, string> {
  const { config, definition } = input;
  return {
    TABLE_NAME: input.tableName,
    SECRETS_PREFIX: config.secretsPrefix,
    PLATFORM_ORIGIN: config.platformOrigin,
    PLATFORM_API_VERSION: config.platformApiVersion,
    GID_NAMESPACE: config.gidNamespace,
    PLATFORM_GID_NAMESPACE: config.platformGidNamespace,
    ALLOWED_ORIGINS: config.allowedOrigins.join(','),
    SHOP_DOMAIN_SUFFIXES: config.shopDomainSuffixes.join(','),
    LOG_LEVEL: config.logLevel,
    VERSION: version,
    ...(config.edge && { EDGE_SECRET_HASHES: Object.values(config.edge.secret.sha256).join(',') }),
    ...(definition.hasPages && {
      PUBLIC_BASE_URL: input.baseUrl,
      GRAPHIQL: config.production ? 'off' : 'on',
    }),
  };
}
