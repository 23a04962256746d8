/** Applies a fault to a request, for every endpoint that the service calls. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../http/answer.ts';
import type { Fault } from './faults.ts';

/** `undefined`: the connection is cut without a response. */
export type FaultableAnswer = Answer | undefined;

/** Runs the endpoint, or not, as the fault specifies. A delay precedes the handling, or follows it with `consume`. */
export async function applyFault(
  fault: Fault | undefined,
  handle: () => Promise<Answer>,
): Promise<FaultableAnswer> {
  if (fault === undefined) return handle();
  const handlesFirst = fault.consume === true || fault.cut === 'after';
  const handled = handlesFirst ? await handle() : undefined;
  if (fault.delayMs !== undefined) await wait(fault.delayMs, undefined, { ref: false });
  if (fault.cut !== undefined) return undefined;
  if (fault.status === undefined && fault.body === undefined) return handled ?? handle();
  return faultAnswer(fault);
}

function faultAnswer({ status = 200, body = '', headers = {} }: Fault): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { 'content-type': contentType(body), ...headers }, body: text };
}

function contentType(body: unknown): string {
  if (typeof body === 'string' && body.trimStart().startsWith('<')) return 'text/html; charset=utf-8';
  return 'application/json; charset=utf-8';
}
