/**
 * The payload of a forwarded change is asked for more than the client selects of it, so that the answer tells what
 * became of the change.
 */
import { type AdminAnswer, isWhollyDenied } from '../../lib/platform/admin-api/admin-answer.ts';
import { ATTEMPT, type SeenAttempt } from '../../lib/timeline/seen-attempt.ts';
import type { ForwardedChange } from './forwarded-change.ts';
import { ADDRESS_CONTENT } from './read-before-change.ts';
import { OURS } from './selection/ours.ts';

const REFUSALS = `${OURS}Refusals`;

const ATTEMPTED = `${OURS}Attempted`;

const MADE = `${OURS}Made`;

const ADDRESS_AFTER = `${OURS}AddressAfter`;

/** The selection of ours that is added to the client's selection of the payload. */
export function recordedSelection({ makesContract, makesAttempt, address }: ForwardedChange): string {
  const made = makesContract ? ` ${MADE}: contract { id }` : '';
  const attempt = makesAttempt ? ` ${ATTEMPTED}: subscriptionBillingAttempt { ${ATTEMPT} }` : '';
  const kept = address ? ` ${ADDRESS_AFTER}: address ${ADDRESS_CONTENT}` : '';
  return `${REFUSALS}: userErrors { message }${made}${attempt}${kept}`;
}

type Outcome = {
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly contractId?: string | undefined;
  readonly attempt?: SeenAttempt | undefined;
  readonly address?: unknown;
};

/** The outcome of a recorded mutation, by its answer. */
export function outcomeOf({ data, errors }: AdminAnswer, key: string): Outcome {
  const payload = data?.[key] as Record<string, unknown> | null | undefined;
  if (payload === null || payload === undefined) {
    return { outcome: isWhollyDenied({ data, errors }) ? 'refused' : 'unknown' };
  }
  const refusals = payload[REFUSALS];
  if (!Array.isArray(refusals) || refusals.length > 0) return { outcome: 'refused' };
  const made = payload[MADE] as { readonly id: string } | null | undefined;
  const attempt = payload[ATTEMPTED] as SeenAttempt | null | undefined;
  // An attempt was certainly made, and nobody knows which one.
  if (attempt === null) return { outcome: 'unknown' };
  return { outcome: 'done', contractId: made?.id, attempt, address: payload[ADDRESS_AFTER] };
}
