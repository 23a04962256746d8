/** The form of an environment: what each of its values must be, and what they must be together. */
import * as z from 'zod';
import { BROWSER_ORIGIN, isBrowserOrigin } from '../../lib/config/browser-origin.ts';
import { certificateArn, domainName, edgeSchema, placeholdersOf } from './edge-config.ts';
import type { ThrottleName } from './routes.ts';
import { MOST_UNITS_PER_SECOND, newTable } from './table-definition.ts';

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
const ALARM_EMAILS = 'must say who is told of what: { page: […], ticket: […] }';
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
  storesFromBefore: z.literal(true, 'must be true or left out').optional(),
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
    'platform-webhooks': throttle,
    health: throttle,
    graphiql: throttle,
    other: throttle,
  } satisfies Record<ThrottleName, unknown>),
  /** Instances set aside for a function, which are also its limit; without a number it shares the account's. */
  reservedConcurrency: z.strictObject({
    'headless-auth': concurrency,
    'customer-graphql': concurrency,
    'admin-graphql': concurrency,
    'platform-webhooks': concurrency,
    'scheduled-work': concurrency,
    'store-events': concurrency,
    'webhook-deliveries': concurrency,
  }),
  /** The account's limit of instances in this region (Service Quotas, Lambda, Concurrent executions). */
  accountConcurrency: z.number().int().positive(),
  /**
   * The people who are told of alarms: `page` of those that cannot wait, `ticket` of the others. Each must confirm the mail
   * that AWS sends. Others subscribe to the topics.
   */
  alarmEmails: z.strictObject(
    { page: emails, ticket: emails },
    {
      error: ({ code, input }) => (code === 'invalid_type' && input !== undefined ? ALARM_EMAILS : undefined),
    },
  ),
});

/** The days that DynamoDB can restore to. */
const RECOVERY_DAYS = 35;
/** The shortest retention that CloudWatch knows, and that outlasts them. */
const LEAST_RETENTION_DAYS = RETENTION_DAYS.find((days) => days > RECOVERY_DAYS) ?? RECOVERY_DAYS;

/** The values of one environment, and what of them must fit together. */
export const environmentSchema = environmentValues
  .refine(({ domain, edge }) => domain === undefined || edge === undefined, {
    path: ['domain'],
    message: 'is for an environment without an edge: an edge has its own names, viewer and origin',
  })
  .superRefine(({ production, logRetentionDays }, context) => {
    for (const log of ['functions', 'operators'] as const)
      if (production && logRetentionDays[log] < RECOVERY_DAYS)
        context.addIssue({
          code: 'custom',
          path: ['logRetentionDays', log],
          message: `must be at least ${LEAST_RETENTION_DAYS} in production: a restore of up to ${RECOVERY_DAYS} days is replayed from this log`,
        });
  })
  .superRefine((values, context) => {
    for (const { path, message } of misplacedValues(values))
      context.addIssue({ code: 'custom', path, message });
  })
  // Lambda refuses to set more aside, and the deploy fails halfway.
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

export type EnvironmentConfig = z.infer<typeof environmentSchema>;

type Misplaced = { readonly path: string[]; readonly message: string };

/** What an environment whose place is said cannot have: CloudFormation would refuse it halfway, or the edge everybody. */
function misplacedValues({ account, region, domain, edge }: z.infer<typeof environmentValues>): Misplaced[] {
  const certificates = [
    { path: ['domain'], arn: domain?.certificateArn, region },
    // The viewer's is of the edge's region, wherever the service is.
    { path: ['edge', 'viewer'], arn: edge?.viewer.certificateArn, region: undefined },
    { path: ['edge', 'origin'], arn: edge?.origin.certificateArn, region },
  ];
  const misplaced = certificates.flatMap(({ path, arn, region: wanted }) => {
    if (arn === undefined) return [];
    const [, , , itsRegion, itsAccount] = arn.split(':');
    const where = [...path, 'certificateArn'];
    return [
      ...misfit(where, { is: itsRegion, wanted, words: `in ${wanted}, the region` }),
      ...misfit(where, { is: itsAccount, wanted: account, words: `of ${account}, the account` }),
    ];
  });
  // A certificate of nobody's account is told above.
  const unfilled = account && edge ? placeholdersOf(edge).filter((path) => !path.endsWith('Arn')) : [];
  const message = 'is still to be filled in (docs/deploying.md, step 3)';
  return [...misplaced, ...unfilled.map((path) => ({ path: path.split('.'), message }))];
}

type Fit = { readonly is: string | undefined; readonly wanted: string | undefined; readonly words: string };

function misfit(path: string[], { is, wanted, words }: Fit): Misplaced[] {
  if (wanted === undefined || is === wanted) return [];
  return [{ path, message: `must be of a certificate ${words} of the environment` }];
}
