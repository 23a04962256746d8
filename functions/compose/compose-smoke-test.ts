/** Composes the dependencies of the smoke test. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAwsEnvironment } from '../../lib/config/aws-environment.ts';
import { readSmokeTestEnvironment } from '../../lib/config/smoke-test-environment.ts';
import { createLogger } from '../../lib/observability/logger.ts';
import { type AwsClientOptions, createAwsClient } from '../../lib/storage/aws-client/aws-client.ts';
import { createInvokeFunction } from '../../lib/storage/aws-client/invoke-function.ts';
import { createSecretsClient } from '../../lib/storage/aws-client/secrets-client.ts';

/** The timeout of an AWS call. It is long, because no client waits, and CodeDeploy must get a result. */
const ATTEMPT_TIMEOUT_MS = 10_000;

type DeploymentHookStatus = {
  readonly deploymentId: string;
  readonly lifecycleEventHookExecutionId: string;
  readonly status: 'Succeeded' | 'Failed';
};

type ClientOptions = Omit<AwsClientOptions, 'service' | 'endpoint'>;

/**
 * Returns a function that reads the edge's secret, which is stored in the edge's region. It returns undefined in an
 * environment without an edge.
 */
function createEdgeSecretReader(
  { secretsPrefix, edgeSecretLocation }: ReturnType<typeof readSmokeTestEnvironment>,
  options: ClientOptions,
): () => Promise<string | undefined> {
  if (edgeSecretLocation === undefined) return async () => undefined;
  const { region, field } = edgeSecretLocation;
  const endpoint = readAwsEnvironment(region).endpoints.secretsmanager;
  const { call } = createAwsClient({ ...options, region, service: 'secretsmanager', endpoint });
  return async () => {
    const secret = await createSecretsClient(call).read(`${secretsPrefix}/edge`);
    const edgeSecret = (secret?.json as Readonly<Record<string, unknown>> | undefined)?.[field];
    return typeof edgeSecret === 'string' ? edgeSecret : undefined;
  };
}

/** Creates the dependencies of the smoke test, for one container. */
export function composeSmokeTest() {
  const environment = readSmokeTestEnvironment();
  const { region, credentials, endpoints } = readAwsEnvironment();
  const now = Date.now;
  const wait = async (ms: number) => void (await sleep(ms));
  const clientOptions = { region, credentials, now };
  const retryOptions = {
    ...{ ...clientOptions, wait, random: Math.random, newId: randomUUID, timeoutMs: ATTEMPT_TIMEOUT_MS },
    onCredentialsExpired: () => undefined,
  };
  const codeDeploy = createAwsClient({
    ...retryOptions,
    service: 'codedeploy',
    endpoint: endpoints.codedeploy,
  });
  const { call } = createAwsClient({
    ...retryOptions,
    service: 'secretsmanager',
    endpoint: endpoints.secretsmanager,
  });
  const metrics = { namespace: environment.secretsPrefix, now };
  return {
    ...environment,
    now,
    wait,
    logger: createLogger({ functionName: 'smoke-test', level: 'INFO', metrics }),
    secrets: createSecretsClient(call),
    invoke: createInvokeFunction({ ...clientOptions, endpoint: endpoints.lambda }),
    readEdgeSecret: createEdgeSecretReader(environment, retryOptions),
    reportToCodeDeploy: (status: DeploymentHookStatus) =>
      codeDeploy.call('PutLifecycleEventHookExecutionStatus', status),
  };
}
