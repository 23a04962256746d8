/**
 * Changes of payment methods: the e-mail and the link with which customers renew them, revocation, PayPal agreements.
 */
import type { PaymentMethodRecord, PaypalRecord } from '../../../state/customer-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import { hashId, takeNextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { type AddressInput, parseAddressInput } from '../delivery/address-input.ts';
import { findPaymentMethod } from './payment-methods.ts';

type PaymentMethodArg = { customerPaymentMethodId: string };
type UpdateEmailInput = {
  to?: string | null;
  subject?: string | null;
  customMessage?: string | null;
  bcc?: string[] | null;
};

function createUpdateLink(method: PaymentMethodRecord, { store, nowMs }: AdminContext): string {
  return `${store.storefrontUrl}/account/payment_methods/${hashId(`${method.id}/${nowMs}`)}/edit`;
}

function resolveSendUpdateEmail(
  _parent: unknown,
  args: PaymentMethodArg & { email?: UpdateEmailInput | null },
  context: AdminContext,
) {
  const method = findActiveMethod(args.customerPaymentMethodId, context);
  const customer = method === undefined ? undefined : context.store.customers.get(method.customerId);
  if (method === undefined || customer === undefined) {
    return createUserErrorPayload(['customerPaymentMethodId'], 'Customer payment method does not exist');
  }
  const { to, subject, customMessage, bcc } = args.email ?? {};
  const text = [customMessage, `Update your payment method: ${createUpdateLink(method, context)}`]
    .filter(Boolean)
    .join('\n\n');
  const mail = {
    at: formatIsoInstant(context.nowMs),
    subject: subject ?? `Update your payment method for ${context.store.name}`,
    text,
  };
  for (const recipient of [to ?? customer.email, ...(bcc ?? [])])
    context.state.mails.push({ ...mail, to: recipient });
  return { customer };
}

function resolveGetUpdateUrl(_parent: unknown, args: PaymentMethodArg, context: AdminContext) {
  const method = findActiveMethod(args.customerPaymentMethodId, context);
  const field = ['customerPaymentMethodId'];
  if (method === undefined)
    return createUserErrorPayload(field, 'Payment method does not exist', 'PAYMENT_METHOD_DOES_NOT_EXIST');
  if (!context.store.customers.has(method.customerId)) {
    return createUserErrorPayload(field, 'Customer does not exist', 'CUSTOMER_DOES_NOT_EXIST');
  }
  if (method.instrument.__typename !== 'CustomerShopPayAgreement') {
    return createUserErrorPayload(
      field,
      'Payment method cannot be updated by its link',
      'INVALID_INSTRUMENT',
    );
  }
  return { updatePaymentMethodUrl: createUpdateLink(method, context) };
}

function resolveRevokeMethod(_parent: unknown, args: PaymentMethodArg, context: AdminContext) {
  const method = findActiveMethod(args.customerPaymentMethodId, context);
  if (method === undefined)
    return createUserErrorPayload(['customerPaymentMethodId'], 'Customer payment method does not exist');
  method.revokedAt = formatIsoInstant(context.nowMs);
  method.revokedReason = 'MANUALLY_REVOKED';
  return { revokedCustomerPaymentMethodId: formatGid('CustomerPaymentMethod', method.id) };
}

type PaypalCreateArgs = {
  customerId: string;
  billingAddress?: AddressInput | null;
  billingAgreementId: string;
  inactive: boolean;
};

function resolvePaypalCreate(_parent: unknown, args: PaypalCreateArgs, { store }: AdminContext) {
  const customer = store.customers.get(requireGidNumber(args.customerId, 'Customer'));
  if (customer === undefined)
    return createUserErrorPayload(['customerId'], 'Customer does not exist', 'INVALID');
  if (!/^B-\w+$/.test(args.billingAgreementId)) {
    return createUserErrorPayload(
      ['billingAgreementId'],
      'Billing agreement id must begin with B-',
      'INVALID',
    );
  }
  const { content } = parseAddressInput(args.billingAddress ?? {}, null);
  const id = hashId(`${store.shop}/paypal/${takeNextId(store)}`);
  const instrument: PaypalRecord = {
    __typename: 'CustomerPaypalBillingAgreement',
    paypalAccountEmail: customer.email,
    inactive: args.inactive,
    isRevocable: true,
    billingAddress: content,
    declines: null,
  };
  const method: PaymentMethodRecord = {
    __typename: 'CustomerPaymentMethod',
    id,
    customerId: customer.id,
    revokedAt: null,
    revokedReason: null,
    instrument,
  };
  store.paymentMethods.set(id, method);
  return { customerPaymentMethod: method };
}

function resolvePaypalUpdate(
  _parent: unknown,
  args: { id: string; billingAddress: AddressInput },
  context: AdminContext,
) {
  const method = findActiveMethod(args.id, context);
  if (method?.instrument.__typename !== 'CustomerPaypalBillingAgreement') {
    return createUserErrorPayload(['id'], 'Customer payment method does not exist', 'INVALID');
  }
  const { content, problem } = parseAddressInput(args.billingAddress, method.instrument.billingAddress);
  if (content === null)
    return createUserErrorPayload(['billingAddress', problem.field], problem.message, 'INVALID');
  method.instrument.billingAddress = content;
  return { customerPaymentMethod: method };
}

/** Returns the payment method, unless it is revoked. */
function findActiveMethod(id: string, context: AdminContext): PaymentMethodRecord | undefined {
  const method = findPaymentMethod(id, context);
  return method?.revokedAt === null ? method : undefined;
}

export const paymentMethodChangeResolvers: ResolverMap = {
  Mutation: {
    customerPaymentMethodGetUpdateUrl: resolveGetUpdateUrl,
    customerPaymentMethodPaypalBillingAgreementCreate: resolvePaypalCreate,
    customerPaymentMethodPaypalBillingAgreementUpdate: resolvePaypalUpdate,
    customerPaymentMethodRevoke: resolveRevokeMethod,
    customerPaymentMethodSendUpdateEmail: resolveSendUpdateEmail,
  },
};
