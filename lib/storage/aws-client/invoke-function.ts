/** Invokes a version of a Lambda function and returns its result. */
import type { AwsCredentials } from '../../config/aws-environment.ts';
import { createRequestSigner } from './sign-request.ts';

/**
 * Invokes the function with the event. `qualifier` is the number of a version, or an alias.
 * @throws InvocationFailed when there is no result
 */
export type InvokeFunction = (
  version: { readonly functionName: string; readonly qualifier: string },
  event: object,
) => Promise<unknown>;

/** `isFunctionFailure` is true when the function crashed or ran out of time or memory, false when Lambda did not run it. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
  readonly isFunctionFailure: boolean;
  constructor(problem: string, { isFunctionFailure }: { readonly isFunctionFailure: boolean }) {
    super(problem);
    this.isFunctionFailure = isFunctionFailure;
  }
}

type InvokeFunctionOptions = {
  readonly endpoint: URL;
  readonly region: string;
  readonly credentials: () => AwsCredentials;
  readonly now: () => number;
};

/** Longer than a cold start plus the timeout of any function that serves requests. */
const INVOCATION_TIMEOUT_MS = 45_000;

/** Creates the client for the Lambda endpoint of a region. */
export function createInvokeFunction({
  endpoint,
  region,
  credentials,
  now,
}: InvokeFunctionOptions): InvokeFunction {
  const contentType = 'application/json';
  const { host } = endpoint;
  const signRequest = createRequestSigner({ host, region, credentials, contentType, service: 'lambda' });
  return async ({ functionName, qualifier }, event) => {
    const encodedName = encodeURIComponent(functionName);
    const path = `/2015-03-31/functions/${encodedName}/invocations`;
    const query = `Qualifier=${encodeURIComponent(qualifier)}`;
    const body = JSON.stringify(event);
    // `fetch` sets these two headers itself, to the same values.
    const {
      Host: _host,
      'Content-Length': _length,
      ...headers
    } = signRequest({ path, query, body, signedAtMs: now() });
    const signal = AbortSignal.timeout(INVOCATION_TIMEOUT_MS);
    const httpResponse = await fetch(new URL(`${path}?${query}`, endpoint), {
      ...{ method: 'POST', headers, body, signal },
    }).catch((error: Error) => throwInvocationFailed(error.name));
    const functionError = httpResponse.headers.get('x-amz-function-error');
    if (functionError !== null)
      throw new InvocationFailed('crashed or ran out of time', { isFunctionFailure: true });
    if (httpResponse.status !== 200) return throwInvocationFailed(`status ${httpResponse.status}`);
    return httpResponse.json().catch(() => undefined);
  };
}

function throwInvocationFailed(reason: string): never {
  throw new InvocationFailed(`Lambda did not run it: ${reason}`, { isFunctionFailure: false });
}
