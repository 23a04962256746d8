/**
 * The rules by which the values of an environment fit each other, and the other environments. Each rule returns the values
 * that break it. AWS would refuse these values halfway through a deploy, or not at all.
 */
import { listPlaceholderPaths } from './edge-config.ts';
import { type EnvironmentConfig, RETENTION_DAYS } from './environment-schema.ts';

/** A value that cannot be used. The message continues a sentence that begins with the path. */
export type ConfigProblem = { readonly path: readonly PropertyKey[]; readonly message: string };
/** An environment, and the other usable ones by their names. */
export type RuledEnvironment = {
  readonly config: EnvironmentConfig;
  readonly others: Readonly<Record<string, EnvironmentConfig>>;
};
type EnvironmentRule = (environment: RuledEnvironment) => readonly ConfigProblem[];

/** AWS keeps so many of an account's concurrent executions unreserved. */
const MIN_UNRESERVED_CONCURRENCY = 100;
/** The days that DynamoDB can restore to. */
const RECOVERY_DAYS = 35;
/** The shortest of CloudWatch's retention periods that is longer than RECOVERY_DAYS. */
const MIN_RETENTION_DAYS = RETENTION_DAYS.find((days) => days > RECOVERY_DAYS) ?? RECOVERY_DAYS;
const DEPLOYING_STEP_REFERENCE = '(docs/deploying.md, step 3)';

const ENVIRONMENT_RULES: readonly EnvironmentRule[] = [
  checkDomainWithEdge,
  checkRetention,
  checkCertificateRegions,
  checkUnfilledValues,
  checkReservedConcurrency,
  checkThrottlesAgainstAccount,
  checkRestoredTableName,
  checkRestoredStream,
  checkRepeatedEmails,
  checkOriginsLength,
  checkSharedNames,
];

/** Returns every value that does not fit the others; none if the environment can be synthesised. */
export function findBrokenRules(environment: RuledEnvironment): ConfigProblem[] {
  return ENVIRONMENT_RULES.flatMap((rule) => rule(environment));
}

/** Returns the paths of placeholder values, which must be replaced before a deploy. */
export function findUnfilledPaths({ edge, production, alarmEmails }: EnvironmentConfig): string[] {
  const severitiesWithoutAddress = (['page', 'ticket'] as const).filter(
    (severity) => production && alarmEmails[severity].length === 0,
  );
  return [
    ...(edge ? listPlaceholderPaths(edge) : []),
    ...severitiesWithoutAddress.map((severity) => `alarmEmails.${severity}`),
  ];
}

function checkDomainWithEdge({ config: { domain, edge } }: RuledEnvironment): ConfigProblem[] {
  if (domain === undefined || edge === undefined) return [];
  const message = 'is for an environment without an edge: an edge has its own names, viewer and origin';
  return [{ path: ['domain'], message }];
}

function checkRetention({ config: { production, logRetentionDays } }: RuledEnvironment): ConfigProblem[] {
  const shortRetentions = (['functions', 'operators'] as const).filter(
    (log) => production && logRetentionDays[log] < RECOVERY_DAYS,
  );
  return shortRetentions.map((log) => ({
    path: ['logRetentionDays', log],
    message: `must be at least ${MIN_RETENTION_DAYS} in production: a restore of up to ${RECOVERY_DAYS} days is replayed from this log`,
  }));
}

/** CloudFormation would refuse a certificate of another account or region halfway through a deploy. */
function checkCertificateRegions({
  config: { account, region, domain, edge },
}: RuledEnvironment): ConfigProblem[] {
  const certificates = [
    { path: ['domain'], arn: domain?.certificateArn, expectedRegion: region },
    // The viewer's certificate is in the edge's region, wherever the service is.
    { path: ['edge', 'viewer'], arn: edge?.viewer.certificateArn, expectedRegion: undefined },
    { path: ['edge', 'origin'], arn: edge?.origin.certificateArn, expectedRegion: region },
  ];
  return certificates.flatMap(({ path, arn, expectedRegion }) => {
    if (arn === undefined) return [];
    const [, , , certificateRegion, certificateAccount] = arn.split(':');
    const createProblem = (location: string): ConfigProblem => ({
      path: [...path, 'certificateArn'],
      message: `must be of a certificate ${location} of the environment`,
    });
    return [
      ...(expectedRegion && certificateRegion !== expectedRegion
        ? [createProblem(`in ${expectedRegion}, the region`)]
        : []),
      ...(account && certificateAccount !== account ? [createProblem(`of ${account}, the account`)] : []),
    ];
  });
}

/**
 * Placeholders are accepted only while the environment cannot be deployed anyway, because it has neither account nor region,
 * and its edge has placeholders. Synthesis then warns of them.
 */
function checkUnfilledValues({ config }: RuledEnvironment): ConfigProblem[] {
  const { account, region, edge } = config;
  const hasAccountOrRegion = account !== undefined || region !== undefined;
  const isDeployable = hasAccountOrRegion || edge === undefined || listPlaceholderPaths(edge).length === 0;
  return findUnfilledPaths(config).flatMap((text): ConfigProblem[] => {
    const path = text.split('.');
    if (path[0] === 'alarmEmails')
      return isDeployable
        ? [{ path, message: `is empty: production needs an address for alarms ${DEPLOYING_STEP_REFERENCE}` }]
        : [];
    // For an environment with an account, checkCertificateRegions reports the placeholder of a certificate's ARN.
    const isTolerated = account === undefined || text.endsWith('Arn');
    return isTolerated ? [] : [{ path, message: `is still to be filled in ${DEPLOYING_STEP_REFERENCE}` }];
  });
}

/** Lambda would refuse a higher reservation halfway through a deploy. */
function checkReservedConcurrency({
  config: { reservedConcurrency, accountConcurrency },
}: RuledEnvironment): ConfigProblem[] {
  const reservedTotal = Object.values(reservedConcurrency).reduce(
    (sum: number, functionConcurrency = 0) => sum + functionConcurrency,
    0,
  );
  const neededConcurrency = reservedTotal + MIN_UNRESERVED_CONCURRENCY;
  if (reservedTotal === 0 || neededConcurrency <= accountConcurrency) return [];
  const message =
    `sets ${reservedTotal} aside, AWS keeps ${MIN_UNRESERVED_CONCURRENCY} unreserved: it needs an accountConcurrency of ${neededConcurrency}, ` +
    `not ${accountConcurrency}. Ask AWS for more (docs/deploying.md, step 1), or write noReservedConcurrency`;
  return [{ path: ['reservedConcurrency'], message }];
}

/** API Gateway would accept the number, but apply the account's limit. */
function checkThrottlesAgainstAccount({
  config: { throttling, accountThrottling },
}: RuledEnvironment): ConfigProblem[] {
  return Object.entries(throttling).flatMap(([functionName, throttle]) =>
    (['ratePerSecond', 'burst'] as const)
      .filter((limit) => throttle[limit] > accountThrottling[limit])
      .map((limit) => ({
        path: ['throttling', functionName, limit],
        message:
          `is ${throttle[limit]}, above the ${accountThrottling[limit]} of accountThrottling, which all routes share: ` +
          'lower it, or write what the account has (docs/deploying.md, step 1)',
      })),
  );
}

function checkRestoredTableName({
  config: { tableName, restoredTableName },
}: RuledEnvironment): ConfigProblem[] {
  if (tableName !== restoredTableName) return [];
  const message =
    'must be another table than tableName: a restore makes a new one (docs/deploying.md, Restore the table)';
  return [{ path: ['restoredTableName'], message }];
}

function checkRestoredStream({
  config: { restoredTableName, restoredStreamLabel },
}: RuledEnvironment): ConfigProblem[] {
  if (restoredStreamLabel === undefined || restoredTableName !== undefined) return [];
  const message =
    'is the stream of a restored table: name the table as restoredTableName, too, or leave both out';
  return [{ path: ['restoredStreamLabel'], message }];
}

/** An SNS topic accepts each address only once. */
function checkRepeatedEmails({ config: { alarmEmails } }: RuledEnvironment): ConfigProblem[] {
  return (['page', 'ticket'] as const).flatMap((severity) =>
    alarmEmails[severity].flatMap((address, index, all) =>
      all.indexOf(address) < index
        ? [{ path: ['alarmEmails', severity, index], message: 'is in the list twice: leave it out' }]
        : [],
    ),
  );
}

/** Functions get the origins as one variable. Lambda's variables have 4 KB, of which the others need a fourth. */
const MAX_ORIGINS_CHARACTERS = 3000;

function checkOriginsLength({ config: { allowedOrigins } }: RuledEnvironment): ConfigProblem[] {
  const { length } = allowedOrigins.join();
  if (length <= MAX_ORIGINS_CHARACTERS) return [];
  const message = `has ${length} characters, more than the ${MAX_ORIGINS_CHARACTERS} that fit into a function's environment`;
  return [{ path: ['allowedOrigins'], message }];
}

/**
 * Two environments may not share names. In one account they would use one table or one key ring, and with the wrong
 * credentials a command would change the other environment. A public domain can lead to only one of them.
 */
function checkSharedNames({ config, others }: RuledEnvironment): ConfigProblem[] {
  return Object.entries(others).flatMap(([otherName, otherConfig]) => [
    ...findSharedNames(tableNamesByField(config), tableNamesByField(otherConfig), otherName),
    ...findSharedNames(addressesByField(config), addressesByField(otherConfig), otherName),
    ...(isSameOrBelowPrefix(config.secretsPrefix, otherConfig.secretsPrefix) ||
    isSameOrBelowPrefix(otherConfig.secretsPrefix, config.secretsPrefix)
      ? [
          {
            path: ['secretsPrefix'],
            message: `must lie apart from ${otherConfig.secretsPrefix}, that of the environment "${otherName}": rights are for everything below a prefix`,
          },
        ]
      : []),
  ]);
}

type ResourceNames = Readonly<Record<string, string | undefined>>;

function findSharedNames(
  names: ResourceNames,
  otherNames: ResourceNames,
  otherEnvironmentName: string,
): ConfigProblem[] {
  return Object.entries(names)
    .filter(([, name]) => name !== undefined && Object.values(otherNames).includes(name))
    .map(([path, name]) => ({
      path: path.split('.'),
      message: `is ${name}, which the environment "${otherEnvironmentName}" has: give each environment names of its own`,
    }));
}

function tableNamesByField({ tableName, restoredTableName }: EnvironmentConfig): ResourceNames {
  return { tableName, restoredTableName };
}

function addressesByField({ domain, edge }: EnvironmentConfig): ResourceNames {
  const { viewer, origin } = edge ?? {};
  return { 'domain.name': domain?.name, 'edge.viewer.name': viewer?.name, 'edge.origin.name': origin?.name };
}

function isSameOrBelowPrefix(prefix: string, outer: string): boolean {
  return `${prefix}/`.startsWith(`${outer}/`);
}
