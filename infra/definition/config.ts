/**
 * Everything that differs between environments, checked before anything is synthesised. The stack and its
 * constructs read the checked form and nothing else.
 */
import { describeIssue } from './describe-issue.ts';
import { brokenRules, type Problem } from './environment-rules.ts';
import { type EnvironmentConfig, environmentSchema } from './environment-schema.ts';

/** What an operator did wrong, in words that say what to do; shown without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * `reservedConcurrency` for an account with a small limit: all functions share it, the first come first.
 * @internal An operator writes it into `environments`; tests synthesise it.
 */
export const noReservedConcurrency = {};

/** The address that clients use, where the configuration has one. */
export function publicAddress({
  domain,
  edge,
}: Pick<EnvironmentConfig, 'domain' | 'edge'>): string | undefined {
  const { name } = edge?.viewer ?? domain ?? {};
  return name && `https://${name}`;
}

export type NamedEnvironment = { readonly name: string; readonly config: EnvironmentConfig };

const shared = {
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

const trial = {
  ...shared,
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
    // 0.6 MB, kept nowhere, for anybody.
    graphiql: { ratePerSecond: 1, burst: 10 },
    other: { ratePerSecond: 25, burst: 50 },
  },
  reservedConcurrency: noReservedConcurrency,
};

/** The environments that can be deployed. */
export const environments: Readonly<Record<string, unknown>> = {
  dev: {
    ...trial,
    secretsPrefix: 'subscriptions/dev',
    tableName: 'subscriptions-dev',
    logLevel: 'DEBUG',
    logRetentionDays: { functions: 7, access: 7, operators: 30 },
  },
  staging: {
    ...trial,
    secretsPrefix: 'subscriptions/staging',
    tableName: 'subscriptions-staging',
    logLevel: 'INFO',
    logRetentionDays: { functions: 30, access: 30, operators: 90 },
  },
  prod: {
    ...shared,
    production: true,
    secretsPrefix: 'subscriptions/prod',
    tableName: 'subscriptions-prod',
    // To be filled in: nothing answers at these names, and nobody knows a secret with such a hash.
    edge: {
      viewer: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/0' },
      origin: {
        ...{ name: 'origin.api.example.com' },
        certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/0',
      },
      secret: { sends: 'a', sha256: { a: '0'.repeat(64), b: '0'.repeat(64) } },
    },
    // The charges of one minute write more than a new table takes (docs/growth.md).
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
      // Nightly charges of all stores come at once, and one store's flood shall leave room for others.
      'platform-webhooks': { ratePerSecond: 1000, burst: 1000 },
      health: { ratePerSecond: 100, burst: 100 },
      // The local gateway's alone: the page is not there in production.
      graphiql: { ratePerSecond: 1, burst: 10 },
      other: { ratePerSecond: 250, burst: 250 },
    },
    // Merchants' servers charge at the same minute, and wait for the platform twice (docs/growth.md).
    reservedConcurrency: {
      'headless-auth': 88,
      'customer-graphql': 250,
      'admin-graphql': 500,
      'platform-webhooks': 40,
      // One for each part of the stores, and two for what is begun by hand.
      'scheduled-work': 10,
      'store-events': 4,
      'webhook-deliveries': 8,
    },
  },
};

/**
 * Names of functions and schedules begin with `subscriptions-<environment>-`, and have at most 64 characters. The edge's stack
 * ends in -edge; `local` is the stack of `npm start`.
 */
const ENVIRONMENT_NAME = /^(?!local$)(?!.*-edge$)[a-zA-Z][a-zA-Z0-9-]{0,30}$/;

/** Finds more mistakes in the values of an environment, which may break the schema. */
export type EnvironmentCheck = (values: Readonly<Record<string, unknown>>) => readonly Problem[];

/**
 * Returns the checked values of one environment.
 *
 * @param check finds mistakes that are named together with those of the schema and the rules
 * @throws ConfigError in one sentence: no such environment (with the list of those known), or a value that is missing or
 *   wrong (with its name and what it must be).
 */
export function readEnvironmentConfig(
  name: unknown,
  known = environments,
  check: EnvironmentCheck = () => [],
): NamedEnvironment {
  const names = Object.keys(known).join(', ');
  if (typeof name !== 'string' || name === '') {
    throw new ConfigError(`Which environment? Add -c env=NAME; the known ones are ${names}.`);
  }
  if (!Object.hasOwn(known, name)) {
    throw new ConfigError(`There is no environment "${name}"; the known ones are ${names}.`);
  }
  if (!ENVIRONMENT_NAME.test(name)) {
    throw new ConfigError(
      `The environment "${name}" in infra/definition/config.ts needs another name: at most 31 letters, digits and hyphens, a letter first, not local, and not ending in -edge.`,
    );
  }
  const parsed = environmentSchema.safeParse(known[name], { error: describeIssue });
  const found = check(Object(known[name]));
  if (!parsed.success) throw unusable(name, distinct([...parsed.error.issues, ...found]));
  const config = parsed.data;
  const problems = [...brokenRules({ config, others: usableKeys(name, known) }), ...found];
  if (problems.length > 0) throw unusable(name, problems);
  return { name, config };
}

/** Returns the other environments. One that cannot be used cannot be deployed, and takes no name. */
function usableKeys(name: string, known: Readonly<Record<string, unknown>>) {
  const others = Object.entries(known).flatMap(([other, values]) => {
    const { data } = environmentSchema.safeParse(values);
    return other === name || data === undefined ? [] : [[other, data] as const];
  });
  return Object.fromEntries(others);
}

/** The first problem of each value. */
function distinct(problems: readonly Problem[]): Problem[] {
  const byPath = new Map(problems.toReversed().map((problem) => [problem.path.join('.'), problem]));
  return problems.filter((problem) => byPath.get(problem.path.join('.')) === problem);
}

/** The refusal of an environment, with each of its problems. */
function unusable(name: string, problems: readonly Problem[]): ConfigError {
  const lines = problems.map(
    ({ path, message }) => `${path.length === 0 ? 'it' : path.join('.')} ${message}`,
  );
  return new ConfigError(
    `The environment "${name}" in infra/definition/config.ts is not usable: ${lines.join('; ')}.`,
  );
}
