/** The real state of a contract, in the words of changed-facts.ts: what an open intent is settled by. */
import { parseGid } from '../domain/gid.ts';
import { attributesText, intervalText, moneyText } from './changed-facts.ts';

export type ContractState = {
  /** When anybody changed the contract last. */
  readonly updatedAtMs: number;
  /** A fact as it is now, null if there is none; undefined: this cannot be told. */
  readonly textOf: (field: string) => string | null | undefined;
};

const LINES = 100;
const DISCOUNTS = 50;
const MONEY = '{ amount currencyCode }';
const POLICY = '{ interval intervalCount }';
const CYCLE = /^billingCycles\.(\d{1,9})\.(skipped|billingAttemptExpectedDate|status)$/;
const LINE = /^lines\.(.+)\.(quantity|variantId|currentPrice)$/;
const DISCOUNT = /^discounts\.(.+)$/;

const CONTRACT = `id status updatedAt nextBillingDate note customAttributes { key }
  billingPolicy ${POLICY} deliveryPolicy ${POLICY} deliveryPrice ${MONEY} customerPaymentMethod { id }
  lines(first: ${LINES}) { nodes { id quantity variantId currentPrice ${MONEY} } pageInfo { hasNextPage } }
  discounts(first: ${DISCOUNTS}) { nodes { id title } pageInfo { hasNextPage } }`;

/** The document that reads a contract, and the billing cycles that these fields name. Variable: `id`. */
export function stateDocument(fields: Iterable<string>): string {
  const indices = new Set([...fields].flatMap((field) => CYCLE.exec(field)?.[1] ?? []));
  const cycles = [...indices].sort().map(
    (index) => `cycle${index}: subscriptionBillingCycle(billingCycleInput: { contractId: $id,
      selector: { index: ${index} } }) { skipped billingAttemptExpectedDate status }`,
  );
  return `query($id: ID!) { contract: subscriptionContract(id: $id) { ${CONTRACT} } ${cycles.join(' ')} }`;
}

type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };
type Money = Parameters<typeof moneyText>[0];
type Policy = Parameters<typeof intervalText>[0];
type Line = {
  readonly id: string;
  readonly quantity: number;
  readonly variantId: string | null;
  readonly currentPrice: Money;
};
type Contract = {
  readonly status: string;
  readonly updatedAt: string;
  readonly nextBillingDate: string | null;
  readonly note: string | null;
  readonly customAttributes: readonly { readonly key: string }[];
  readonly billingPolicy: Policy;
  readonly deliveryPolicy: Policy;
  readonly deliveryPrice: Money;
  readonly customerPaymentMethod: { readonly id: string } | null;
  readonly lines: Page<Line>;
  readonly discounts: Page<{ readonly id: string; readonly title: string | null }>;
};
type Data = Readonly<Record<string, unknown>>;

/** The answer to `stateDocument`; undefined: there is no such contract. */
export function readContractState(data: Data): ContractState | undefined {
  const contract = (data.contract ?? undefined) as Contract | undefined;
  if (contract === undefined) return undefined;
  return {
    updatedAtMs: Date.parse(contract.updatedAt),
    textOf(field) {
      const cycle = CYCLE.exec(field);
      if (cycle !== null) return cycleText(data[`cycle${cycle[1]}`], cycle[2]);
      const line = LINE.exec(field);
      if (line !== null) return lineText(contract.lines, line[1], line[2]);
      const discount = DISCOUNT.exec(field);
      if (discount !== null) return discountText(contract.discounts, discount[1]);
      return contractText(contract, field);
    },
  };
}

function contractText(contract: Contract, field: string): string | null | undefined {
  switch (field) {
    case 'status':
    case 'nextBillingDate':
    case 'note':
      return contract[field];
    case 'billingPolicy':
    case 'deliveryPolicy':
      return intervalText(contract[field]);
    case 'deliveryPrice':
      return moneyText(contract.deliveryPrice);
    case 'customAttributes':
      return attributesText(contract.customAttributes);
    case 'customerPaymentMethod':
      return tailOf(contract.customerPaymentMethod?.id);
    default:
      return undefined;
  }
}

function cycleText(cycle: unknown, name: string | undefined): string | undefined {
  const value = (cycle as Data | null | undefined)?.[name ?? ''];
  return value === undefined || value === null ? undefined : String(value);
}

function lineText({ nodes, pageInfo }: Page<Line>, id = '', name = ''): string | null | undefined {
  const line = nodes.find((one) => tailOf(one.id) === id);
  if (line === undefined) return pageInfo.hasNextPage ? undefined : null;
  if (name === 'variantId') return tailOf(line.variantId);
  return name === 'quantity' ? String(line.quantity) : moneyText(line.currentPrice);
}

function discountText({ nodes, pageInfo }: Contract['discounts'], id = ''): string | null | undefined {
  const discount = nodes.find((one) => tailOf(one.id) === id);
  if (discount === undefined) return pageInfo.hasNextPage ? undefined : null;
  return discount.title ?? '';
}

function tailOf(id: string | null | undefined): string | null {
  return id === null || id === undefined ? null : (parseGid(id)?.tail ?? id);
}
