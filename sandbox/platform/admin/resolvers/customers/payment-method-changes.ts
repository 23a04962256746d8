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
  const activeMethod = findActiveMethod(args.customerPaymentMethodId, context);
  const customer =
    activeMethod === undefined ? undefined : context.store.customers.get(activeMethod.customerId);
  if (activeMethod === undefined || customer === undefined) {
    return createUserErrorPayload(['customerPaymentMethodId'], 'Customer payment method does not exist');
  }
  const { to, subject, customMessage, bcc } = args.email ?? {};
  const mailText = [customMessage, `Update your payment method: ${createUpdateLink(activeMethod, context)}`]
    .filter(Boolean)
    .join('\n\n');
  const mailRecord = {
    at: formatIsoInstant(context.nowMs),
    subject: subject ?? `Update your payment method for ${context.store.name}`,
    text: mailText,
  };
  for (const recipient of [to ?? customer.email, ...(bcc ?? [])])
    context.state.mails.push({ ...mailRecord, to: recipient });
  return { customer };
}

function resolveGetUpdateUrl(_parent: unknown, args: PaymentMethodArg, context: AdminContext) {
  const activeMethod = findActiveMethod(args.customerPaymentMethodId, context);
  const fieldPath = ['customerPaymentMethodId'];
  if (activeMethod === undefined)
    return createUserErrorPayload(
      fieldPath,
      'Payment method does not exist',
      'PAYMENT_METHOD_DOES_NOT_EXIST',
    );
  if (!context.store.customers.has(activeMethod.customerId)) {
    return createUserErrorPayload(fieldPath, 'Customer does not exist', 'CUSTOMER_DOES_NOT_EXIST');
  }
  if (activeMethod.instrument.__typename !== 'CustomerShopPayAgreement') {
    return createUserErrorPayload(
      fieldPath,
      'Payment method cannot be updated by its link',
      'INVALID_INSTRUMENT',
    );
  }
  return { updatePaymentMethodUrl: createUpdateLink(activeMethod, context) };
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
  const paypalRecord: PaypalRecord = {
    __typename: 'CustomerPaypalBillingAgreement',
    paypalAccountEmail: customer.email,
    inactive: args.inactive,
    isRevocable: true,
    billingAddress: content,
    declines: null,
  };
  const methodRecord: PaymentMethodRecord = {
    __typename: 'CustomerPaymentMethod',
    id,
    customerId: customer.id,
    revokedAt: null,
    revokedReason: null,
    instrument: paypalRecord,
  };
  store.paymentMethods.set(id, methodRecord);
  return { customerPaymentMethod: methodRecord };
}

function resolvePaypalUpdate(
  _parent: unknown,
  args: { id: string; billingAddress: AddressInput },
  context: AdminContext,
) {
  const activeMethod = findActiveMethod(args.id, context);
  if (activeMethod?.instrument.__typename !== 'CustomerPaypalBillingAgreement') {
    return createUserErrorPayload(['id'], 'Customer payment method does not exist', 'INVALID');
  }
  const { content, problem } = parseAddressInput(args.billingAddress, activeMethod.instrument.billingAddress);
  if (content === null)
    return createUserErrorPayload(['billingAddress', problem.field], problem.message, 'INVALID');
  activeMethod.instrument.billingAddress = content;
  return { customerPaymentMethod: activeMethod };
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
