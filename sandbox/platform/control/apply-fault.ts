/** Applies a fault to a request, for every endpoint that the service calls. */
import { setTimeout as wait } from 'node:timers/promises';
import type { PlatformResponse } from '../http/response.ts';
import type { PlatformFault } from './platform-fault-plan.ts';

/** `undefined`: the connection is cut without a response. */
export type FaultableResponse = PlatformResponse | undefined;

/** Runs the endpoint, or not, as the fault specifies. A delay precedes the handling, or follows it with `consume`. */
export async function applyFault(
  fault: PlatformFault | undefined,
  handle: () => Promise<PlatformResponse>,
): Promise<FaultableResponse> {
  if (fault === undefined) return handle();
  const handlesFirst = fault.consume === true || fault.cut === 'after';
  const handledResponse = handlesFirst ? await handle() : undefined;
  if (fault.delayMs !== undefined) await wait(fault.delayMs, undefined, { ref: false });
  if (fault.cut !== undefined) return undefined;
  if (fault.status === undefined && fault.body === undefined) return handledResponse ?? handle();
  return createFaultResponse(fault);
}

function createFaultResponse({ status = 200, body = '', headers = {} }: PlatformFault): PlatformResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': guessContentType(body), ...headers }, body: text };
}

function guessContentType(body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) return 'text/html; charset=utf-8';
  return 'application/json; charset=utf-8';
}
