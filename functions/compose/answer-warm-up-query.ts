/**
 * Runs a query through all steps of the endpoint before its first request (warm-container.ts): this compiles the code
 * and creates the schema and the rules. The store and the platform's response are made up.
 */
import type { Context } from 'aws-lambda';
import { createDocuments, type Documents } from '../../graphql/compile/prepare-document.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { createAdminClient, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createThrottleBuckets } from '../../lib/platform/admin-api/throttle-buckets.ts';
import { warmUpAnswer, warmUpEvent } from './warm-up-query.ts';

/** The parts that the endpoint uses for the warm-up query in place of the real ones. */
export type WarmUpParts = {
  readonly logger: Logger;
  readonly documents: Documents;
  readonly sendAdminOperation: SendAdminOperation;
};
export type WarmUpQuery = {
  readonly environment: Environment;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** The endpoint's path. */
  readonly path: string;
  readonly endpoint: (
    parts: WarmUpParts,
  ) => (event: HttpEvent<never>, context: Context) => Promise<HttpResult | undefined>;
};

/** First with the response as text, then parsed. Further runs do not make the first response faster. */
const RUNS = [true, false];

/**
 * Runs the warm-up query.
 * @throws Error when the response is unexpected
 */
export async function answerWarmUpQuery({
  endpoint,
  environment,
  path,
  ...parts
}: WarmUpQuery): Promise<void> {
  const documents = createDocuments();
  const send = warmUpClient(environment, parts);
  for (const takesText of RUNS) {
    const sendAdminOperation: SendAdminOperation = (operation) => send({ ...operation, takesText });
    const answer = endpoint({ logger: SILENT, documents, sendAdminOperation });
    const event = warmUpEvent(path, environment.gidNamespace) as unknown as HttpEvent<never>;
    const result = await answer(event, { awsRequestId: 'init' } as Context);
    if (result?.statusCode !== 200 || !result.body?.includes('Nothing')) {
      throw new Error(`the warm-up query was answered with ${result?.statusCode} ${result?.body}`);
    }
  }
}

/** Creates the real client, without access to the network. */
function warmUpClient(environment: Environment, { now, wait }: Pick<WarmUpQuery, 'now' | 'wait'>) {
  const { platformOrigin, platformApiVersion, platformGidNamespace } = environment;
  const body = warmUpAnswer(platformGidNamespace);
  const token = async () => ({ accessToken: '', versionId: '' });
  return createAdminClient({
    send: async () => ({ status: 200, retryAfter: undefined, apiVersion: platformApiVersion, body }),
    grants: { read: token, renew: token },
    buckets: createThrottleBuckets({ now }),
    logger: SILENT,
    random: Math.random,
    ...{ platformOrigin, platformApiVersion, now, wait },
  });
}

const nothing = () => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
