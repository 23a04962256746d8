/** The functions of the service on this machine: a pool of instances each, with the same environment as on AWS. */

import {
  FUNCTION_DEFINITIONS,
  FUNCTION_NAMES,
  type FunctionName,
  isScheduledFunction,
} from '../../infra/definition/function-definitions.ts';
import { createFunctionEnvironment } from '../../infra/definition/function-environment.ts';
import type { FunctionsBuild } from '../../tools/build/build-functions.ts';
import { buildLambdaEnvironment } from '../aws/build-lambda-environment.ts';
import { createConcurrentPool } from './functions/concurrent-pool.ts';
import type { FunctionLogs } from './functions/logs.ts';
import { createPool, type FunctionPool } from './functions/pool.ts';
import { StartError } from './start/start-error.ts';

export type RunningFunctions = {
  /** Calls `onStart` when an instance has accepted the event. */
  invoke(name: FunctionName, event: object, onStart?: () => void): Promise<unknown>;
  close(): Promise<void>;
};
export type FunctionsOptions = {
  readonly build: FunctionsBuild;
  readonly endpoints: StackUrls;
  /** Additional variables, for fault tests. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether each function with routes serves all its requests at once, in one process: for tests. */
  readonly concurrent?: boolean | undefined;
  readonly clockOffsetMs: () => number;
  readonly logs: FunctionLogs;
  /** The functions with an instance from the start; the others start one at their first call. */
  readonly warm: readonly FunctionName[];
};
/** The addresses of all parts that a function calls, and the names that it uses there: the table, the secrets' prefix. */
export type StackUrls = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  /** The origins, besides those of the stores' own web pages, whose pages may call the service for every store. */
  readonly allowOrigins?: readonly string[] | undefined;
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
};

/**
 * Creates the pools of all functions, and starts an instance of each warmed function.
 * @throws StartError when the bundle of a warmed function does not load
 */
export async function startFunctions(options: FunctionsOptions): Promise<RunningFunctions> {
  const poolByFunction = new Map(FUNCTION_NAMES.map((name) => [name, createFunctionPool(name, options)]));
  try {
    await Promise.all(
      [...poolByFunction]
        .filter(([name]) => options.warm.includes(name))
        .map(([name, pool]) => warmPool(name, pool)),
    );
  } catch (error) {
    await closePools(poolByFunction);
    throw error;
  }
  return {
    invoke: (name, event, onStart) =>
      poolByFunction.get(name)?.invoke(event, onStart) ?? Promise.reject(new Error(`no function ${name}`)),
    close: () => closePools(poolByFunction),
  };
}

function createFunctionPool(name: FunctionName, options: FunctionsOptions): FunctionPool {
  const { memoryMb, timeoutSeconds } = FUNCTION_DEFINITIONS[name];
  const createPoolOfKind =
    options.concurrent === true && !isScheduledFunction(name) ? createConcurrentPool : createPool;
  return createPoolOfKind({
    name,
    bundlePath: options.build.functions[name].path,
    environment: {
      ...buildLambdaEnvironment({ name, memoryMb }),
      ...buildFunctionEnvironment(name, options.endpoints),
      ...options.environment,
    },
    timeoutSeconds,
    memoryMb,
    clockOffsetMs: options.clockOffsetMs,
    logs: options.logs,
  });
}

async function warmPool(name: FunctionName, pool: FunctionPool): Promise<void> {
  try {
    await pool.warm();
  } catch (error) {
    throw new StartError(`The function ${name} does not start. ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function closePools(pools: Map<FunctionName, FunctionPool>): Promise<void> {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
}

/**
 * Returns the variables that the stack gives the function, and the addresses of the AWS emulators.
 * @internal The benchmark starts its own functions with them.
 */
export function buildFunctionEnvironment(name: FunctionName, endpoints: StackUrls): Record<string, string> {
  const localConfig = {
    production: false,
    secretsPrefix: endpoints.secretsPrefix,
    platformOrigin: `${endpoints.platformUrl}/{shop}`,
    platformApiVersion: '2026-07',
    gidNamespace: 'platform',
    platformGidNamespace: 'shopify',
    allowedOrigins: [...(endpoints.allowOrigins ?? [])],
    shopDomainSuffixes: ['.myshopify.com'],
    logLevel: 'INFO' as const,
  };
  return {
    ...createFunctionEnvironment({
      config: localConfig,
      definition: FUNCTION_DEFINITIONS[name],
      tableName: endpoints.tableName,
      baseUrl: endpoints.baseUrl,
    }),
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManagerUrl,
  };
}
