import { InvocationFailed, type InvokeFunction } from '../../lib/storage/aws-client/invoke-function.ts';
import { type SendToVersions, SmokeCheckError } from './smoke-checks.ts';
import { parseVersionResponse, type TestedFunction, toApiGatewayEvent } from './version-response.ts';

/** A version of a Lambda function, for example `subscriptions-prod-headless-auth` and `43`. */
type FunctionVersion = { readonly functionName: string; readonly qualifier: string };
type Deps = {
  readonly invoke: InvokeFunction;
  readonly versions: Readonly<Record<TestedFunction, FunctionVersion>>;
  readonly edgeSecret: string | undefined;
  readonly versionKind: 'new' | 'live';
  readonly wait: (ms: number) => Promise<void>;
};

/**
 * How often a request is sent when the response is 503: a new version starts cold, and the table or the platform may be
 * slow once.
 */
const MAX_VERSION_ATTEMPTS = 3;
const RETRY_WAIT_MS = 1_000;

/**
 * Returns a function that sends requests to the new versions, or to the versions of the alias `live`. It repeats a
 * request after a 503.
 */
export function createVersionSender({
  invoke,
  versions,
  edgeSecret,
  versionKind,
  wait,
}: Deps): SendToVersions {
  return async (request) => {
    const { functionName, qualifier } = versions[request.function];
    const invokedVersion = { functionName, qualifier: versionKind === 'live' ? 'live' : qualifier };
    for (let attemptNumber = 1; ; attemptNumber++) {
      const versionResponse = parseVersionResponse(
        await invoke(invokedVersion, toApiGatewayEvent(request, edgeSecret)).catch(throwInvocationFailure),
      );
      if (versionResponse === undefined)
        throw new SmokeCheckError('answered nothing that can be read', { isServiceFault: true });
      if (versionResponse.status !== 503 || attemptNumber >= MAX_VERSION_ATTEMPTS) return versionResponse;
      await wait(RETRY_WAIT_MS * attemptNumber);
    }
  };
}

function throwInvocationFailure(error: unknown): never {
  if (!(error instanceof InvocationFailed)) throw error;
  throw new SmokeCheckError(error.message, { isServiceFault: error.isFunctionFailure });
}
