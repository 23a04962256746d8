/** Starts one function of a synthesised template behind proxies that hold it to its role; start-template.ts has the rest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { type AwsCall, startRecordingProxy } from './recording-proxy.ts';
import { ACCOUNT, REGION } from './resolve-intrinsics.ts';
import { type HostedFunction, hostFunction } from './runtime-host.ts';
import type { DeployedFunction } from './template-parts.ts';
import type { Weigh } from './weigh-call.ts';

type Endpoints = {
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly platformUrl: string;
  readonly deployUrl: string;
  /** The hash of the secret with which the gateway emulates the edge. */
  readonly edgeSecretHash: string;
};
export type FunctionStart = {
  /** The cloud assembly, which has the bundles. */
  readonly dir: string;
  readonly deployed: DeployedFunction;
  readonly places: Endpoints;
  /** Receives every call to AWS, and whether the role allows it. */
  readonly onCall: (call: AwsCall, allowed: boolean) => void;
  readonly clockAheadMs?: number;
  /** Weighs the calls of the table, if they are measured. */
  readonly weigh?: Weigh | undefined;
};

/** `close` ends its proxies, too, and removes its temporary folder. */
export async function startFunction(start: FunctionStart): Promise<HostedFunction> {
  const { dir, deployed, places, onCall, clockAheadMs, weigh } = start;
  const { functionName, environment, statements } = deployed;
  await using parts = new AsyncDisposableStack();
  const startProxy = async (service: 'dynamodb' | 'secretsmanager', backendUrl: string) => {
    const scale = service === 'dynamodb' ? { weigh } : {};
    const proxy = await startRecordingProxy({ service, backendUrl, statements, onCall, ...scale });
    parts.defer(() => proxy.close());
    return proxy.url;
  };
  const dynamoDbUrl = await startProxy('dynamodb', places.dynamoDbUrl);
  const secretsManagerUrl = await startProxy('secretsmanager', places.secretsManagerUrl);
  const temporaryDir = mkdtempSync(join(tmpdir(), 'instance-'));
  parts.defer(() => rmSync(temporaryDir, { recursive: true, force: true }));
  const hosted = await hostFunction({
    ...deployed,
    taskRoot: join(dir, deployed.assetPath),
    arn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${functionName}:live`,
    temporaryDir,
    ...(clockAheadMs !== undefined && { clockAheadMs }),
    environment: {
      ...buildLambdaEnvironment({ name: functionName, memoryMb: deployed.memoryMb }),
      ...environment,
      EDGE_SECRET_HASHES: String(environment.EDGE_SECRET_HASHES).replace(/^0{64}/, places.edgeSecretHash),
      PLATFORM_ORIGIN: String(environment.PLATFORM_ORIGIN).replace('https://', `${places.platformUrl}/`),
      AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManagerUrl,
      AWS_ENDPOINT_URL_LAMBDA: places.deployUrl,
      AWS_ENDPOINT_URL_CODEDEPLOY: places.deployUrl,
    },
  });
  parts.defer(() => hosted.close());
  const owned = parts.move();
  return { ...hosted, close: () => owned.disposeAsync() };
}
