/** A request to one of the sign-in endpoints: the same until it is answered, because each of them answers a repeat as the first. */
import { type Answer, callService } from '../request/call-service.ts';
import { keepTrying } from '../request/retry.ts';
import type { SessionParts } from './parts.ts';

type Question = {
  readonly step: 'start' | 'exchange' | 'refresh' | 'revoke';
  /** Beside the store's domain. */
  readonly fields?: object;
  readonly leftMs?: number;
};

/** One try. */
export function askOnce(parts: SessionParts, { step, fields, ...limit }: Question): Promise<Answer> {
  return callService(parts, {
    method: step === 'revoke' ? 'DELETE' : 'POST',
    path: `/headless-auth/${step}`,
    body: { shop: parts.shop, ...fields },
    ...limit,
  });
}

/** Tries until the deadline, also where `read` finds that the answer is somebody else's. */
export function askOften<Result>(
  parts: SessionParts,
  question: Question,
  read: (answer: Answer) => Result,
): Promise<Result> {
  const run = async (leftMs: () => number) => read(await askOnce(parts, { ...question, leftMs: leftMs() }));
  return keepTrying(parts, { run });
}
