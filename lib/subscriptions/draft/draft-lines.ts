/**
 * Reads the lines of a draft with their prices, which the platform computes with all discounts. They are read only
 * when a customer is acting, within the requests that open the draft and make its last change.
 */
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import type { OperationDeps } from '../operation.ts';
import type { Money } from '../order-content.ts';
import { deliveriesPerPayment } from '../selling-plans/frequency.ts';

export type DraftLine = {
  readonly id: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly variantId: string | null;
  readonly quantity: number;
  /** The price of one piece before discounts, for all deliveries that one payment covers. */
  readonly currentPrice: Money;
  /** The price of all pieces after discounts, for one payment. */
  readonly lineDiscountedPrice: Money;
};

type IntervalPolicies = Parameters<typeof deliveriesPerPayment>[0];
export type LinesPage = {
  readonly nodes: readonly DraftLine[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};

export type PricedDraftLines = LinesPage & { readonly deliveriesPerPayment: number };

/** The page size for lines: more than the platform allows on one contract. */
export const MAX_READABLE_LINES = 250;

// The alias of `lines`: the selection of the operation may contain the same field with other subfields.
export const PRICED_LINES_KEY = '_svcLines';
const INTERVAL_SELECTION = '{ interval intervalCount }';
const DRAFT_LINES_SELECTION = `billingPolicy ${INTERVAL_SELECTION} deliveryPolicy ${INTERVAL_SELECTION} ${selectPricedLines(MAX_READABLE_LINES)}`;

/** Returns the selection of the lines that `DraftLine` describes. */
export function selectPricedLines(count: number): string {
  return `${PRICED_LINES_KEY}: lines(first: ${count}) { nodes {
    id title variantTitle variantId quantity currentPrice { amount currencyCode } lineDiscountedPrice { amount currencyCode }
  } pageInfo { hasNextPage } }`;
}

type RequestActor = Pick<OperationDeps, 'actingCustomerId'>;

/** Returns the selection of a draft's lines. Empty when no customer is acting. */
export function selectDraftLines({ actingCustomerId }: RequestActor): string {
  return actingCustomerId === undefined ? '' : DRAFT_LINES_SELECTION;
}

/**
 * Returns the lines that `selectDraftLines` selected in a draft.
 * @returns undefined when no customer is acting
 * @throws PLATFORM_UNAVAILABLE when the platform did not return the lines
 */
export function draftLinesOf(
  { actingCustomerId }: RequestActor,
  draft: unknown,
  errors: readonly PlatformError[],
): PricedDraftLines | undefined {
  if (actingCustomerId === undefined) return undefined;
  const { [PRICED_LINES_KEY]: lines, ...policies } = (draft ?? {}) as IntervalPolicies & {
    readonly [PRICED_LINES_KEY]?: LinesPage | null;
  };
  if (!lines) throw failedReadError('the lines of a draft', errors);
  return { ...lines, deliveriesPerPayment: deliveriesPerPayment(policies) ?? 1 };
}
