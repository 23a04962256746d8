/** A random change as the GraphQL document that a client sends for it. */
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { gid } from '../../world/operation-world.ts';
import type { Form, Request } from './changes.ts';
import { FREQUENCIES, VARIANTS } from './gifts.ts';

/** The records that a request refers to. */
export type Target = {
  readonly contract: ContractRecord;
  readonly otherContract: ContractRecord | undefined;
  readonly nowMs: number;
  /** The index of the cycle that runs now. */
  readonly cycle: number;
  readonly planIds: readonly number[];
};

type Argument = readonly [name: string, type: string, value: unknown];
type Mutation = readonly [root: string, args: readonly Argument[]];

const LOCATION = gid('Location', 8_401_001);
const STREET = { firstName: 'Ada', lastName: 'Brewer', address1: '1 Main Street' };
const ADDRESSES = {
  home: { ...STREET, city: 'Portland', countryCode: 'US', provinceCode: 'ME', zip: '04101' },
  Bangor: { ...STREET, city: 'Bangor', countryCode: 'US', provinceCode: 'ME', zip: '04401' },
  Toronto: { ...STREET, city: 'Toronto', countryCode: 'CA', provinceCode: 'ON', zip: 'M5H 2N2' },
  Paris: { ...STREET, city: 'Paris', countryCode: 'FR', zip: '75001' },
  nowhere: { city: 'Portland' },
};

/** The mutation and its arguments; undefined leaves an argument out. */
function mutationOf(request: Request, target: Target): Mutation {
  const id = gid('SubscriptionContract', target.contract.id);
  const contractId: Argument = ['contractId', 'ID!', id];
  const subscriptionContractId: Argument = ['subscriptionContractId', 'ID!', id];
  const dateIn = (days: number | null | undefined) =>
    days == null ? days : formatIsoInstant(target.nowMs + days * DAY_MS);
  switch (request.name) {
    case 'lines':
      return ['subscriptionContractLinesUpdate', [contractId, ...lineArguments(request, target)]];
    case 'interval': {
      const plan = typeof request.plan === 'number' ? planOf(request.plan, target) : request.plan;
      return [
        'subscriptionContractIntervalUpdate',
        [
          contractId,
          ['interval', 'SubscriptionIntervalInput', request.interval],
          ['sellingPlanId', 'ID', plan],
          ['nextBillingDate', 'DateTime', dateIn(request.days)],
        ],
      ];
    }
    case 'delivery':
      return [
        'subscriptionContractDeliveryUpdate',
        [
          contractId,
          ['deliveryMethod', 'SubscriptionDeliveryAddressInput!', methodOf(request)],
          ['optionCode', 'String', request.option],
        ],
      ];
    case 'code':
      return ['subscriptionContractDiscountCodeApply', [contractId, ['redeemCode', 'String!', request.code]]];
    case 'discount': {
      const discounts = (one: ContractRecord | undefined) =>
        one?.content.discounts.map((each) => gid('SubscriptionManualDiscount', each.id)) ?? [];
      const discountId = idAt(request.discount, {
        own: discounts(target.contract),
        others: discounts(target.otherContract),
      });
      return ['subscriptionContractDiscountRemove', [contractId, ['discountId', 'ID!', discountId]]];
    }
    case 'pause':
      return [
        'subscriptionContractPause',
        [subscriptionContractId, ['until', 'DateTime', dateIn(request.days)]],
      ];
    case 'resume':
      return [
        'subscriptionContractActivate',
        [subscriptionContractId, ['nextBillingDate', 'DateTime', dateIn(request.days)]],
      ];
    case 'cancel':
      return ['subscriptionContractCancel', [subscriptionContractId]];
    case 'skip':
      return [
        'subscriptionBillingCycleSkip',
        [
          contractId,
          ['billingCycleIndex', 'Int!', target.cycle + request.offset],
          ['skip', 'Boolean', request.isSkipped],
        ],
      ];
    case 'move':
      return [
        'subscriptionBillingCycleReschedule',
        [
          contractId,
          ['billingCycleIndex', 'Int!', target.cycle + request.offset],
          ['billingDate', 'DateTime!', dateIn(7 * request.offset + request.days)],
        ],
      ];
  }
}

type Position = number | string;

function idAt(at: Position, { own, others }: { own: readonly string[]; others: readonly string[] }): string {
  const found = typeof at === 'number' ? own[at % Math.max(own.length, 1)] : undefined;
  return found ?? (at === 'another contract' ? others[0] : undefined) ?? gid('SubscriptionLine', 'nothing');
}

const variantOf = (index: Position | null | undefined) =>
  index == null ? index : gid('ProductVariant', typeof index === 'number' ? (VARIANTS[index] ?? 0) : 1);

/** The highest index is a plan that does not exist. */
function planOf(index: number, { planIds }: Target): string {
  const isAbsent = index === FREQUENCIES.length;
  return gid('SellingPlan', isAbsent ? 1 : (planIds[index % planIds.length] ?? 1));
}

function lineArguments(request: Extract<Request, { name: 'lines' }>, target: Target): Argument[] {
  const linesOf = (one: ContractRecord | undefined) =>
    one?.content.lines.map((line) => gid('SubscriptionLine', line.id)) ?? [];
  const lines = { own: linesOf(target.contract), others: linesOf(target.otherContract) };
  const add = request.add?.map(({ variant, quantity, plan }) => ({
    productVariantId: variantOf(variant),
    quantity,
    sellingPlanId: plan == null ? plan : planOf(plan, target),
  }));
  const update = request.update?.map(({ line, quantity, variant }) => ({
    lineId: idAt(line, lines),
    quantity,
    productVariantId: variantOf(variant),
  }));
  const remove = request.remove?.map((line) => idAt(line, lines));
  return [
    ['add', '[SubscriptionLineAddInput!]', request.add === null ? null : add],
    ['update', '[SubscriptionLineChangeInput!]', request.update === null ? null : update],
    ['remove', '[ID!]', request.remove === null ? null : remove],
    ['optionCode', 'String', request.option],
  ];
}

function methodOf({ kind, address, phone }: Extract<Request, { name: 'delivery' }>): object {
  const place = ADDRESSES[address];
  const local = { localDelivery: place, localDeliveryPhone: phone };
  if (kind === 'shipping') return { shipping: place };
  if (kind === 'localDelivery') return local;
  if (kind === 'pickup') return { pickupLocationId: LOCATION };
  return kind === 'none' ? {} : { ...local, shipping: place };
}

const FIELDS = 'id status lines(first: 3) { nodes { id quantity lineDiscountedPrice { amount } } }';
/** Selections of the contract, under names that the service uses itself. */
const SELECTIONS = [
  '',
  `contract { ${FIELDS} }`,
  'contract { id: status lines: linesCount { count } draft: discounts(first: 1) { nodes { id } } }',
  'contract { nextOrder { date total { amount } } lines(last: 1) { edges { node { variantId } } } }',
  'commit: contract { ...Lines }',
] as const;

/** The document with its variables, in the form that the client chose. */
export function documentOf(request: Request, target: Target, form: Form) {
  const [root, all] = mutationOf(request, target);
  const given = all.filter(([, , value]) => value !== undefined);
  const args = form.isReversed ? given.toReversed() : given;
  const key = form.key === null ? '' : ` @idempotent(key: "${form.key}")`;
  const alias = form.alias === '' ? '' : `${form.alias}: `;
  const hasContract = request.name !== 'skip' && request.name !== 'move';
  const selection = hasContract ? (SELECTIONS[form.selection] ?? '') : '';
  const fragment = selection.includes('...') ? `fragment Lines on SubscriptionContract { ${FIELDS} }` : '';
  const values = args.map(([name, , value]) => `${name}: ${form.isInline ? literal(value) : `$${name}`}`);
  const variables = args.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const header = form.isInline || args.length === 0 ? '' : `(${variables})`;
  const name = form.operation === '' && header !== '' ? '' : ` ${form.operation}`;
  return {
    query: `mutation${name}${header} { ${alias}${root}(${values.join(', ')})${key} { ${selection} userErrors { field message code } } } ${fragment}`,
    variables: form.isInline ? {} : Object.fromEntries(args.map(([each, , value]) => [each, value])),
  };
}

const ENUMS = new Set(['interval', 'countryCode']);

/** The value as GraphQL writes it in a document. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  const write = ([name, each]: [string, unknown]) =>
    `${name}: ${ENUMS.has(name) && typeof each === 'string' ? each : literal(each)}`;
  return `{ ${fields.map(write).join(', ')} }`;
}
