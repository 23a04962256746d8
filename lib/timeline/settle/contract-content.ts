/**
 * The content of a contract is what a draft can change, as facts. It is read before a change, to find what it changes,
 * and after a crash, to find what it has changed.
 */
import { gidTail } from '../../domain/gid.ts';
import { attributesText, type ChangedFact, createFact, intervalText, moneyText } from '../facts.ts';

const LINES = 100;
const DISCOUNTS = 50;
const MONEY = '{ amount currencyCode }';
const POLICY = '{ interval intervalCount }';
const MORE = 'pageInfo { hasNextPage }';
const CONTENT = `status nextBillingDate note customAttributes { key }
  billingPolicy ${POLICY} deliveryPolicy ${POLICY} deliveryPrice ${MONEY} customerPaymentMethod { id }
  lines(first: ${LINES}) { nodes { id quantity variantId sellingPlanId currentPrice ${MONEY} } ${MORE} }`;

/** The selection that `contentText` reads from a contract. */
export const CONTRACT_CONTENT_SELECTION = `${CONTENT} discounts(first: ${DISCOUNTS}) { nodes { id title } ${MORE} }`;
export const DRAFT_CONTENT_SELECTION = `${CONTENT} discounts(first: ${DISCOUNTS}) { nodes {
  ... on SubscriptionManualDiscount { id title } ... on SubscriptionAppliedCodeDiscount { id redeemCode } } ${MORE} }`;

export const POSTAL_ADDRESS_SELECTION =
  'firstName lastName company address1 address2 city zip provinceCode countryCodeV2 phone';
const ADDRESS = `{ ${POSTAL_ADDRESS_SELECTION} }`;
/** The selection of the delivery method, which is compared as a whole and never stored. */
export const DELIVERY_METHOD_SELECTION = `deliveryMethod { __typename
  ... on SubscriptionDeliveryMethodShipping { address ${ADDRESS} shippingOption { code } }
  ... on SubscriptionDeliveryMethodLocalDelivery { address ${ADDRESS} localDeliveryOption { code phone instructions } }
  ... on SubscriptionDeliveryMethodPickup { pickupOption { code location { id } } } }`;

type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };
type Money = Parameters<typeof moneyText>[0];
type Policy = Parameters<typeof intervalText>[0];
type Line = {
  readonly id: string;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly sellingPlanId: string | null;
  readonly currentPrice: Money;
};

type Discount = { readonly id: string; readonly title?: string | null; readonly redeemCode?: string };

export type ContractContent = {
  readonly status: string | null;
  readonly nextBillingDate: string | null;
  readonly note: string | null;
  readonly customAttributes: readonly { readonly key: string }[];
  readonly billingPolicy: Policy;
  readonly deliveryPolicy: Policy;
  readonly deliveryPrice: Money | null;
  readonly customerPaymentMethod: { readonly id: string } | null;
  readonly lines: Page<Line>;
  readonly discounts: Page<Discount>;
  readonly deliveryMethod?: unknown;
};

const LINE_FACTS = ['quantity', 'variantId', 'sellingPlanId', 'currentPrice'] as const;
const OWN_FACTS = [
  'status',
  'nextBillingDate',
  'note',
  'customAttributes',
  'billingPolicy',
  'deliveryPolicy',
  'deliveryPrice',
  'customerPaymentMethod',
] as const;
const LINE = /^lines\.(.+)\.(quantity|variantId|sellingPlanId|currentPrice)$/;
const DISCOUNT = /^discounts\.(.+)$/;

/** Whether a field is a fact of a content, except the delivery method. */
export function isContentField(field: string): boolean {
  return LINE.test(field) || DISCOUNT.test(field) || (OWN_FACTS as readonly string[]).includes(field);
}

/** Returns the text of a fact, null when it has no value; undefined when it cannot be determined. */
export function contentText(content: ContractContent, field: string): string | null | undefined {
  const line = LINE.exec(field);
  if (line !== null) return lineText(content.lines, line[1], line[2]);
  const discount = DISCOUNT.exec(field);
  if (discount !== null) return discountText(content.discounts, discount[1]);
  switch (field) {
    case 'status':
    case 'nextBillingDate':
    case 'note':
      return content[field];
    case 'billingPolicy':
    case 'deliveryPolicy':
      return intervalText(content[field]);
    case 'deliveryPrice':
      return content.deliveryPrice && moneyText(content.deliveryPrice);
    case 'customAttributes':
      return attributesText(content.customAttributes);
    case 'customerPaymentMethod':
      return tailOf(content.customerPaymentMethod?.id);
    default:
      return undefined;
  }
}

/** Returns all known facts with values, except the delivery method. */
export function factsOfContent(content: ContractContent): Record<string, string> {
  const facts = [...OWN_FACTS, ...partsOf(content)].map((field) => [field, contentText(content, field)]);
  return Object.fromEntries(facts.filter(([, text]) => typeof text === 'string'));
}

/** Returns the differences between two contents, for example of a contract and its draft. */
export function changesBetween(before: ContractContent, after: ContractContent): ChangedFact[] {
  const fields = new Set([...OWN_FACTS, ...partsOf(before), ...partsOf(after)]);
  const changes = [...fields].flatMap((field) => {
    const [from, to] = [contentText(before, field), contentText(after, field)];
    return from === undefined || to === undefined || from === to
      ? []
      : [createFact(field, { before: from, after: to })];
  });
  const isMoved = JSON.stringify(before.deliveryMethod) !== JSON.stringify(after.deliveryMethod);
  return isMoved ? [...changes, createFact('deliveryMethod')] : changes;
}

function partsOf({ lines, discounts }: ContractContent): string[] {
  return [
    ...lines.nodes.flatMap(({ id }) => LINE_FACTS.map((name) => `lines.${tailOf(id)}.${name}`)),
    ...discounts.nodes.map(({ id }) => `discounts.${tailOf(id)}`),
  ];
}

function lineText({ nodes, pageInfo }: Page<Line>, id = '', name = ''): string | null | undefined {
  const line = nodes.find((one) => tailOf(one.id) === id);
  if (line === undefined) return pageInfo.hasNextPage ? undefined : null;
  if (name === 'variantId' || name === 'sellingPlanId') return tailOf(line[name]);
  return name === 'quantity' ? String(line.quantity) : moneyText(line.currentPrice);
}

function discountText({ nodes, pageInfo }: ContractContent['discounts'], id = ''): string | null | undefined {
  const discount = nodes.find((one) => tailOf(one.id) === id);
  if (discount === undefined) return pageInfo.hasNextPage ? undefined : null;
  return discount.title ?? discount.redeemCode ?? '';
}

function tailOf(id: string | null | undefined): string | null {
  return id === null || id === undefined ? null : gidTail(id);
}
