/**
 * The payload of a forwarded change is asked for more than the client selects of it, so that the answer tells what
 * became of the change.
 */
import { type AdminAnswer, isWhollyDenied } from '../../lib/platform/admin-api/admin-answer.ts';
import type { StoredResponse } from '../../lib/storage/idempotency-record.ts';
import { ATTEMPT, type ObservedAttempt } from '../../lib/timeline/observed-attempt.ts';
import type { ForwardedChange } from '../plan/forwarded-change.ts';
import { schemaTable } from '../schema/generated/schema-table.ts';
import { ADDRESS_CONTENT } from './read-before-change.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { fieldType, namedType } from './selection/type-reference.ts';

const REFUSALS = `${SERVICE_ALIAS}Refusals`;

const ATTEMPTED = `${SERVICE_ALIAS}Attempted`;

const MADE = `${SERVICE_ALIAS}Made`;

const ADDRESS_AFTER = `${SERVICE_ALIAS}AddressAfter`;

const JOB = `${SERVICE_ALIAS}Job`;

/**
 * The selection of ours that is added to the client's selection of the payload. `errors`: what is kept of a user error
 * for those who repeat the change; undefined: it has no key.
 */
export function recordedSelection(
  { makesContract, makesAttempt, makesJob, address }: ForwardedChange,
  errors?: string,
): string {
  const made = makesContract ? ` ${MADE}: contract { id }` : '';
  const attempt = makesAttempt
    ? ` ${ATTEMPTED}: subscriptionBillingAttempt { ${ATTEMPT} subscriptionContract { id } }`
    : '';
  const addressAfter = address ? ` ${ADDRESS_AFTER}: address ${ADDRESS_CONTENT}` : '';
  const job = makesJob && errors !== undefined ? ` ${JOB}: job { id }` : '';
  return `${refusalsOf(errors ?? 'message')}${made}${attempt}${addressAfter}${job}`;
}

/**
 * The selection of ours for a payload of this type, where the timeline tells nothing of the change: whether it was refused.
 * Empty: the type has no user errors.
 */
export function refusalSelection(payloadType: string): string {
  return fieldType(namedType(payloadType), 'userErrors') === undefined ? '' : refusalsOf('message');
}

function refusalsOf(selected: string): string {
  return `${REFUSALS}: userErrors { ${selected} }`;
}

type MadeAttempt = ObservedAttempt & { readonly subscriptionContract: { readonly id: string } };

type Outcome = {
  readonly outcome: 'done' | 'refused' | 'unknown';
  readonly contractId?: string | undefined;
  readonly attempt?: MadeAttempt | undefined;
  readonly address?: unknown;
  /** What those who repeat the change are told. */
  readonly response?: Partial<StoredResponse>;
};

/** The outcome of a recorded mutation, by its answer. */
export function outcomeOf({ data, errors }: AdminAnswer, key: string): Outcome {
  const payload = data?.[key] as Record<string, unknown> | null | undefined;
  if (payload === null || payload === undefined) {
    return { outcome: isWhollyDenied({ data, errors }) ? 'refused' : 'unknown' };
  }
  const refusals = payload[REFUSALS];
  if (!Array.isArray(refusals)) return { outcome: 'refused' };
  if (refusals.length > 0) return { outcome: 'refused', response: { userErrors: refusals } };
  const made = payload[MADE] as { readonly id: string } | null | undefined;
  const attempt = payload[ATTEMPTED] as MadeAttempt | null | undefined;
  // An attempt was certainly made, and nobody knows which one.
  if (attempt === null) return { outcome: 'unknown' };
  const job = payload[JOB] as { readonly id: string } | null | undefined;
  const ids = {
    ...(made && { contract: made.id }),
    ...(attempt && { subscriptionBillingAttempt: attempt.id }),
    ...(job && { job: job.id }),
  };
  return {
    outcome: 'done',
    contractId: made?.id,
    attempt,
    address: payload[ADDRESS_AFTER],
    response: { ids },
  };
}

/** What the user errors of a payload say, as a selection. */
export function wholeErrors(payloadType: string): string {
  const entry = schemaTable[namedType(fieldType(namedType(payloadType), 'userErrors') ?? '')];
  const fields = entry?.kind === 'OBJECT' ? Object.keys(entry.fields) : [];
  return ['field', 'message', 'code'].filter((name) => fields.includes(name)).join(' ');
}
