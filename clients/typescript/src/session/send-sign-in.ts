/**
 * Sends a request to a sign-in endpoint. It is resent unchanged until the service responds, because each endpoint
 * returns the same response to a retry.
 */
import { callService, type ServiceResponse } from '../request/call-service.ts';
import { retryRequest } from '../request/retry.ts';
import type { SessionDeps } from './session-deps.ts';

type SignInRequest = {
  readonly step: 'start' | 'exchange' | 'refresh' | 'revoke';
  /** The fields of the body beside the store's domain. */
  readonly fields?: object;
  readonly leftMs?: number;
  readonly attempt?: number;
};

/** Sends one attempt. */
export function sendSignInOnce(
  deps: SessionDeps,
  { step, fields, ...limit }: SignInRequest,
): Promise<ServiceResponse> {
  return callService(deps, {
    method: step === 'revoke' ? 'DELETE' : 'POST',
    path: `/headless-auth/${step}`,
    operationName: step,
    body: { shop: deps.shop, ...fields },
    ...limit,
  });
}

/** Retries until the deadline, also when `readResponse` rejects the response of another server. */
export function sendSignInWithRetries<Result>(
  deps: SessionDeps,
  request: SignInRequest,
  readResponse: (response: ServiceResponse) => Result,
): Promise<Result> {
  const sendAttempt = async (leftMs: () => number, attempt: number) =>
    readResponse(await sendSignInOnce(deps, { ...request, leftMs: leftMs(), attempt }));
  return retryRequest(deps, { run: sendAttempt });
}
