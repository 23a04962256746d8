/**
 * Runs a query through all steps of an endpoint before its first request (see warm-container.ts). This compiles the
 * code, and creates the schema and the validation rules. The store and the platform's response are invented.
 */
import type { Context } from 'aws-lambda';
import { createPreparedDocuments, type PreparedDocuments } from '../../graphql/compile/prepare-document.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { createAdminClient, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createThrottleBuckets } from '../../lib/platform/admin-api/throttle-buckets.ts';
import { buildWarmUpEvent, buildWarmUpResponse } from './warm-up-query.ts';

/** The dependencies that the warm-up query replaces. */
export type WarmUpReplaceableDeps = {
  readonly logger: Logger;
  readonly documents: PreparedDocuments;
  readonly sendAdminOperation: SendAdminOperation;
};
export type WarmUpQuery = {
  readonly environment: Environment;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The path of the endpoint. */
  readonly path: string;
  readonly endpoint: (
    replacedDeps: WarmUpReplaceableDeps,
  ) => (event: HttpEvent<never>, context: Context) => Promise<HttpResult | undefined>;
};

/**
 * Whether the endpoint may return the platform's response as JSON text without parsing it. Both ways run once; more
 * runs do not make the first response faster.
 */
const TEXT_RESPONSE_MODES = [true, false];

/**
 * Runs the warm-up query.
 * @throws Error when the response is not the expected one
 */
export async function runWarmUpQuery({
  endpoint,
  environment,
  path,
  ...clientDeps
}: WarmUpQuery): Promise<void> {
  const documents = createPreparedDocuments();
  const sendWarmUp = createWarmUpClient(environment, clientDeps);
  for (const acceptsDataText of TEXT_RESPONSE_MODES) {
    const sendAdminOperation: SendAdminOperation = (operation) =>
      sendWarmUp({ ...operation, acceptsDataText });
    const handleRequest = endpoint({ logger: SILENT_LOGGER, documents, sendAdminOperation });
    const event = buildWarmUpEvent(path, environment.gidNamespace) as unknown as HttpEvent<never>;
    const result = await handleRequest(event, { awsRequestId: 'init' } as Context);
    if (result?.statusCode !== 200 || !result.body?.includes('Nothing')) {
      throw new Error(`the warm-up query was answered with ${result?.statusCode} ${result?.body}`);
    }
  }
}

/** Creates the real Admin API client, but with an invented response in place of the network. */
function createWarmUpClient(environment: Environment, { now, wait }: Pick<WarmUpQuery, 'now' | 'wait'>) {
  const { platformOrigin, platformApiVersion, platformGidNamespace } = environment;
  const responseBody = buildWarmUpResponse(platformGidNamespace);
  const provideEmptyToken = async () => ({ accessToken: '', versionId: '' });
  return createAdminClient({
    send: async () => ({
      status: 200,
      retryAfter: undefined,
      apiVersion: platformApiVersion,
      body: responseBody,
    }),
    grants: { read: provideEmptyToken, renew: provideEmptyToken },
    buckets: createThrottleBuckets({ now }),
    logger: SILENT_LOGGER,
    random: Math.random,
    ...{ platformOrigin, platformApiVersion, now, wait },
  });
}

const doNothing = () => undefined;
const SILENT_LOGGER: Logger = { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing };
