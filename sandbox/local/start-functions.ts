/** The functions of the service on this machine: a pool of instances each, with the environment they have on AWS. */

import {
  type FunctionName,
  functionDefinitions,
  functionNames,
} from '../../infra/definition/function-definitions.ts';
import { functionEnvironment } from '../../infra/definition/function-environment.ts';
import type { Build } from '../../tools/build/build-functions.ts';
import { lambdaEnvironment } from '../aws/lambda-environment.ts';
import type { Logs } from './functions/logs.ts';
import { createPool, type FunctionPool } from './functions/pool.ts';
import { StartError } from './start/start-error.ts';

export type Functions = {
  /** `begun` is called when an instance has taken the event. */
  invoke(name: FunctionName, event: object, onStart?: () => void): Promise<unknown>;
  close(): Promise<void>;
};
export type FunctionsOptions = {
  readonly build: Build;
  readonly endpoints: Endpoints;
  /** Variables beyond those they have on AWS: fault tests reach them so. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clockOffsetMs: () => number;
  readonly logs: Logs;
  /** Those that have an instance from the start; the others get theirs when they are first called. */
  readonly warm: readonly FunctionName[];
};
/** The addresses of everything that a function reaches, and its names there. */
export type Endpoints = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly phoneUrl: string;
  /** Whose pages may call the service, beside the phone's. */
  readonly allowOrigins?: readonly string[] | undefined;
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
};

/** Starts the functions. StartError if the bundle of one that is warmed does not load. */
export async function startFunctions(options: FunctionsOptions): Promise<Functions> {
  const pools = new Map(functionNames.map((name) => [name, poolOf(name, options)]));
  try {
    await Promise.all(
      [...pools].filter(([name]) => options.warm.includes(name)).map(([name, pool]) => warm(name, pool)),
    );
  } catch (error) {
    await closeAll(pools);
    throw error;
  }
  return {
    invoke: (name, event, onStart) =>
      pools.get(name)?.invoke(event, onStart) ?? Promise.reject(new Error(`no function ${name}`)),
    close: () => closeAll(pools),
  };
}

function poolOf(name: FunctionName, options: FunctionsOptions): FunctionPool {
  const { memoryMb, timeoutSeconds } = functionDefinitions[name];
  return createPool({
    name,
    bundlePath: options.build.functions[name].path,
    environment: {
      ...lambdaEnvironment({ name, memoryMb }),
      ...environmentOf(name, options.endpoints),
      ...options.environment,
    },
    timeoutSeconds,
    memoryMb,
    clockOffsetMs: options.clockOffsetMs,
    logs: options.logs,
  });
}

async function warm(name: FunctionName, pool: FunctionPool): Promise<void> {
  try {
    await pool.warm();
  } catch (error) {
    throw new StartError(`The function ${name} does not start. ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function closeAll(pools: Map<FunctionName, FunctionPool>): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/**
 * The same variables that the stack gives it, and the endpoints that stand in for AWS.
 * @internal The benchmark starts functions of its own with them.
 */
export function environmentOf(name: FunctionName, endpoints: Endpoints): Record<string, string> {
  const config = {
    production: false,
    secretsPrefix: endpoints.secretsPrefix,
    platformOrigin: `${endpoints.platformUrl}/{shop}`,
    platformApiVersion: '2026-07',
    gidNamespace: 'platform',
    platformGidNamespace: 'shopify',
    allowedOrigins: [endpoints.phoneUrl, ...(endpoints.allowOrigins ?? [])],
    shopDomainSuffixes: ['.myshopify.com'],
    logLevel: 'INFO' as const,
  };
  return {
    ...functionEnvironment({
      config,
      definition: functionDefinitions[name],
      tableName: endpoints.tableName,
      baseUrl: endpoints.baseUrl,
    }),
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManagerUrl,
  };
}
