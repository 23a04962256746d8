/** The change of lines in tests: of Ada's weekly contract, one House Blend in its seventh cycle. */
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { OperationCase } from './operation-cases.ts';
import { gid } from './operation-world.ts';

export const LINES = `mutation ($contractId: ID!, $add: [SubscriptionLineAddInput!], $update: [SubscriptionLineChangeInput!], $remove: [ID!]) {
  subscriptionContractLinesUpdate(contractId: $contractId, add: $add, update: $update, remove: $remove) {
    contract {
      lines(first: 10) { nodes { variantId quantity sellingPlanId currentPrice { amount } lineDiscountedPrice { amount } } }
    }
    userErrors { field message code }
  }
}`;

export const house250 = gid('ProductVariant', 810100101);
export const house500 = gid('ProductVariant', 810100102);
export const decaf250 = gid('ProductVariant', 810100201);
export const filters100 = gid('ProductVariant', 810100301);
export const mug = gid('ProductVariant', 810100401);
export const draftProduct = gid('ProductVariant', 810100501);
export const weeklyPlan = gid('SellingPlan', 830100101);
export const monthlyPlan = gid('SellingPlan', 830100103);

/** The id of a contract's line, as clients name it. */
export function lineId({ content }: ContractRecord, index = 0): string {
  return gid('SubscriptionLine', content.lines[index]?.id ?? 'none');
}

/** Variant, quantity and price in cents of every line. */
export function linesOf({ content }: ContractRecord): (readonly [number | null, number, number])[] {
  return content.lines.map((line) => [line.variantId, line.quantity, line.currentPriceMinor] as const);
}

/** Three of the decaf in place of the one House Blend, at the plan's 15 % off. */
export const linesCase: OperationCase = {
  query: LINES,
  variables: (contract) => ({
    update: [{ lineId: lineId(contract), quantity: 3, productVariantId: decaf250 }],
  }),
  contractArgument: 'contractId',
  fact: linesOf,
  after: [[810100201, 3, 1275]],
  payload: {
    contract: {
      lines: {
        nodes: [
          {
            variantId: decaf250,
            quantity: 3,
            sellingPlanId: weeklyPlan,
            currentPrice: { amount: '12.75' },
            lineDiscountedPrice: { amount: '38.25' },
          },
        ],
      },
    },
  },
  changesBy: 'subscriptionDraftCommit',
  // A customer's change reads the delivery options before and after; the platform's first answer is that it does not know yet.
  requests: { change: { customer: 6, store: 4, 'store for a customer': 6 }, retry: 2 },
  action: 'subscription_lines_updated',
};
