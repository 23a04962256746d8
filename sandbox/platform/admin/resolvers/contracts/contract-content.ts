/** The fields that contracts, drafts and edited contracts of one cycle have in common. */
import type { ContractContent } from '../../../state/contract-records.ts';
import { fieldsOf } from '../../context.ts';
import type { ConnectionArgs } from '../../lists/connections.ts';
import { moneyV2 } from '../../money.ts';
import { deliveryMethodView } from '../delivery/delivery-method.ts';
import { appOf, appUrl } from './apps.ts';
import { discountView } from './discount-view.ts';
import { discountsPage } from './discounts.ts';
import { linesPage } from './lines.ts';

/** Resolvers over whatever record holds a content. */
export function contentFields<Parent>(contentOf: (parent: Parent) => ContractContent) {
  return fieldsOf<Parent>({
    currencyCode: (parent) => contentOf(parent).currencyCode,
    customAttributes: (parent) => contentOf(parent).customAttributes,
    customer: (parent, _args, { store }) => store.customers.get(contentOf(parent).customerId) ?? null,
    customerPaymentMethod: (parent, args: { showRevoked: boolean }, { store }) => {
      const method = store.paymentMethods.get(contentOf(parent).paymentMethodId ?? '');
      return method === undefined || (method.revokedAt !== null && !args.showRevoked) ? null : method;
    },
    deliveryMethod: (parent, _args, context) => deliveryMethodView(contentOf(parent).deliveryMethod, context),
    deliveryPrice: (parent) => {
      const content = contentOf(parent);
      return moneyV2(content.deliveryPriceMinor, content.currencyCode);
    },
    lines: (parent, args: ConnectionArgs) => linesPage(contentOf(parent).lines, contentOf(parent), args),
    note: (parent) => contentOf(parent).note,
  });
}

/** The fields of the platform's SubscriptionContractBase, which a draft lacks. */
export function contractBaseFields<Parent>(contentOf: (parent: Parent) => ContractContent) {
  return {
    ...contentFields(contentOf),
    ...fieldsOf<Parent>({
      app: (_parent, _args, { store }) => appOf(store),
      appAdminUrl: (_parent, _args, { store }) => appUrl(store),
      discounts: (parent, args: ConnectionArgs) => {
        const content = contentOf(parent);
        return discountsPage({ discounts: content.discounts, content, view: discountView }, args);
      },
      lineCount: (parent) => contentOf(parent).lines.length,
      linesCount: (parent) => ({ count: contentOf(parent).lines.length, precision: 'EXACT' }),
    }),
  };
}
