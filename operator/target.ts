/** A command's target: an environment on AWS, with the caller's credentials, or the local stack. */
import { readFileSync } from 'node:fs';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { STSClient } from '@aws-sdk/client-sts';
import {
  ConfigError,
  ENVIRONMENTS,
  findPublicBaseUrl,
  readEnvironmentConfig,
} from '../infra/definition/config.ts';
import { formatOperatorsLogGroup } from '../infra/definition/operators-log-group.ts';
import { emulatorClientSettings } from '../sandbox/aws/local-client-settings.ts';
import { DEFAULT_STACK_FILE } from '../sandbox/default-stack-file.ts';
import { OperatorError } from './operator-error.ts';

export type OperatorTarget = {
  readonly name: string;
  /** Whether the target is the stack of `npm start`, or emulators like its own. */
  readonly isLocal: boolean;
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  readonly logs: CloudWatchLogsClient;
  readonly sts: STSClient;
  readonly tableName: string;
  /** The table that the functions use; undefined on this machine, where a restore replaces the table itself. */
  readonly tableInUse: string | undefined;
  readonly secretsPrefix: string;
  /** The log group of the operators' trace. */
  readonly traceGroup: string;
  /** `{shop}` is a placeholder for the store's domain. */
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
  readonly gidNamespace: string;
  readonly platformGidNamespace: string;
  readonly shopDomainSuffixes: readonly string[];
  /** The service's address, if it is known. */
  readonly baseUrl: string | undefined;
  /** The difference between the service's clock and this machine's. */
  readonly clockOffsetMs: number;
};

export type TargetOptions = {
  readonly env: string;
  /** The file that describes a running local stack. */
  readonly state?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** A restored table to use instead of the environment's. */
  readonly table?: string | undefined;
};

const LOCAL_TARGET_NAME = 'local';

/**
 * Opens the target of a command.
 * @throws OperatorError when the environment does not exist, or no local stack is running
 */
export async function openTarget(options: TargetOptions): Promise<OperatorTarget> {
  const operatorTarget = await openNamedTarget(options);
  return options.table === undefined ? operatorTarget : { ...operatorTarget, tableName: options.table };
}

async function openNamedTarget(options: TargetOptions): Promise<OperatorTarget> {
  const { env } = options;
  if (env === LOCAL_TARGET_NAME) return openLocalTarget(options);
  if (!Object.hasOwn(ENVIRONMENTS, env)) {
    const environmentNames = [LOCAL_TARGET_NAME, ...Object.keys(ENVIRONMENTS)].join(', ');
    throw new OperatorError(`Environment "${env}" was not found. --env takes ${environmentNames}.`, 2);
  }
  try {
    return openAwsTarget(options);
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message, 2) : error;
  }
}

function openAwsTarget({ env, baseUrl }: TargetOptions): OperatorTarget {
  const { config } = readEnvironmentConfig(env);
  const tableInUse = config.restoredTableName ?? config.tableName;
  const regionOption = config.region === undefined ? {} : { region: config.region };
  return {
    ...config,
    name: env,
    isLocal: false,
    dynamoDb: new DynamoDBClient(regionOption),
    secretsManager: new SecretsManagerClient(regionOption),
    logs: new CloudWatchLogsClient(regionOption),
    sts: new STSClient(regionOption),
    traceGroup: formatOperatorsLogGroup(env),
    tableName: tableInUse,
    tableInUse,
    baseUrl: baseUrl?.replace(/\/+$/, '') ?? findPublicBaseUrl(config),
    clockOffsetMs: 0,
  };
}

/** Closes the connections of a target's clients. */
export function closeTarget({ dynamoDb, secretsManager, logs, sts }: OperatorTarget): void {
  for (const client of [dynamoDb, secretsManager, logs, sts]) client.destroy();
}

type LocalStackState = Readonly<
  Record<
    | 'baseUrl'
    | 'platformUrl'
    | 'dynamoDbUrl'
    | 'secretsManagerUrl'
    | 'logsUrl'
    | 'stsUrl'
    | 'tableName'
    | 'secretsPrefix',
    string
  >
>;

async function openLocalTarget({ state: statePath }: TargetOptions): Promise<OperatorTarget> {
  const file = statePath ?? process.env.OPERATOR_STATE ?? DEFAULT_STACK_FILE;
  const stackState = readLocalStackState(file, statePath === undefined ? 1 : 2);
  return createEmulatorTarget(stackState, await fetchClockOffset(stackState.platformUrl));
}

/** Returns the target for emulators on this machine, by their addresses. */
function createEmulatorTarget(state: LocalStackState, clockOffsetMs: number): OperatorTarget {
  return {
    name: LOCAL_TARGET_NAME,
    isLocal: true,
    dynamoDb: new DynamoDBClient(emulatorClientSettings(state.dynamoDbUrl)),
    secretsManager: new SecretsManagerClient(emulatorClientSettings(state.secretsManagerUrl)),
    logs: new CloudWatchLogsClient(emulatorClientSettings(state.logsUrl)),
    sts: new STSClient(emulatorClientSettings(state.stsUrl)),
    traceGroup: formatOperatorsLogGroup(LOCAL_TARGET_NAME),
    tableName: state.tableName,
    tableInUse: undefined,
    secretsPrefix: state.secretsPrefix,
    platformOrigin: `${state.platformUrl}/{shop}`,
    platformApiVersion: '2026-07',
    gidNamespace: 'platform',
    platformGidNamespace: 'shopify',
    shopDomainSuffixes: ['.myshopify.com'],
    baseUrl: state.baseUrl,
    clockOffsetMs,
  };
}

function readLocalStackState(file: string, exitCode: 1 | 2): LocalStackState {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LocalStackState;
  } catch {
    throw new OperatorError(
      `No running stack is described in ${file}. Run npm start in another terminal, or name an environment with --env.`,
      exitCode,
    );
  }
}

/** The local stack's clock can be moved, and written times must match it. */
async function fetchClockOffset(platformUrl: string): Promise<number> {
  const clockResponse = await fetch(`${platformUrl}/_control/clock`).catch(() => undefined);
  if (!clockResponse?.ok)
    throw new OperatorError(`The local stack does not respond at ${platformUrl}. Start it again.`);
  const { now } = (await clockResponse.json()) as { now: string };
  const offsetMs = Date.parse(now) - Date.now();
  return Math.abs(offsetMs) < 1000 ? 0 : offsetMs;
}
