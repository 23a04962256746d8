/**
 * The endpoint answers a query before anybody asks it (warm-container.ts): through all of its steps, which compiles the
 * code and makes the schema and the rules. The store and the platform's answer are made up.
 */
import type { Context } from 'aws-lambda';
import type { PrepareDocument } from '../../graphql/compile/prepare-document.ts';
import type { Environment } from '../../lib/config/environment.ts';
import type { HttpEvent, HttpResult } from '../../lib/http/exchange.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { createAdminClient, type SendAdminOperation } from '../../lib/platform/admin-api/admin-client.ts';
import { createThrottleBuckets } from '../../lib/platform/admin-api/throttle-buckets.ts';
import { composeGraphql } from './compose-graphql.ts';
import { warmUpAnswer, warmUpEvent } from './warm-up-query.ts';

/** What the endpoint has in place of its real parts when it answers the warm-up query. */
export type WarmUpParts = {
  readonly logger: Logger;
  readonly prepareDocument: PrepareDocument;
  readonly sendAdminOperation: SendAdminOperation;
};
export type WarmUpQuery = {
  readonly environment: Environment;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Where the endpoint is asked. */
  readonly path: string;
  readonly endpoint: (
    parts: WarmUpParts,
  ) => (event: HttpEvent<never>, context: Context) => Promise<HttpResult | undefined>;
};

/** As its text, then read. To do it again makes the first answer no faster. */
const RUNS = [true, false];

/** The endpoint answers the warm-up query. Throws an error if it is not answered as it should be. */
export async function answerWarmUpQuery({
  endpoint,
  environment,
  path,
  ...parts
}: WarmUpQuery): Promise<void> {
  const { prepareDocument } = composeGraphql();
  const send = warmUpClient(environment, parts);
  for (const takesText of RUNS) {
    const sendAdminOperation: SendAdminOperation = (operation) => send({ ...operation, takesText });
    const answer = endpoint({ logger: SILENT, prepareDocument, sendAdminOperation });
    const event = warmUpEvent(path, environment.gidNamespace) as unknown as HttpEvent<never>;
    const result = await answer(event, { awsRequestId: 'init' } as Context);
    if (result?.statusCode !== 200 || !result.body?.includes('Nothing')) {
      throw new Error(`the warm-up query was answered with ${result?.statusCode} ${result?.body}`);
    }
  }
}

/** The real client, but for what leaves this process. */
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
