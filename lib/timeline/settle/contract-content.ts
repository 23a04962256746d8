/**
 * The content of a contract: the facts that a draft can change. It is read before a change, to find the facts that it will
 * change, and after a crash, to find whether it has changed them.
 */
import { gidTail } from '../../domain/gid.ts';
import { createFact, type FactChange, toAttributesText, toIntervalText, toMoneyText } from '../facts.ts';

const MAX_CONTRACT_LINES = 100;
const MAX_CONTRACT_DISCOUNTS = 50;
const MONEY_SELECTION = '{ amount currencyCode }';
const INTERVAL_SELECTION = '{ interval intervalCount }';
const PAGE_INFO_SELECTION = 'pageInfo { hasNextPage }';
const buildCommonSelection = (lineFields: string) => `status nextBillingDate note customAttributes { key }
  billingPolicy ${INTERVAL_SELECTION} deliveryPolicy ${INTERVAL_SELECTION} deliveryPrice ${MONEY_SELECTION} customerPaymentMethod { id }
  lines(first: ${MAX_CONTRACT_LINES}) { nodes { id quantity variantId sellingPlanId currentPrice ${MONEY_SELECTION} ${lineFields} } ${PAGE_INFO_SELECTION} }`;

/**
 * Builds the selection that `contentFactText` reads from a contract.
 * @param moreFields fields to add to each line and each discount: reading them in a second selection would cost points
 */
export function selectContractContent(moreFields = { line: '', discount: '' }): string {
  return `${buildCommonSelection(moreFields.line)} discounts(first: ${MAX_CONTRACT_DISCOUNTS}) { nodes { id title ${moreFields.discount} } ${PAGE_INFO_SELECTION} }`;
}
export const CONTRACT_CONTENT_SELECTION = selectContractContent();
export const DRAFT_CONTENT_SELECTION = `${buildCommonSelection('')} discounts(first: ${MAX_CONTRACT_DISCOUNTS}) { nodes {
  ... on SubscriptionManualDiscount { id title } ... on SubscriptionAppliedCodeDiscount { id redeemCode } } ${PAGE_INFO_SELECTION} }`;

export const POSTAL_ADDRESS_SELECTION =
  'firstName lastName company address1 address2 city zip provinceCode countryCodeV2 phone';
const ADDRESS_SELECTION = `{ ${POSTAL_ADDRESS_SELECTION} }`;
/** The selection of the delivery method, which is compared as a whole and never stored. */
export const DELIVERY_METHOD_SELECTION = `deliveryMethod { __typename
  ... on SubscriptionDeliveryMethodShipping { address ${ADDRESS_SELECTION} shippingOption { code } }
  ... on SubscriptionDeliveryMethodLocalDelivery { address ${ADDRESS_SELECTION} localDeliveryOption { code phone instructions } }
  ... on SubscriptionDeliveryMethodPickup { pickupOption { code location { id } } } }`;

type ConnectionPage<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};
type Money = Parameters<typeof toMoneyText>[0];
type IntervalPolicy = Parameters<typeof toIntervalText>[0];
type ContentLine = {
  readonly id: string;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
};

type ContentDiscount = { readonly id: string; readonly title?: string | null; readonly redeemCode?: string };

export type ContractContent = {
  readonly status: string | null;
  readonly nextBillingDate: string | null;
  readonly note: string | null;
  readonly customAttributes: readonly { readonly key: string }[];
  readonly billingPolicy: IntervalPolicy;
  readonly deliveryPolicy: IntervalPolicy;
  readonly deliveryPrice: Money | null;
  readonly customerPaymentMethod: { readonly id: string } | null;
  readonly lines: ConnectionPage<ContentLine>;
  readonly discounts: ConnectionPage<ContentDiscount>;
  readonly deliveryMethod?: unknown;
};

const LINE_FACT_NAMES = ['quantity', 'variantId', 'sellingPlanId', 'currentPrice'] as const;
const CONTRACT_FACT_NAMES = [
  'status',
  'nextBillingDate',
  'note',
  'customAttributes',
  'billingPolicy',
  'deliveryPolicy',
  'deliveryPrice',
  'customerPaymentMethod',
] as const;
const LINE_FIELD_PATTERN = /^lines\.(.+)\.(quantity|variantId|sellingPlanId|currentPrice)$/;
const DISCOUNT_FIELD_PATTERN = /^discounts\.(.+)$/;

/** Whether a field is a fact of a contract's content. The delivery method does not count. */
export function isContractContentField(field: string): boolean {
  return (
    (CONTRACT_FACT_NAMES as readonly string[]).includes(field) ||
    LINE_FIELD_PATTERN.test(field) ||
    DISCOUNT_FIELD_PATTERN.test(field)
  );
}

/** Returns the text of a fact, null when it has no value; undefined when it cannot be determined. */
export function contentFactText(content: ContractContent, field: string): string | null | undefined {
  const lineMatch = LINE_FIELD_PATTERN.exec(field);
  if (lineMatch !== null) return lineFactText(content.lines, lineMatch[1], lineMatch[2]);
  const discountMatch = DISCOUNT_FIELD_PATTERN.exec(field);
  if (discountMatch !== null) return discountFactText(content.discounts, discountMatch[1]);
  switch (field) {
    case 'status':
    case 'nextBillingDate':
    case 'note':
      return content[field];
    case 'billingPolicy':
    case 'deliveryPolicy':
      return toIntervalText(content[field]);
    case 'deliveryPrice':
      return content.deliveryPrice && toMoneyText(content.deliveryPrice);
    case 'customAttributes':
      return toAttributesText(content.customAttributes);
    case 'customerPaymentMethod':
      return gidTailIfSet(content.customerPaymentMethod?.id);
    default:
      return undefined;
  }
}

/** Returns the texts of all facts that have values, by field, without the delivery method. */
export function contentFactTexts(content: ContractContent): Record<string, string> {
  const factEntries = [...CONTRACT_FACT_NAMES, ...listLineAndDiscountFields(content)].map((field) => [
    field,
    contentFactText(content, field),
  ]);
  return Object.fromEntries(factEntries.filter(([, text]) => typeof text === 'string'));
}

/** Returns the differences between two contents, for example of a contract and its draft. */
export function listContentChanges(before: ContractContent, after: ContractContent): FactChange[] {
  const fieldNames = new Set([
    ...CONTRACT_FACT_NAMES,
    ...listLineAndDiscountFields(before),
    ...listLineAndDiscountFields(after),
  ]);
  const contentFacts = [...fieldNames].flatMap((field) => {
    const [textBefore, textAfter] = [contentFactText(before, field), contentFactText(after, field)];
    return textBefore === undefined || textAfter === undefined || textBefore === textAfter
      ? []
      : [createFact(field, { before: textBefore, after: textAfter })];
  });
  const isDeliveryChanged = JSON.stringify(before.deliveryMethod) !== JSON.stringify(after.deliveryMethod);
  return isDeliveryChanged ? [...contentFacts, createFact('deliveryMethod')] : contentFacts;
}

function listLineAndDiscountFields({ lines, discounts }: ContractContent): string[] {
  return [
    ...lines.nodes.flatMap(({ id }) => LINE_FACT_NAMES.map((name) => `lines.${gidTailIfSet(id)}.${name}`)),
    ...discounts.nodes.map(({ id }) => `discounts.${gidTailIfSet(id)}`),
  ];
}

function lineFactText(
  { nodes, pageInfo }: ConnectionPage<ContentLine>,
  id = '',
  name = '',
): string | null | undefined {
  const line = nodes.find((one) => gidTailIfSet(one.id) === id);
  if (line === undefined) return pageInfo.hasNextPage ? undefined : null;
  if (name === 'variantId' || name === 'sellingPlanId') return gidTailIfSet(line[name]);
  return name === 'quantity' ? String(line.quantity) : toMoneyText(line.currentPrice);
}

function discountFactText(
  { nodes, pageInfo }: ContractContent['discounts'],
  id = '',
): string | null | undefined {
  const discount = nodes.find((one) => gidTailIfSet(one.id) === id);
  if (discount === undefined) return pageInfo.hasNextPage ? undefined : null;
  return discount.title ?? discount.redeemCode ?? '';
}

function gidTailIfSet(id: string | null | undefined): string | null {
  return id === null || id === undefined ? null : gidTail(id);
}
