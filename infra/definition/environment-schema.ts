/** The schema of an environment, value by value. environment-rules.ts has the rules between values. */
import * as z from 'zod';
import { BROWSER_ORIGIN_RULE, isBrowserOrigin } from '../../lib/config/browser-origin.ts';
import { certificateArnSchema, domainNameSchema, edgeSchema } from './edge-config.ts';
import type { ThrottleName } from './routes.ts';
import { MAX_UNITS_PER_SECOND, NEW_TABLE_THROUGHPUT } from './table-definition.ts';

/** The retention periods that CloudWatch Logs supports, in days. */
export const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653,
];

/** The prefix is also a namespace of CloudWatch metrics. */
const MAX_PREFIX_CHARACTERS = 255;

const positiveIntSchema = z.int().min(1);
const throttleSchema = z.strictObject({ ratePerSecond: positiveIntSchema, burst: positiveIntSchema });
const createWarmUnitsSchema = (minimum: number) =>
  z
    .int()
    .min(minimum, `must be at least the ${minimum.toLocaleString('en-US')} of a new table`)
    .max(
      MAX_UNITS_PER_SECOND,
      `must be at most ${MAX_UNITS_PER_SECOND.toLocaleString('en-US')}, the quota of a table`,
    );
const concurrencySchema = positiveIntSchema.optional();
const emailsSchema = z.array(z.email('must be an e-mail address'));
const ALARM_EMAILS_MESSAGE = 'must have an address for each severity: { page: […], ticket: […] }';
const retentionSchema = z
  .number()
  .refine((days) => RETENTION_DAYS.includes(days), `must be one of ${RETENTION_DAYS.join(', ')}`);

/** The values of one environment. */
export const environmentSchema = z.strictObject({
  /** Data, keys and logs outlive the stack, the table has a customer managed key, and GraphiQL is off. */
  production: z.boolean(),
  /** The account and region of the deploy; by default those of the operator's credentials and AWS_REGION. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be 12 digits, in quotes')
    .optional(),
  region: z
    .string()
    .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'must look like eu-central-1')
    .optional(),
  /** The prefix of every secret's name. Changing it creates a new token-key ring, which signs out every customer. */
  secretsPrefix: z
    .string()
    .regex(/^[a-z0-9-]+(\/[a-z0-9-]+)+$/, 'must be lower-case words joined by /, like subscriptions/dev')
    .max(MAX_PREFIX_CHARACTERS, `must have at most ${MAX_PREFIX_CHARACTERS} characters`),
  /** The name of the stack's own table. Never change it: another name creates another, empty table. */
  tableName: z.string().regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be a name for a DynamoDB table'),
  /** The table that the functions use after a point-in-time restore, encrypted with the same key. */
  restoredTableName: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be the name of a DynamoDB table')
    .optional(),
  /**
   * The label of the restored table's stream (LatestStreamLabel). Without it webhooks wait for the schedule, at most a
   * minute.
   */
  restoredStreamLabel: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/, 'must look like 2026-07-01T09:30:00.000')
    .optional(),
  /**
   * The throughput that the stack's table accepts before it has scaled. Raising it is charged once. Never lower it:
   * DynamoDB refuses a value below the table's current one, and the deploy fails.
   */
  warmThroughput: z
    .strictObject({
      readUnitsPerSecond: createWarmUnitsSchema(NEW_TABLE_THROUGHPUT.readUnitsPerSecond),
      writeUnitsPerSecond: createWarmUnitsSchema(NEW_TABLE_THROUGHPUT.writeUnitsPerSecond),
    })
    .optional(),
  /** The service's own domain, and its ACM certificate in the same region. */
  domain: z.strictObject({ name: domainNameSchema, certificateArn: certificateArnSchema }).optional(),
  /** A distribution with a firewall before the API, in its own stack. It has the addresses, so it excludes `domain`. */
  edge: edgeSchema.optional(),
  platformOrigin: z
    .string()
    .regex(/^https:\/\/[^\s?#@]+$/, 'must be an https address')
    .refine((origin) => origin.includes('{shop}'), "must contain {shop}, which stands for the store's domain")
    .refine((origin) => URL.canParse(origin.replaceAll('{shop}', 'shop')), 'must be an https address'),
  platformApiVersion: z
    .string()
    .regex(/^\d{4}-(01|04|07|10)$/, "must be a version of the platform's Admin API, like 2026-07"),
  gidNamespace: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a lower-case word'),
  platformGidNamespace: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a lower-case word'),
  shopDomainSuffixes: z.array(z.string().regex(/^(\.[a-z0-9-]+)+$/, 'must look like .myshopify.com')).min(1),
  /** The origins from which browsers and apps' web views may call. */
  allowedOrigins: z.array(z.string().refine(isBrowserOrigin, BROWSER_ORIGIN_RULE)),
  /** The level is at most INFO: the line of each request carries the metrics that the alarms need. */
  logLevel: z.enum(
    ['DEBUG', 'INFO'],
    'must be DEBUG or INFO: the INFO line of a request carries its metrics',
  ),
  /**
   * Retention of the functions' logs, of the API's access log, which has every caller's address, and of the operators'
   * trace. A restore replays the first and the last, so production retains them longer than the 35 days of recovery.
   */
  logRetentionDays: z.strictObject({
    functions: retentionSchema,
    access: retentionSchema,
    operators: retentionSchema,
  }),
  /**
   * Allows functions to write store items, because the table may contain stores with unmigrated items. Remove it after
   * `store resync --all` (docs/deploying.md).
   */
  storesFromBefore: z.literal(true, 'must be true or left out').optional(),
  /**
   * All routes share the account's limit at API Gateway (accountThrottling). Each route has its own bucket
   * (infra/definition/routes.ts); `other` is for rare requests.
   */
  throttling: z.strictObject({
    'sign-in': throttleSchema,
    refresh: throttleSchema,
    revoke: throttleSchema,
    'storefront-token': throttleSchema,
    'customer-graphql': throttleSchema,
    'admin-graphql': throttleSchema,
    'platform-webhooks': throttleSchema,
    health: throttleSchema,
    graphiql: throttleSchema,
    other: throttleSchema,
  } satisfies Record<ThrottleName, unknown>),
  /** Instances reserved for a function, which are also its limit; without a number it shares the account's. */
  reservedConcurrency: z.strictObject({
    'headless-auth': concurrencySchema,
    'customer-graphql': concurrencySchema,
    'admin-graphql': concurrencySchema,
    'platform-webhooks': concurrencySchema,
    'scheduled-work': concurrencySchema,
    'store-events': concurrencySchema,
    'webhook-deliveries': concurrencySchema,
    billing: concurrencySchema,
  }),
  /** The account's limit of instances in this region (Service Quotas, Lambda, Concurrent executions). */
  accountConcurrency: positiveIntSchema,
  /**
   * API Gateway's limit for the account in this region: 10,000 a second and bursts of 5,000; in smaller regions 2,500
   * and 1,250.
   */
  accountThrottling: throttleSchema,
  /**
   * The recipients of alarms: `page` for urgent alarms, `ticket` for the others. Each recipient must confirm the mail
   * that AWS sends. Other systems subscribe to the topics.
   */
  alarmEmails: z.strictObject(
    { page: emailsSchema, ticket: emailsSchema },
    {
      error: ({ code, input }) =>
        code === 'invalid_type' && input !== undefined ? ALARM_EMAILS_MESSAGE : undefined,
    },
  ),
});

export type EnvironmentConfig = z.infer<typeof environmentSchema>;
