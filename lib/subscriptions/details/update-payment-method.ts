/** A contract gets another payment method. The method has to be a living one of the contract's own customer. */
import { paymentMethodFact } from '../../timeline/changed-fact.ts';
import { type ContractFacts, checkOwner } from '../contract-facts.ts';
import type { DraftDecision } from '../draft/draft-operation.ts';
import { runDraft } from '../draft/run-draft.ts';
import type { Operation } from '../operation.ts';
import { refuse } from '../operation-error.ts';

type Customer = { readonly customer: { readonly id: string } | null };
type Method = Customer & { readonly id: string; readonly revokedAt: string | null };
type State = {
  readonly contract: ContractFacts & { readonly customerPaymentMethod: { readonly id: string } | null };
  /** Null: there is none, or it is revoked. */
  readonly _svcMethod: Method | null;
};

/**
 * Four platform requests; two if nothing changes. userErrors: INVALID on the method. FORBIDDEN if either is foreign.
 */
export const updatePaymentMethod: Operation = (deps, request) => {
  const paymentMethodId = String(request.args.paymentMethodId);
  return runDraft<State>(deps, request, {
    contractArgument: 'contractId',
    reads: {
      contract: 'customerPaymentMethod(showRevoked: true) { id }',
      roots:
        '_svcMethod: customerPaymentMethod(id: $_svcMethodId, showRevoked: true) { id revokedAt customer { id } }',
      declarations: ['$_svcMethodId: ID!'],
      variables: { _svcMethodId: paymentMethodId },
    },
    decide: (state) => {
      checkOwner(deps, state._svcMethod);
      return decide(paymentMethodId, state);
    },
  });
};

function decide(paymentMethodId: string, { contract, _svcMethod: method }: State): DraftDecision<State> {
  const field = ['paymentMethodId'];
  const refused = (message: string): DraftDecision<State> => ({
    kind: 'refused',
    userErrors: [refuse('INVALID', { field, message })],
  });
  if (method === null) return refused('There is no such payment method.');
  const owner = contract.customer?.id;
  if (owner === undefined || method.customer?.id !== owner) {
    return refused("The payment method is not the subscription's customer's.");
  }
  if (method.revokedAt !== null) return refused('The payment method has been revoked.');
  const before = contract.customerPaymentMethod?.id ?? null;
  if (before === method.id) return { kind: 'unchanged' };
  return {
    kind: 'change',
    intent: {
      action: 'subscription_payment_method_updated',
      details: {},
      changes: [paymentMethodFact({ before, after: method.id })],
    },
    mutations: [
      {
        mutation: 'subscriptionDraftUpdate',
        args: { input: ['SubscriptionDraftInput!', { paymentMethodId }] },
        blame: () => field,
      },
    ],
    isDone: ({ contract: now }) => now.customerPaymentMethod?.id === method.id,
  };
}
