/** The outcome of an attempt to charge an order, from the platform's states and errors. */
import type { PaymentAttempt } from './generated/shared/types.ts';

/** The outcome of an attempt to charge an order. */
export type AttemptOutcome = {
  /** The result; ACTION_REQUIRED if the customer has to confirm the payment. */
  readonly outcome: 'PENDING' | 'ACTION_REQUIRED' | 'DECLINED' | 'PAID';
  /** The platform's code of a declined attempt; UNEXPECTED_ERROR if the platform returns no code. */
  readonly errorCode: string | null;
  /** The page on which the customer confirms the payment (3-D Secure); only for this customer. */
  readonly nextActionUrl: string | null;
};

type AttemptState = PaymentAttempt['state'];
type AttemptError = Extract<AttemptState, { readonly error: unknown }>['error'];

export function toAttemptOutcome(state: AttemptState | undefined): AttemptOutcome {
  const pendingOutcome = { outcome: 'PENDING', errorCode: null, nextActionUrl: null } as const;
  if (!state) return pendingOutcome;
  if ('error' in state)
    return { ...pendingOutcome, outcome: 'DECLINED', errorCode: toErrorCode(state.error) };
  if ('action' in state)
    return { ...pendingOutcome, outcome: 'ACTION_REQUIRED', nextActionUrl: state.action.nextActionUrl };
  return state.__typename === 'SubscriptionBillingAttemptSuccessState'
    ? { ...pendingOutcome, outcome: 'PAID' }
    : pendingOutcome;
}

function toErrorCode(error: AttemptError): string {
  if ('code' in error) return error.code;
  if ('inventoryCode' in error) return error.inventoryCode;
  return 'generalCode' in error ? error.generalCode : 'UNEXPECTED_ERROR';
}
