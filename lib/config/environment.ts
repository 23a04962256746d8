/** This file alone reads the environment. Every function reads it once, at its start, and ends on a bad value. */
import { BROWSER_ORIGIN, isBrowserOrigin, isLoopback } from './browser-origin.ts';
import { listOr, oneOf, optional, or, parseVariables, present } from './parse-variables.ts';

const isOrigin = (text: string) => /^https?:\/\/[^\s/]+(\/[^\s]*)?$/.test(text);
const ORIGIN = 'must be an http(s) address';
const isWord = (text: string) => /^[a-z][a-z0-9-]*$/.test(text);
const WORD = 'must be a lower-case word';
const isVersion = (text: string) => /^\d{4}-\d{2}$/.test(text);
const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

const READERS = {
  TABLE_NAME: present(),
  SECRETS_PREFIX: present(),
  PLATFORM_ORIGIN: or('https://{shop}', isOrigin, ORIGIN),
  PLATFORM_API_VERSION: or('2026-07', isVersion, 'must look like 2026-07'),
  GID_NAMESPACE: or('platform', isWord, WORD),
  PLATFORM_GID_NAMESPACE: or('shopify', isWord, WORD),
  PUBLIC_BASE_URL: optional(isOrigin, ORIGIN),
  ALLOWED_ORIGINS: listOr('', isBrowserOrigin, `each ${BROWSER_ORIGIN}`),
  SHOP_DOMAIN_SUFFIXES: listOr('.myshopify.com'),
  EDGE_SECRET_HASHES: listOr('', isHash, 'each must be a SHA-256 in hexadecimal'),
  GRAPHIQL: oneOf('off', 'on'),
  LOG_LEVEL: oneOf('INFO', 'DEBUG', 'WARN', 'ERROR'),
  VERSION: or('unknown', Boolean, 'must not be empty'),
  AWS_LAMBDA_FUNCTION_VERSION: or('unknown', Boolean, 'must not be empty'),
};

export type Environment = {
  readonly tableName: string;
  readonly secretsPrefix: string;
  /** `{shop}` stands for the store's domain. */
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
  /** The namespace of the global ids that clients see. */
  readonly gidNamespace: string;
  /** The namespace of the platform's own global ids. */
  readonly platformGidNamespace: string;
  readonly publicBaseUrl: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly shopDomainSuffixes: readonly string[];
  /** SHA-256 of the secrets by which requests of the edge are known; none where there is no edge. */
  readonly edgeSecretHashes: readonly string[];
  readonly graphiql: boolean;
  readonly logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** The project's own version. */
  readonly version: string;
  /** Lambda's number of what was deployed. */
  readonly functionVersion: string;
};

/**
 * The checked configuration. Throws an Error that names the variable and what it must be; the message never repeats a
 * value.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  const values = parseVariables(READERS, variables);
  if (!isAllowedOrigin(values.PLATFORM_ORIGIN)) {
    throw new Error(
      'The environment is not usable. PLATFORM_ORIGIN: plain http is for loopback addresses only.',
    );
  }
  return {
    tableName: values.TABLE_NAME,
    secretsPrefix: values.SECRETS_PREFIX,
    platformOrigin: values.PLATFORM_ORIGIN,
    platformApiVersion: values.PLATFORM_API_VERSION,
    gidNamespace: values.GID_NAMESPACE,
    platformGidNamespace: values.PLATFORM_GID_NAMESPACE,
    publicBaseUrl: values.PUBLIC_BASE_URL,
    allowedOrigins: values.ALLOWED_ORIGINS,
    shopDomainSuffixes: values.SHOP_DOMAIN_SUFFIXES,
    edgeSecretHashes: values.EDGE_SECRET_HASHES,
    graphiql: values.GRAPHIQL === 'on',
    logLevel: values.LOG_LEVEL,
    version: values.VERSION,
    functionVersion: values.AWS_LAMBDA_FUNCTION_VERSION,
  };
}

function isAllowedOrigin(text: string): boolean {
  const { protocol, hostname } = new URL(text.replaceAll('{shop}', 'shop'));
  return protocol === 'https:' || isLoopback(hostname);
}
