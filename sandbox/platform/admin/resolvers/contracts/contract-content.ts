/** The fields that contracts, drafts and edited contracts of one cycle have in common. */
import type { ContractContent } from '../../../state/contract-records.ts';
import { typeResolvers } from '../../context.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { toMoneyV2 } from '../../money.ts';
import { toDeliveryMethodView } from '../delivery/delivery-method.ts';
import { formatAppUrl, toAppView } from './apps.ts';
import { toDiscountView } from './discount-view.ts';
import { createDiscountsPage } from './discounts.ts';
import { createLinesPage } from './lines.ts';

/** Creates the resolvers for a type of record that has a contract's content. */
export function createContentResolvers<Parent>(contentOf: (parent: Parent) => ContractContent) {
  return typeResolvers<Parent>({
    currencyCode: (parent) => contentOf(parent).currencyCode,
    customAttributes: (parent) => contentOf(parent).customAttributes,
    customer: (parent, _args, { store }) => store.customers.get(contentOf(parent).customerId) ?? null,
    customerPaymentMethod: (parent, args: { showRevoked: boolean }, { store }) => {
      const method = store.paymentMethods.peek(contentOf(parent).paymentMethodId ?? '');
      return method === undefined || (method.revokedAt !== null && !args.showRevoked) ? null : method;
    },
    deliveryMethod: (parent, _args, context) =>
      toDeliveryMethodView(contentOf(parent).deliveryMethod, context),
    deliveryPrice: (parent) => {
      const content = contentOf(parent);
      return toMoneyV2(content.deliveryPriceMinor, content.currencyCode);
    },
    lines: (parent, args: ConnectionArgs) =>
      createLinesPage(contentOf(parent).lines, contentOf(parent), args),
    note: (parent) => contentOf(parent).note,
  });
}

/** Creates the resolvers of SubscriptionContractBase, whose fields a draft does not have. */
export function createContractBaseResolvers<Parent>(contentOf: (parent: Parent) => ContractContent) {
  return {
    ...createContentResolvers(contentOf),
    ...typeResolvers<Parent>({
      app: (_parent, _args, { store }) => toAppView(store),
      appAdminUrl: (_parent, _args, { store }) => formatAppUrl(store),
      discounts: (parent, args: ConnectionArgs) => {
        const content = contentOf(parent);
        return createDiscountsPage({ discounts: content.discounts, content, view: toDiscountView }, args);
      },
      lineCount: (parent) => contentOf(parent).lines.length,
      linesCount: (parent) => ({ count: contentOf(parent).lines.length, precision: 'EXACT' }),
    }),
  };
}
