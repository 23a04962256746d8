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
import { ownAnswer, ownEvent } from './own-query.ts';

/** What the endpoint has in place of its real parts when it answers its own query. */
export type OwnParts = {
  readonly logger: Logger;
  readonly prepareDocument: PrepareDocument;
  readonly sendAdminOperation: SendAdminOperation;
};
export type OwnQuery = {
  readonly environment: Environment;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Where the endpoint is asked. */
  readonly path: string;
  readonly endpoint: (
    parts: OwnParts,
  ) => (event: HttpEvent<never>, context: Context) => Promise<HttpResult | undefined>;
};

/** As its text, then read; each twice, for a function is compiled when it is called again. */
const RUNS = [true, true, false, false];

/** The endpoint answers its own query. Throws an error if it is not answered as it should be. */
export async function answerOwnQuery({ endpoint, environment, path, ...parts }: OwnQuery): Promise<void> {
  const { prepareDocument } = composeGraphql();
  const send = ownClient(environment, parts);
  for (const takesText of RUNS) {
    const sendAdminOperation: SendAdminOperation = (operation) => send({ ...operation, takesText });
    const answer = endpoint({ logger: SILENT, prepareDocument, sendAdminOperation });
    const event = ownEvent(path, environment.gidNamespace) as unknown as HttpEvent<never>;
    const result = await answer(event, { awsRequestId: 'init' } as Context);
    if (result?.statusCode !== 200 || !result.body?.includes('Nothing')) {
      throw new Error(`the endpoint's own query was answered with ${result?.statusCode} ${result?.body}`);
    }
  }
}

/** The real client, but for what leaves this process. */
function ownClient(environment: Environment, { now, wait }: Pick<OwnQuery, 'now' | 'wait'>) {
  const { platformOrigin, platformApiVersion, platformGidNamespace } = environment;
  const body = ownAnswer(platformGidNamespace);
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
