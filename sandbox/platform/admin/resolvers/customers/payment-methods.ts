/** How customers pay: reading a method, its card or agreement. Changing them is payment-method-changes.ts. */
import type {
  CardRecord,
  PaymentMethodRecord,
  PaypalRecord,
  ShopPayRecord,
} from '../../../state/customer-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { gid, tailOf } from '../../gid.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { contractsPage } from '../contracts/contracts.ts';

/** The method of that id, or undefined. */
export function paymentMethodOf(id: string, { store }: AdminContext): PaymentMethodRecord | undefined {
  return store.paymentMethods.get(tailOf(id, 'CustomerPaymentMethod'));
}

const monthsOfNotice = 2;

type CardExpiry = Pick<CardRecord, 'expiryYear' | 'expiryMonth'>;

function expiresSoon({ expiryYear, expiryMonth }: CardExpiry, nowMs: number): boolean {
  const now = new Date(nowMs);
  return (expiryYear - now.getUTCFullYear()) * 12 + expiryMonth - (now.getUTCMonth() + 1) < monthsOfNotice;
}

export const paymentMethodResolvers: ResolverMap = {
  QueryRoot: {
    customerPaymentMethod: (_parent: unknown, args: { id: string; showRevoked: boolean }, context) => {
      const method = paymentMethodOf(args.id, context);
      return method === undefined || (method.revokedAt !== null && !args.showRevoked) ? null : method;
    },
  },
  CustomerPaymentMethod: fieldsOf<PaymentMethodRecord>({
    id: ({ id }) => gid('CustomerPaymentMethod', id),
    customer: ({ customerId }, _args, { store }) => store.customers.get(customerId) ?? null,
    instrument: ({ instrument, revokedAt }) => (revokedAt === null ? instrument : null),
    subscriptionContracts: ({ id }, args: ConnectionArgs, context) =>
      contractsPage(context, args, ({ content }) => content.paymentMethodId === id),
  }),
  CustomerCreditCard: fieldsOf<CardRecord>({
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
  CustomerPaypalBillingAgreement: fieldsOf<PaypalRecord>({}),
  CustomerShopPayAgreement: fieldsOf<ShopPayRecord>({
    expiresSoon: (card, _args, { nowMs }) => expiresSoon(card, nowMs),
    isRevocable: () => true,
    maskedNumber: ({ lastDigits }) => `•••• •••• •••• ${lastDigits}`,
  }),
};
