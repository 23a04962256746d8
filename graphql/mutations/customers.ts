/** The mutations of a customer: address, payment methods, sessions. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { message } from '../../lib/messages/message.ts';
import { createFact } from '../../lib/timeline/facts.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';
import { createForwardedMutation, createIntentsOfOwner, gidTailOf } from './forwarded-mutation.ts';

const loadEndSessions = loadOnce(() => import('../roots/revoke-sessions.ts'));

const sessions: readonly ServiceMutationRecord[] = [
  {
    name: 'customerSessionRevoke',
    kind: 'service',
    objects: [],
    idempotency: { storedFields: ['revokedSessionId'] },
    perform: async (context, request) => (await loadEndSessions()).revokeSessionById(context, request),
  },
  {
    name: 'customerSessionsRevokeOthers',
    kind: 'service',
    objects: [],
    idempotency: { storedFields: ['revokedCount'], isPerSession: true },
    perform: async (context) => (await loadEndSessions()).revokeOtherSessions(context),
  },
];

export const customerMutations = [
  ...sessions,
  createForwardedMutation({
    name: 'customerAddressUpdate',
    objects: ['address'],
    reads: 'customer',
    id: ({ customerId }) => customerId,
    address: ({ addressId }) => addressId,
    intentsOf: ({ subject }) => {
      const changes = [{ coordinate: 'Customer.addressesV2', field: 'addresses', before: null, after: null }];
      return createIntentsOfOwner(subject, 'customer_address_updated', {
        changes,
        except: ['CANCELLED', 'EXPIRED'],
      });
    },
  }),
  createForwardedMutation({
    name: 'customerPaymentMethodRevoke',
    refusesKey: 'it answers an id alone, and a repeat revokes nothing more',
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    intentsOf: ({ subject }, { customerPaymentMethodId }) => {
      const before = gidTailOf(customerPaymentMethodId);
      const changes = [createFact('customerPaymentMethod', { before, after: null })];
      return createIntentsOfOwner(subject, 'payment_method_removed', { changes });
    },
  }),
  createForwardedMutation({
    name: 'customerPaymentMethodSendUpdateEmail',
    objects: ['customer'],
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    cooldown: {
      minutes: 5,
      field: 'customerPaymentMethodId',
      message: (minutes) => message('paymentEmailSent', { minutes }),
    },
    intentsOf: ({ subject }) => createIntentsOfOwner(subject, 'payment_method_update_email_sent', {}),
  }),
];
