/**
 * Everything that differs between environments, checked before anything is synthesised. The stack and its
 * constructs read the checked form and nothing else.
 */
import * as z from 'zod';
import { BROWSER_ORIGIN, isBrowserOrigin } from '../../lib/config/browser-origin.ts';
import { certificateArn, domainName, edgeSchema } from './edge-config.ts';
import type { ThrottleName } from './routes.ts';
import { MOST_UNITS_PER_SECOND, newTable } from './table-definition.ts';

/** What an operator did wrong, in words that say what to do; shown without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The retention periods that CloudWatch Logs knows, in days. */
const RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653];

/** AWS keeps so many of an account's concurrent executions unreserved. */
const KEPT_UNRESERVED = 100;

const throttle = z.strictObject({
  ratePerSecond: z.number().int().positive(),
  burst: z.number().int().positive(),
});
const warmUnits = (least: number) =>
  z
    .number()
    .int()
    .min(least, `must be at least the ${least.toLocaleString('en-US')} of a new table`)
    .max(
      MOST_UNITS_PER_SECOND,
      `must be at most ${MOST_UNITS_PER_SECOND.toLocaleString('en-US')}, the quota of a table`,
    );
const concurrency = z.number().int().positive().optional();
const emails = z.array(z.email('must be an e-mail address'));
const retention = z
  .number()
  .refine((days) => RETENTION_DAYS.includes(days), `must be one of ${RETENTION_DAYS.join(', ')}`);

const environmentValues = z.strictObject({
  /** Data, keys and logs outlive the stack, the table has a key of its own, and GraphiQL is off. */
  production: z.boolean(),
  /** The place of the deploy; without account and region, where the operator's credentials and AWS_REGION point. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be 12 digits')
    .optional(),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must look like eu-central-1')
    .optional(),
  /** Prefix of every secret's name. A changed prefix makes a new token-key ring: every customer is signed out. */
  secretsPrefix: z
    .string()
    .regex(/^[a-z0-9-]+(\/[a-z0-9-]+)+$/, 'must be lower-case words joined by /, like subscriptions/dev'),
  /** Name of the stack's own table. It never changes: another name would be another, empty table. */
  tableName: z.string().regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be a name for a DynamoDB table'),
  /** The table that the functions use in place of the stack's after a point-in-time restore (under the same key). */
  restoredTableName: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be the name of a DynamoDB table')
    .optional(),
  /**
   * What the stack's table takes at once, before it has grown by itself. Raising it is paid for once; it is never
   * lowered: DynamoDB refuses less than what a table has, and the deploy fails.
   */
  warmThroughput: z
    .strictObject({
      readUnitsPerSecond: warmUnits(newTable.readUnitsPerSecond),
      writeUnitsPerSecond: warmUnits(newTable.writeUnitsPerSecond),
    })
    .optional(),
  /** An address of the service's own, and the ACM certificate for it in the same region. */
  domain: z.strictObject({ name: domainName, certificateArn }).optional(),
  /** A distribution with a firewall before the API, in a stack of its own; it has the addresses, so no `domain`. */
  edge: edgeSchema.optional(),
  platformOrigin: z
    .string()
    .regex(/^https:\/\/[^\s]+$/, 'must be an https address')
    .refine(
      (origin) => origin.includes('{shop}'),
      "must contain {shop}, which stands for the store's domain",
    ),
  platformApiVersion: z.string().regex(/^\d{4}-\d{2}$/, 'must look like 2026-07'),
  gidNamespace: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a lower-case word'),
  platformGidNamespace: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a lower-case word'),
  shopDomainSuffixes: z.array(z.string().regex(/^(\.[a-z0-9-]+)+$/, 'must look like .myshopify.com')).min(1),
  /** Origins that browsers, and web views of apps, may call from. */
  allowedOrigins: z.array(z.string().refine(isBrowserOrigin, BROWSER_ORIGIN)),
  /** The level is not above INFO: the line of each request carries the metrics that the alarms need. */
  logLevel: z.enum(
    ['DEBUG', 'INFO'],
    'must be DEBUG or INFO: the INFO line of a request carries its metrics',
  ),
  /**
   * Of the functions' logs, of the API's, which has every caller's address, and of the operators' trace. A restore is
   * replayed from the first and the last: production keeps them longer than the 35 days of recovery.
   */
  logRetentionDays: z.strictObject({ functions: retention, access: retention, operators: retention }),
  /**
   * Stores in the table may be from before their items were parted, so functions may still write store items. To be left
   * out once `store resync --all` has run (docs/deploying.md).
   */
  storesFromBefore: z.literal(true).optional(),
  /**
   * All routes share what API Gateway gives the account: 10,000 a second and 5,000 at once, in smaller regions 2,500 and
   * 1,250. Each route has a bucket of its own (infra/definition/routes.ts); `other` is for what clients seldom send.
   */
  throttling: z.strictObject({
    'sign-in': throttle,
    refresh: throttle,
    revoke: throttle,
    'storefront-token': throttle,
    'customer-graphql': throttle,
    'admin-graphql': throttle,
    health: throttle,
    other: throttle,
  } satisfies Record<ThrottleName, unknown>),
  /** Instances set aside for a function, which are also its limit; without a number it shares the account's. */
  reservedConcurrency: z.strictObject({
    'headless-auth': concurrency,
    'customer-graphql': concurrency,
    'admin-graphql': concurrency,
    'scheduled-work': concurrency,
  }),
  /** The account's limit of instances in this region (Service Quotas, Lambda, Concurrent executions). */
  accountConcurrency: z.number().int().positive(),
  /**
   * The people who are told of alarms: `page` of those that cannot wait, `ticket` of the others. Each must confirm the mail
   * that AWS sends. Others subscribe to the topics.
   */
  alarmEmails: z.strictObject({ page: emails, ticket: emails }),
});

/** Lambda refuses to set more aside, and the deploy fails halfway. */
const environmentSchema = environmentValues
  .refine(({ domain, edge }) => domain === undefined || edge === undefined, {
    path: ['domain'],
    message: 'is for an environment without an edge: an edge has its own names, viewer and origin',
  })
  .superRefine(({ reservedConcurrency, accountConcurrency }, context) => {
    const reserved = Object.values(reservedConcurrency).reduce((sum: number, some = 0) => sum + some, 0);
    const needed = reserved + KEPT_UNRESERVED;
    if (reserved === 0 || needed <= accountConcurrency) return;
    context.addIssue({
      code: 'custom',
      path: ['reservedConcurrency'],
      message:
        `sets ${reserved} aside, AWS keeps ${KEPT_UNRESERVED} unreserved: it needs an accountConcurrency of ${needed}, ` +
        `not ${accountConcurrency}. Ask AWS for more (docs/deploying.md, step 1), or write noReservedConcurrency`,
    });
  });

/**
 * `reservedConcurrency` for an account with a small limit: all functions share it, the first come first.
 * @internal An operator writes it into `environments`; tests synthesise it.
 */
export const noReservedConcurrency = {};

export type EnvironmentConfig = z.infer<typeof environmentSchema>;
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
    health: { ratePerSecond: 5, burst: 10 },
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
      health: { ratePerSecond: 10, burst: 20 },
      other: { ratePerSecond: 250, burst: 250 },
    },
    // Merchants' servers charge at the same minute, and wait for the platform twice (docs/growth.md).
    reservedConcurrency: {
      'headless-auth': 100,
      'customer-graphql': 250,
      'admin-graphql': 500,
      'scheduled-work': 2,
    },
  },
};

/**
 * The checked values of one environment. ConfigError, in one sentence, if there is no such environment (with
 * the list of those known) or if a value is missing or wrong (with its name and what it must be).
 */
export function readEnvironmentConfig(name: unknown, known = environments): NamedEnvironment {
  const names = Object.keys(known).join(', ');
  if (typeof name !== 'string' || name === '') {
    throw new ConfigError(`Which environment? Add -c env=NAME; the known ones are ${names}.`);
  }
  if (!Object.hasOwn(known, name)) {
    throw new ConfigError(`There is no environment "${name}"; the known ones are ${names}.`);
  }
  const parsed = environmentSchema.safeParse(known[name], { error: describeMissing });
  if (parsed.success) return { name, config: parsed.data };
  const problems = parsed.error.issues.map(describeIssue).join('; ');
  throw new ConfigError(
    `The environment "${name}" in infra/definition/config.ts is not usable: ${problems}.`,
  );
}

function describeMissing(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : undefined;
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')} ${message}`;
}
