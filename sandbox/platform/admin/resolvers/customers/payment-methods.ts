/** Reads payment methods: cards and agreements. payment-method-changes.ts changes them. */
import type {
  CardRecord,
  PaymentMethodRecord,
  PaypalRecord,
  ShopPayRecord,
} from '../../../state/customer-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidTail } from '../../gid.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { createContractsPage } from '../contracts/contracts.ts';

/**
 * Returns the payment method with this id.
 * @returns undefined when it does not exist
 */
export function findPaymentMethod(id: string, { store }: AdminContext): PaymentMethodRecord | undefined {
  return store.paymentMethods.get(requireGidTail(id, 'CustomerPaymentMethod'));
}

const EXPIRY_NOTICE_MONTHS = 2;

type CardExpiry = Pick<CardRecord, 'expiryYear' | 'expiryMonth'>;

function expiresSoon({ expiryYear, expiryMonth }: CardExpiry, nowMs: number): boolean {
  const now = new Date(nowMs);
  return (
    (expiryYear - now.getUTCFullYear()) * 12 + expiryMonth - (now.getUTCMonth() + 1) < EXPIRY_NOTICE_MONTHS
  );
}

export const paymentMethodResolvers: ResolverMap = {
  QueryRoot: {
    customerPaymentMethod: (_parent: unknown, args: { id: string; showRevoked: boolean }, context) => {
      const method = findPaymentMethod(args.id, context);
      return method === undefined || (method.revokedAt !== null && !args.showRevoked) ? null : method;
    },
  },
  CustomerPaymentMethod: typeResolvers<PaymentMethodRecord>({
    id: ({ id }) => formatGid('CustomerPaymentMethod', id),
    customer: ({ customerId }, _args, { store }) => store.customers.get(customerId) ?? null,
    instrument: ({ instrument, revokedAt }) => (revokedAt === null ? instrument : null),
    subscriptionContracts: ({ id }, args: ConnectionArgs, context) =>
      createContractsPage(context, args, ({ content }) => content.paymentMethodId === id),
  }),
  CustomerCreditCard: typeResolvers<CardRecord>({
    expiresSoon: (card, _args, { nowMs }) => expiresSoon(card, nowMs),
    isRevocable: () => true,
    maskedNumber: ({ lastDigits }) => `•••• •••• •••• ${lastDigits}`,
    source: () => null,
    virtualLastDigits: () => null,
  }),
  CustomerCreditCardBillingAddress: {
    countryCode: ({ countryCodeV2 }: { countryCodeV2: string | null }) => countryCodeV2,
  },
  CustomerPaymentInstrumentBillingAddress: {
    countryCode: ({ countryCodeV2 }: { countryCodeV2: string | null }) => countryCodeV2,
    name: ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
      [firstName, lastName].filter(Boolean).join(' '),
  },
  CustomerPaypalBillingAgreement: typeResolvers<PaypalRecord>({}),
  CustomerShopPayAgreement: typeResolvers<ShopPayRecord>({
    expiresSoon: (card, _args, { nowMs }) => expiresSoon(card, nowMs),
    isRevocable: () => true,
    maskedNumber: ({ lastDigits }) => `•••• •••• •••• ${lastDigits}`,
  }),
};
