/** What a client asks for with a pause: when it ends, and why it is made. */
import type { OperationRequest } from './operation.ts';
import type { OperationError } from './operation-error.ts';

export type PauseTerms = {
  /** Undefined: it does not end by itself. */
  readonly resumesAtMs: number | undefined;
  readonly reason: string | undefined;
};

/** The terms in a client's arguments. No reason and an empty one are the same. */
export function pauseTermsOf({ args }: OperationRequest): PauseTerms {
  const { until, reason } = args;
  return {
    resumesAtMs: typeof until === 'string' ? Date.parse(until) : undefined,
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : undefined,
  };
}

const MAX_REASON_LENGTH = 1000;

/** DATE_IN_PAST, DATE_TOO_FAR (more than a year ahead), INVALID (a reason of more than 1,000 characters). */
export function refuseTerms({ resumesAtMs, reason }: PauseTerms, nowMs: number): OperationError | undefined {
  const error = (field: string, message: string, code: string) => ({ field: [field], message, code });
  if (reason !== undefined && reason.length > MAX_REASON_LENGTH) {
    return error('reason', `The reason is longer than ${MAX_REASON_LENGTH} characters.`, 'INVALID');
  }
  if (resumesAtMs === undefined) return undefined;
  if (resumesAtMs <= nowMs) return error('until', 'The date is past.', 'DATE_IN_PAST');
  return resumesAtMs > yearAfter(nowMs)
    ? error('until', 'The date is more than a year ahead.', 'DATE_TOO_FAR')
    : undefined;
}

function yearAfter(nowMs: number): number {
  const date = new Date(nowMs);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}
