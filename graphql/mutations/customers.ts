/** The mutations of a customer: address, payment methods, sessions. */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { message } from '../../lib/messages/message.ts';
import { EMAIL_COOLDOWN_MINUTES, emailSentRecentlyError } from '../../lib/subscriptions/email-cooldown.ts';
import { createUserError } from '../../lib/subscriptions/operation-error.ts';
import type { EventAction } from '../../lib/timeline/actions.ts';
import { createFact } from '../../lib/timeline/facts.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';
import { createForwardedMutation, createIntentsOfOwner, parseGidTail } from './forwarded-mutation.ts';

const loadRevokeSessions = loadOnce(() => import('../roots/revoke-sessions.ts'));

const createEmailIntents = (method: unknown) =>
  createIntentsOfOwner(method, 'payment_method_update_email_sent', {});

const loadStartPaymentMethodUpdate = loadOnce(() => import('../roots/start-payment-method-update.ts'));

const START_PAYMENT_METHOD_UPDATE: ServiceMutationRecord = {
  name: 'customerPaymentMethodStartUpdate',
  kind: 'service',
  objectFields: [],
  // The payload's URL is a secret, so it is not stored.
  idempotency: { storedFields: ['emailSent'] },
  storesOutcome: true,
  perform: async (context, request) =>
    (await loadStartPaymentMethodUpdate()).startPaymentMethodUpdate(context, request, createEmailIntents),
};

const SESSION_MUTATIONS: readonly ServiceMutationRecord[] = [
  {
    name: 'customerSessionRevoke',
    kind: 'service',
    objectFields: [],
    idempotency: { storedFields: ['revokedSessionId'] },
    perform: async (context, request) => (await loadRevokeSessions()).revokeSessionById(context, request),
  },
  {
    name: 'customerSessionsRevokeOthers',
    kind: 'service',
    objectFields: [],
    idempotency: { storedFields: ['revokedCount'], isPerSession: true },
    perform: async (context) => (await loadRevokeSessions()).revokeOtherSessions(context),
  },
];

/** The maximum number of addresses that a customer can have. Only the platform limits a merchant's own requests. */
const MAX_ADDRESSES_PER_CUSTOMER = 20;

/** Returns an intent on each contract that has not ended. An address is recorded without its values. */
function createAddressIntents(subject: unknown, action: EventAction) {
  const changes = [{ coordinate: 'Customer.addressesV2', field: 'addresses', before: null, after: null }];
  return createIntentsOfOwner(subject, action, { changes, except: ['CANCELLED', 'EXPIRED'] });
}

export const CUSTOMER_MUTATIONS = [
  ...SESSION_MUTATIONS,
  START_PAYMENT_METHOD_UPDATE,
  createForwardedMutation({
    name: 'customerAddressCreate',
    objectFields: ['address'],
    reads: 'customer',
    id: ({ customerId }) => customerId,
    makesAddress: true,
    limit: {
      maximum: MAX_ADDRESSES_PER_CUSTOMER,
      refusal: createUserError('ADDRESS_LIMIT_REACHED', {
        field: ['address'],
        message: message('addressesTooMany', { maximum: MAX_ADDRESSES_PER_CUSTOMER }),
      }),
    },
    intentsOf: ({ subject }) => createAddressIntents(subject, 'customer_address_added'),
  }),
  createForwardedMutation({
    name: 'customerAddressUpdate',
    objectFields: ['address'],
    reads: 'customer',
    id: ({ customerId }) => customerId,
    address: ({ addressId }) => addressId,
    intentsOf: ({ subject }) => createAddressIntents(subject, 'customer_address_updated'),
  }),
  createForwardedMutation({
    name: 'customerPaymentMethodRevoke',
    refusesKey: 'it answers an id alone, and a repeat revokes nothing more',
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    intentsOf: ({ subject }, { customerPaymentMethodId }) => {
      const previousMethodId = parseGidTail(customerPaymentMethodId);
      const methodChanges = [createFact('customerPaymentMethod', { before: previousMethodId, after: null })];
      return createIntentsOfOwner(subject, 'payment_method_removed', { changes: methodChanges });
    },
  }),
  createForwardedMutation({
    name: 'customerPaymentMethodSendUpdateEmail',
    objectFields: ['customer'],
    reads: 'payment method',
    id: ({ customerPaymentMethodId }) => customerPaymentMethodId,
    cooldown: {
      minutes: EMAIL_COOLDOWN_MINUTES,
      field: 'customerPaymentMethodId',
      refusal: emailSentRecentlyError,
    },
    intentsOf: ({ subject }) => createEmailIntents(subject),
  }),
];
