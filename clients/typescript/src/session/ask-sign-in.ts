/**
 * Sends a request to a sign-in endpoint. It is resent unchanged until the service responds, because each endpoint
 * returns the same response to a retry.
 */
import { type Answer, callService } from '../request/call-service.ts';
import { keepTrying } from '../request/retry.ts';
import type { SessionParts } from './parts.ts';

type Question = {
  readonly step: 'start' | 'exchange' | 'refresh' | 'revoke';
  /** The fields sent with the store's domain. */
  readonly fields?: object;
  readonly leftMs?: number;
  readonly attempt?: number;
};

/** Sends one attempt. */
export function askOnce(parts: SessionParts, { step, fields, ...limit }: Question): Promise<Answer> {
  return callService(parts, {
    method: step === 'revoke' ? 'DELETE' : 'POST',
    path: `/headless-auth/${step}`,
    operationName: step,
    body: { shop: parts.shop, ...fields },
    ...limit,
  });
}

/** Retries until the deadline, also when `read` rejects the response of another server. */
export function askOften<Result>(
  parts: SessionParts,
  question: Question,
  read: (answer: Answer) => Result,
): Promise<Result> {
  const run = async (leftMs: () => number, attempt: number) =>
    read(await askOnce(parts, { ...question, leftMs: leftMs(), attempt }));
  return keepTrying(parts, { run });
}
