/**
 * Cards that arrive by a session of the card vault, and methods kept by other payment companies.
 * The emulated vault's session ids say what the card is: `card-visa-1881-09-2031` (brand, last digits, month, year).
 * The stores have no other payment company, so remote references are refused as on such a store.
 */
import type { CardRecord, PaymentMethodRecord } from '../../../state/customer-records.ts';
import { hashId, takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { type AddressInput, parseAddressInput } from '../delivery/address-input.ts';
import { findPaymentMethod } from './payment-methods.ts';

type CardCreateArgs = { billingAddress: AddressInput; sessionId: string };
type CardCreation = { card: CardRecord } | { refusal: ReturnType<typeof createUserErrorPayload> };

function createCardRecord({ billingAddress, sessionId }: CardCreateArgs, name: string): CardCreation {
  const sessionMatch = /^card-([a-z]+)-(\d{4})-(0[1-9]|1[0-2])-(\d{4})$/.exec(sessionId);
  if (sessionMatch === null)
    return { refusal: createUserErrorPayload(['sessionId'], 'Session id is invalid') };
  const { content, problem } = parseAddressInput(billingAddress, null);
  if (content === null)
    return { refusal: createUserErrorPayload(['billingAddress', problem.field], problem.message) };
  const [, brand = '', lastDigits = '', month, year] = sessionMatch;
  const expiry = { expiryMonth: Number(month), expiryYear: Number(year) };
  const cardFields = { brand, lastDigits, firstDigits: null, name, billingAddress: content, declines: null };
  return { card: { __typename: 'CustomerCreditCard', ...cardFields, ...expiry } };
}

function resolveCardCreate(
  _parent: unknown,
  args: CardCreateArgs & { customerId: string },
  { store }: AdminContext,
) {
  const customer = store.customers.get(requireGidNumber(args.customerId, 'Customer'));
  if (customer === undefined) return createUserErrorPayload(['customerId'], 'Customer does not exist');
  const cardCreation = createCardRecord(args, `${customer.firstName} ${customer.lastName}`);
  if ('refusal' in cardCreation) return cardCreation.refusal;
  const methodRecord: PaymentMethodRecord = {
    __typename: 'CustomerPaymentMethod',
    id: hashId(`${store.shop}/card/${takeNextId(store)}`),
    customerId: customer.id,
    revokedAt: null,
    revokedReason: null,
    instrument: cardCreation.card,
  };
  store.paymentMethods.set(methodRecord.id, methodRecord);
  return { customerPaymentMethod: methodRecord, processing: false };
}

function resolveCardUpdate(_parent: unknown, args: CardCreateArgs & { id: string }, context: AdminContext) {
  const methodRecord = findPaymentMethod(args.id, context);
  if (methodRecord?.revokedAt !== null || methodRecord.instrument.__typename !== 'CustomerCreditCard') {
    return createUserErrorPayload(['id'], 'Customer payment method does not exist');
  }
  const cardOutcome = createCardRecord(args, methodRecord.instrument.name);
  if ('refusal' in cardOutcome) return cardOutcome.refusal;
  methodRecord.instrument = cardOutcome.card;
  return { customerPaymentMethod: methodRecord, processing: false };
}

const REMOTE_REFERENCE_ERRORS: Record<string, [message: string, code: string]> = {
  authorizeNetCustomerPaymentProfile: [
    'Authorize.net is not enabled for subscriptions',
    'AUTHORIZE_NET_NOT_ENABLED_FOR_SUBSCRIPTIONS',
  ],
  braintreePaymentMethod: [
    'Braintree is not enabled for subscriptions',
    'BRAINTREE_NOT_ENABLED_FOR_SUBSCRIPTIONS',
  ],
  stripePaymentMethod: ['Stripe is not enabled for subscriptions', 'INVALID'],
};

type RemoteCreateArgs = { customerId: string; remoteReference: Record<string, unknown> };

function resolveRemoteCreate(
  _parent: unknown,
  { customerId, remoteReference }: RemoteCreateArgs,
  { store }: AdminContext,
) {
  if (!store.customers.has(requireGidNumber(customerId, 'Customer'))) {
    return createUserErrorPayload(['customerId'], 'Customer does not exist', 'INVALID');
  }
  const givenNames = Object.keys(remoteReference).filter((name) => remoteReference[name] != null);
  const remoteReferenceError = REMOTE_REFERENCE_ERRORS[givenNames[0] ?? ''];
  if (givenNames.length !== 1 || remoteReferenceError === undefined) {
    return createUserErrorPayload(
      ['remoteReference'],
      'Exactly one remote reference is required',
      'EXACTLY_ONE_REMOTE_REFERENCE_REQUIRED',
    );
  }
  return createUserErrorPayload(['remoteReference', givenNames[0] ?? ''], ...remoteReferenceError);
}

export const cardVaultResolvers: ResolverMap = {
  Mutation: {
    customerPaymentMethodCreditCardCreate: resolveCardCreate,
    customerPaymentMethodCreditCardUpdate: resolveCardUpdate,
    customerPaymentMethodRemoteCreate: resolveRemoteCreate,
  },
};
