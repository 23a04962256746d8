/**
 * Replaces the payment method of a contract. The new method must belong to the contract's customer, and must not be
 * revoked.
 */
import { message } from '../../messages/message.ts';
import { createFact } from '../../timeline/facts.ts';
import { type ContractFacts, requireOwnership } from '../contract-facts.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import type { Operation } from '../operation.ts';
import { createUserError } from '../operation-error.ts';

type ObjectWithCustomer = { readonly customer: { readonly id: string } | null };
type CustomerPaymentMethod = ObjectWithCustomer & { readonly id: string; readonly revokedAt: string | null };
type PaymentMethodState = {
  readonly contract: ContractFacts & { readonly customerPaymentMethod: { readonly id: string } | null };
  /** The requested method. Null when it does not exist. */
  readonly _svcMethod: CustomerPaymentMethod | null;
};

/**
 * Returns the contract, or the user error INVALID for `paymentMethodId`. Sends four platform requests, two if nothing
 * changes.
 * @throws FORBIDDEN when the contract or the method belongs to another customer
 */
export const updatePaymentMethod: Operation = (deps, request) => {
  const paymentMethodId = String(request.args.paymentMethodId);
  return decideDraft<PaymentMethodState>(deps, request, {
    contractArgument: 'contractId',
    reads: {
      contractSelection: 'customerPaymentMethod { id }',
      rootFields:
        '_svcMethod: customerPaymentMethod(id: $_svcMethodId, showRevoked: true) { id revokedAt customer { id } }',
      declarations: ['$_svcMethodId: ID!'],
      variables: { _svcMethodId: paymentMethodId },
    },
    decide: (state) => {
      requireOwnership(deps, state._svcMethod);
      return decidePaymentMethod(paymentMethodId, state);
    },
  });
};

type PaymentMethodErrorKey = 'paymentMethodUnknown' | 'paymentMethodOfOther' | 'paymentMethodRevoked';

function decidePaymentMethod(
  paymentMethodId: string,
  { contract, _svcMethod: paymentMethod }: PaymentMethodState,
): DraftDecision<PaymentMethodState> {
  const fieldPath = ['paymentMethodId'];
  const refuseWith = (key: PaymentMethodErrorKey): DraftDecision<PaymentMethodState> => ({
    kind: 'refused',
    userErrors: [createUserError('INVALID', { field: fieldPath, message: message(key) })],
  });
  if (paymentMethod === null) return refuseWith('paymentMethodUnknown');
  const customerId = contract.customer?.id;
  if (customerId === undefined || paymentMethod.customer?.id !== customerId) {
    return refuseWith('paymentMethodOfOther');
  }
  if (paymentMethod.revokedAt !== null) return refuseWith('paymentMethodRevoked');
  const methodIdBefore = contract.customerPaymentMethod?.id ?? null;
  if (methodIdBefore === paymentMethod.id) return { kind: 'unchanged' };
  return {
    kind: 'change',
    intent: {
      action: 'subscription_payment_method_updated',
      details: {},
      changes: [createFact('customerPaymentMethod', { before: methodIdBefore, after: paymentMethod.id })],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftUpdate',
        args: { input: ['SubscriptionDraftInput!', { paymentMethodId }] },
        toClientField: () => fieldPath,
      },
    ],
    showsChange: ({ contract: currentContract }) =>
      currentContract.customerPaymentMethod?.id === paymentMethod.id,
  };
}
