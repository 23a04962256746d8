/**
 * Emulates Lambda's Invoke and CodeDeploy for the function that tries new versions. `live` is the alias; any other
 * qualifier is the new version, which a test may replace.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { ROUTED_FUNCTION_NAMES } from '../../../infra/definition/function-definitions.ts';
import { type ListeningServer, listenOnLoopback } from '../../../sandbox/listen.ts';
import type { AwsCall } from './recording-proxy.ts';
import { ACCOUNT, REGION } from './resolve-intrinsics.ts';

type RunVersion = (event: object) => Promise<unknown>;
type HookStatus = {
  readonly deploymentId: string;
  readonly lifecycleEventHookExecutionId: string;
  readonly status: string;
};
export type DeployStandIn = {
  /** The statuses that the function sent to CodeDeploy, in order. */
  readonly statuses: HookStatus[];
  /** The replacements of new versions, by the function's name. */
  readonly replaced: Map<string, RunVersion>;
  readonly url: string;
  close(): Promise<void>;
};

/** The request does not contain the hook's deployment group; each group has its own right. */
const HOOK_CALLS: readonly AwsCall[] = ROUTED_FUNCTION_NAMES.map((group) => ({
  action: 'codedeploy:PutLifecycleEventHookExecutionStatus',
  resource: `arn:aws:codedeploy:${REGION}:${ACCOUNT}:deploymentgroup:subscriptions-prod/${group}`,
}));
const INVOKE = /^\/2015-03-31\/functions\/([\w-]+)\/invocations\?Qualifier=(\w+)$/;

type Options = {
  /** Runs the version of a function's alias. */
  readonly live: (functionName: string, event: object) => Promise<unknown>;
  /** Receives every call in the form that IAM evaluates. */
  readonly onCall: (call: AwsCall) => void;
};

export async function startDeployStandIn({ live, onCall }: Options): Promise<DeployStandIn> {
  const stand: Omit<DeployStandIn, 'url' | 'close'> = { statuses: [], replaced: new Map() };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await json(request);
    const [, name = '', qualifier] = INVOKE.exec(request.url ?? '') ?? [];
    if (name === '') {
      stand.statuses.push(body as HookStatus);
      for (const call of HOOK_CALLS) onCall(call);
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end('{}');
      return;
    }
    const resource = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}:${qualifier}`;
    onCall({ action: 'lambda:InvokeFunction', resource });
    const replaced = qualifier === 'live' ? undefined : stand.replaced.get(name);
    const run = replaced ?? ((event: object) => live(name, event));
    const outcome = await run(body as object).then(
      (result) => ({ result, headers: {} }),
      (error: Error) => ({
        result: { errorMessage: error.message },
        headers: { 'x-amz-function-error': 'Unhandled' },
      }),
    );
    response.writeHead(200, { 'content-type': 'application/json', ...outcome.headers });
    response.end(JSON.stringify(outcome.result));
  };
  const server: ListeningServer = await listenOnLoopback(
    createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    }),
    0,
  );
  return { ...stand, url: server.url, close: () => server.close() };
}
