/**
 * The values that differ between environments, checked before anything is synthesised. The stack and its constructs
 * read only the checked form.
 */
import { describeIssue } from './describe-issue.ts';
import { type ConfigProblem, findBrokenRules } from './environment-rules.ts';
import { type EnvironmentConfig, environmentSchema } from './environment-schema.ts';

/** An operator's mistake. The message says what to do; it is printed without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * `reservedConcurrency` for an account with a small limit: all functions share the account's instances.
 * @internal Operators write it into `ENVIRONMENTS`; tests synthesise it.
 */
export const noReservedConcurrency = {};

/** Returns the address that clients use, if the configuration has one. */
export function findPublicBaseUrl({
  domain,
  edge,
}: Pick<EnvironmentConfig, 'domain' | 'edge'>): string | undefined {
  const { name } = edge?.viewer ?? domain ?? {};
  return name && `https://${name}`;
}

export type NamedEnvironment = { readonly name: string; readonly config: EnvironmentConfig };

const sharedConfig = {
  platformOrigin: 'https://{shop}',
  platformApiVersion: '2026-07',
  gidNamespace: 'platform',
  platformGidNamespace: 'shopify',
  shopDomainSuffixes: ['.myshopify.com'],
  allowedOrigins: [],
  accountConcurrency: 1000,
  accountThrottling: { ratePerSecond: 2500, burst: 1250 },
  alarmEmails: { page: [], ticket: [] },
};

const nonProductionConfig = {
  ...sharedConfig,
  production: false,
  throttling: {
    'sign-in': { ratePerSecond: 25, burst: 50 },
    refresh: { ratePerSecond: 50, burst: 100 },
    revoke: { ratePerSecond: 25, burst: 50 },
    'storefront-token': { ratePerSecond: 25, burst: 50 },
    'customer-graphql': { ratePerSecond: 100, burst: 200 },
    'admin-graphql': { ratePerSecond: 50, burst: 100 },
    'platform-webhooks': { ratePerSecond: 50, burst: 100 },
    health: { ratePerSecond: 25, burst: 50 },
    // Each request returns 0.6 MB that is not cached, and needs no credential.
    graphiql: { ratePerSecond: 1, burst: 10 },
    other: { ratePerSecond: 25, burst: 50 },
  },
  reservedConcurrency: noReservedConcurrency,
};

/** The environments that can be deployed. */
export const ENVIRONMENTS: Readonly<Record<string, unknown>> = {
  dev: {
    ...nonProductionConfig,
    secretsPrefix: 'subscriptions/dev',
    tableName: 'subscriptions-dev',
    logLevel: 'DEBUG',
    logRetentionDays: { functions: 7, access: 7, operators: 30 },
  },
  staging: {
    ...nonProductionConfig,
    secretsPrefix: 'subscriptions/staging',
    tableName: 'subscriptions-staging',
    logLevel: 'INFO',
    logRetentionDays: { functions: 30, access: 30, operators: 90 },
  },
  prod: {
    ...sharedConfig,
    production: true,
    secretsPrefix: 'subscriptions/prod',
    tableName: 'subscriptions-prod',
    // Placeholders that the operator replaces: the names resolve to nothing, and no secret has such a hash.
    edge: {
      viewer: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/0' },
      origin: {
        ...{ name: 'origin.api.example.com' },
        certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/0',
      },
      secret: { sends: 'a', sha256: { a: '0'.repeat(64), b: '0'.repeat(64) } },
    },
    // The charges of one minute write more than a new table accepts (docs/growth.md).
    warmThroughput: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 8000 },
    logLevel: 'INFO',
    logRetentionDays: { functions: 90, access: 30, operators: 400 },
    throttling: {
      'sign-in': { ratePerSecond: 300, burst: 300 },
      refresh: { ratePerSecond: 1000, burst: 1000 },
      revoke: { ratePerSecond: 300, burst: 300 },
      'storefront-token': { ratePerSecond: 300, burst: 300 },
      'customer-graphql': { ratePerSecond: 2000, burst: 1250 },
      'admin-graphql': { ratePerSecond: 1500, burst: 1250 },
      // The nightly charges of all stores arrive together, and a flood from one store must leave capacity for the
      // others.
      'platform-webhooks': { ratePerSecond: 1000, burst: 1000 },
      health: { ratePerSecond: 100, burst: 100 },
      // For the local gateway only: the page does not exist in production.
      graphiql: { ratePerSecond: 1, burst: 10 },
      other: { ratePerSecond: 250, burst: 250 },
    },
    // Merchants' servers charge in the same minute, and each charge waits for the platform twice (docs/growth.md).
    reservedConcurrency: {
      'headless-auth': 88,
      'customer-graphql': 250,
      'admin-graphql': 490,
      'platform-webhooks': 40,
      // One for each part of the stores, and two for runs that an operator starts.
      'scheduled-work': 10,
      // While the service bills, its outcomes are recorded here (docs/growth.md).
      'store-events': 6,
      'webhook-deliveries': 8,
      billing: 8,
    },
  },
};

/**
 * Names of functions and schedules start with `subscriptions-<environment>-` and have at most 64 characters. The edge's
 * stack ends in -edge; `local` is the stack of `npm start`.
 */
const ENVIRONMENT_NAME_PATTERN = /^(?!local$)(?!.*-edge$)[a-zA-Z][a-zA-Z0-9-]{0,30}$/;

/** A check for further mistakes in the values of an environment; the values may violate the schema. */
export type EnvironmentCheck = (values: Readonly<Record<string, unknown>>) => readonly ConfigProblem[];

/**
 * Returns the checked values of one environment.
 * @param check finds mistakes that are reported together with those of the schema and the rules
 * @throws ConfigError in one sentence when the environment is unknown (with the known names), or when a value is
 * missing or wrong (with its name and the rule)
 */
export function readEnvironmentConfig(
  name: unknown,
  environments = ENVIRONMENTS,
  check: EnvironmentCheck = () => [],
): NamedEnvironment {
  const environmentNames = Object.keys(environments).join(', ');
  if (typeof name !== 'string' || name === '') {
    throw new ConfigError(`Which environment? Add -c env=NAME; the known ones are ${environmentNames}.`);
  }
  if (!Object.hasOwn(environments, name)) {
    throw new ConfigError(`Environment "${name}" was not found; the known ones are ${environmentNames}.`);
  }
  if (!ENVIRONMENT_NAME_PATTERN.test(name)) {
    throw new ConfigError(
      `The environment "${name}" in infra/definition/config.ts needs another name: at most 31 letters, digits and hyphens, a letter first, not local, and not ending in -edge.`,
    );
  }
  const parseResult = environmentSchema.safeParse(environments[name], { error: describeIssue });
  const checkFindings = check(Object(environments[name]));
  if (!parseResult.success)
    throw createConfigError(
      name,
      selectFirstProblemPerValue([...parseResult.error.issues, ...checkFindings]),
    );
  const environmentConfig = parseResult.data;
  const configProblems = [
    ...findBrokenRules({ config: environmentConfig, others: listOtherValidEnvironments(name, environments) }),
    ...checkFindings,
  ];
  if (configProblems.length > 0) throw createConfigError(name, configProblems);
  return { name, config: environmentConfig };
}

/**
 * Returns the configurations of the other environments, by name. Omits invalid environments: they cannot be deployed, so
 * they reserve no names.
 */
function listOtherValidEnvironments(name: string, environments: Readonly<Record<string, unknown>>) {
  const otherEnvironmentEntries = Object.entries(environments).flatMap(([other, values]) => {
    const { data } = environmentSchema.safeParse(values);
    return other === name || data === undefined ? [] : [[other, data] as const];
  });
  return Object.fromEntries(otherEnvironmentEntries);
}

/** Returns the first problem of each value. */
function selectFirstProblemPerValue(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const firstProblemByPath = new Map(
    problems.toReversed().map((problem) => [problem.path.join('.'), problem]),
  );
  return problems.filter((problem) => firstProblemByPath.get(problem.path.join('.')) === problem);
}

/** Creates the error for an environment, with each of its problems. */
function createConfigError(name: string, problems: readonly ConfigProblem[]): ConfigError {
  const lines = problems.map(
    ({ path, message }) => `${path.length === 0 ? 'it' : path.join('.')} ${message}`,
  );
  return new ConfigError(
    `The environment "${name}" in infra/definition/config.ts is not usable: ${lines.join('; ')}.`,
  );
}
