/**
 * Changes of payment methods: the e-mail and the link with which customers renew them, revocation, PayPal agreements.
 */
import type { PaymentMethodRecord, PaypalRecord } from '../../../state/customer-records.ts';
import { isoInstant } from '../../../state/instant.ts';
import { hashId, nextId } from '../../../state/opaque-id.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import { userErrorPayload } from '../../user-error.ts';
import { type AddressInput, addressContent } from '../delivery/address-input.ts';
import { paymentMethodOf } from './payment-methods.ts';

type MethodArg = { customerPaymentMethodId: string };
type EmailInput = {
  to?: string | null;
  subject?: string | null;
  customMessage?: string | null;
  bcc?: string[] | null;
};

function updateLink(method: PaymentMethodRecord, { store, nowMs }: AdminContext): string {
  return `${store.storefrontUrl}/account/payment_methods/${hashId(`${method.id}/${nowMs}`)}/edit`;
}

function sendUpdateEmail(
  _parent: unknown,
  args: MethodArg & { email?: EmailInput | null },
  context: AdminContext,
) {
  const method = findUsableMethod(args.customerPaymentMethodId, context);
  const customer = method === undefined ? undefined : context.store.customers.get(method.customerId);
  if (method === undefined || customer === undefined) {
    return userErrorPayload(['customerPaymentMethodId'], 'Customer payment method does not exist');
  }
  const { to, subject, customMessage, bcc } = args.email ?? {};
  const text = [customMessage, `Update your payment method: ${updateLink(method, context)}`]
    .filter(Boolean)
    .join('\n\n');
  const mail = {
    at: isoInstant(context.nowMs),
    subject: subject ?? `Update your payment method for ${context.store.name}`,
    text,
  };
  for (const recipient of [to ?? customer.email, ...(bcc ?? [])])
    context.state.mails.push({ ...mail, to: recipient });
  return { customer };
}

function getUpdateUrl(_parent: unknown, args: MethodArg, context: AdminContext) {
  const method = findUsableMethod(args.customerPaymentMethodId, context);
  const field = ['customerPaymentMethodId'];
  if (method === undefined)
    return userErrorPayload(field, 'Payment method does not exist', 'PAYMENT_METHOD_DOES_NOT_EXIST');
  if (!context.store.customers.has(method.customerId)) {
    return userErrorPayload(field, 'Customer does not exist', 'CUSTOMER_DOES_NOT_EXIST');
  }
  if (method.instrument.__typename !== 'CustomerShopPayAgreement') {
    return userErrorPayload(field, 'Payment method cannot be updated by its link', 'INVALID_INSTRUMENT');
  }
  return { updatePaymentMethodUrl: updateLink(method, context) };
}

function revokeMethod(_parent: unknown, args: MethodArg, context: AdminContext) {
  const method = findUsableMethod(args.customerPaymentMethodId, context);
  if (method === undefined)
    return userErrorPayload(['customerPaymentMethodId'], 'Customer payment method does not exist');
  method.revokedAt = isoInstant(context.nowMs);
  method.revokedReason = 'MANUALLY_REVOKED';
  return { revokedCustomerPaymentMethodId: gid('CustomerPaymentMethod', method.id) };
}

type PaypalCreate = {
  customerId: string;
  billingAddress?: AddressInput | null;
  billingAgreementId: string;
  inactive: boolean;
};

function paypalCreate(_parent: unknown, args: PaypalCreate, { store }: AdminContext) {
  const customer = store.customers.get(numberOf(args.customerId, 'Customer'));
  if (customer === undefined) return userErrorPayload(['customerId'], 'Customer does not exist', 'INVALID');
  if (!/^B-\w+$/.test(args.billingAgreementId)) {
    return userErrorPayload(['billingAgreementId'], 'Billing agreement id must begin with B-', 'INVALID');
  }
  const { content } = addressContent(args.billingAddress ?? {}, null);
  const id = hashId(`${store.shop}/paypal/${nextId(store)}`);
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

function paypalUpdate(
  _parent: unknown,
  args: { id: string; billingAddress: AddressInput },
  context: AdminContext,
) {
  const method = findUsableMethod(args.id, context);
  if (method?.instrument.__typename !== 'CustomerPaypalBillingAgreement') {
    return userErrorPayload(['id'], 'Customer payment method does not exist', 'INVALID');
  }
  const { content, problem } = addressContent(args.billingAddress, method.instrument.billingAddress);
  if (content === null)
    return userErrorPayload(['billingAddress', problem.field], problem.message, 'INVALID');
  method.instrument.billingAddress = content;
  return { customerPaymentMethod: method };
}

/** Returns the payment method, unless it is revoked. */
function findUsableMethod(id: string, context: AdminContext): PaymentMethodRecord | undefined {
  const method = paymentMethodOf(id, context);
  return method?.revokedAt === null ? method : undefined;
}

export const paymentMethodChangeResolvers: ResolverMap = {
  Mutation: {
    customerPaymentMethodGetUpdateUrl: getUpdateUrl,
    customerPaymentMethodPaypalBillingAgreementCreate: paypalCreate,
    customerPaymentMethodPaypalBillingAgreementUpdate: paypalUpdate,
    customerPaymentMethodRevoke: revokeMethod,
    customerPaymentMethodSendUpdateEmail: sendUpdateEmail,
  },
};
