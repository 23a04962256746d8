/**
 * How the owner of an object is proved: one `nodes` root in the same request, with each owned type's path to its
 * customer. What cannot be decided here is refused.
 */
import { type Gid, parseGid } from '../../../lib/domain/gid.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import type { ArgumentEntry, Owner } from '../../schema/table/schema-table.ts';
import { OURS } from '../selection/treat-field.ts';
import { namedType } from '../selection/type-reference.ts';
import { declare, type UpstreamWriter } from '../selection/upstream-writer.ts';

/** Fields from an object to its customer. A type that is not here cannot be proved by itself. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  CustomerPaymentMethod: ['customer'],
  Fulfillment: ['order', 'customer'],
  Order: ['customer'],
  OrderTransaction: ['order', 'customer'],
  SubscriptionBillingAttempt: ['subscriptionContract', 'customer'],
  SubscriptionContract: ['customer'],
  SubscriptionDraft: ['customer'],
};

/** Types that are not the platform's, with the one that is proved instead. */
const PROVED_BY: Readonly<Record<string, string>> = { SubscriptionEvent: 'SubscriptionContract' };

const PAGE = 250;
const DISCOUNT_IDS = '... on SubscriptionManualDiscount { id } ... on SubscriptionAppliedCodeDiscount { id }';
/** Lines and discounts, looked up in the contract or draft that the same arguments name. */
const CONTENTS: Readonly<Record<string, Readonly<Partial<Record<Owner, string>>>>> = {
  SubscriptionContract: {
    LINE: `${OURS}ContractLines: lines(first: ${PAGE}) { nodes { id } }`,
    DISCOUNT: `${OURS}ContractDiscounts: discounts(first: ${PAGE}) { nodes { id } }`,
  },
  SubscriptionDraft: {
    LINE: `${OURS}DraftLines: lines(first: ${PAGE}) { nodes { id } }`,
    DISCOUNT: `${OURS}DraftDiscounts: discounts(first: ${PAGE}) { nodes { ${DISCOUNT_IDS} } }`,
  },
};

export const OWNED = `${OURS}Owned`;
export const PROVE = `${OURS}Prove`;
export const ADDRESSES = `${OURS}Addresses`;
export const PROVE_ADDRESSES = `${OURS}ProveAddresses`;
export const CUSTOMER = `${OURS}Customer`;

/** Whether an object of this type leads to its customer. */
export function isProvable(typeName: string): boolean {
  return Object.hasOwn(PATHS, typeName);
}

/** Who may own what stands in these arguments, and which types it may have (undefined: any). */
export type Expected = {
  readonly owners: ReadonlySet<Owner>;
  readonly types: ReadonlySet<string> | undefined;
};

/** What can stand in arguments of these places. */
export function expectedOwners(entries: Iterable<ArgumentEntry>): Expected {
  const owners = new Set<Owner>();
  const types = new Set<string>();
  let isAny = false;
  const seen = new Set<string>();
  const look = ([reference, , , , owner, named]: ArgumentEntry): void => {
    if (owner) owners.add(owner);
    if (owner === 'NODE' && named) for (const type of named) types.add(PROVED_BY[type] ?? type);
    if (owner === 'NODE' && !named) isAny = true;
    const name = namedType(reference);
    const entry = schemaTable[name];
    if (entry?.kind !== 'INPUT' || seen.has(name)) return;
    seen.add(name);
    for (const field of Object.values(entry.inputFields)) look(field);
  };
  for (const entry of entries) look(entry);
  return { owners, types: isAny ? undefined : types };
}

/** The proof's roots, as text; none if nothing can need one. Declares its variables. */
export function writeProof(writer: UpstreamWriter, { owners, types }: Expected): string[] {
  const roots: string[] = [];
  if (owners.has('NODE')) {
    const provable = Object.keys(PATHS).filter((type) => types === undefined || types.has(type));
    const parts = provable.map((type) => `... on ${type} { ${proofFields(type, owners)} }`);
    const ids = declare(writer, OWNED, '[ID!]!');
    const run = declare(writer, PROVE, 'Boolean!');
    roots.push(`${OWNED}: nodes(ids: ${ids}) @include(if: ${run}) { id ${parts.join(' ')} }`);
  }
  if (owners.has('ADDRESS')) {
    const id = declare(writer, CUSTOMER, 'ID!');
    const run = declare(writer, PROVE_ADDRESSES, 'Boolean!');
    const page = `addressesV2(first: ${PAGE}) { nodes { id } }`;
    roots.push(`${ADDRESSES}: customer(id: ${id}) @include(if: ${run}) { ${page} }`);
  }
  return roots;
}

function proofFields(type: string, owners: ReadonlySet<Owner>): string {
  const [first = '', ...rest] = PATHS[type] ?? [];
  const below = rest.reduceRight((inner, name) => `${name} { ${inner} }`, 'id');
  const contents = (['LINE', 'DISCOUNT'] as const).filter((owner) => owners.has(owner));
  const more = contents.map((owner) => ` ${CONTENTS[type]?.[owner] ?? ''}`).join('');
  return `${OURS}${type}: ${first} { ${below} }${more}`;
}

type Json = Readonly<Record<string, unknown>> | null | undefined;

/** The customer that an object of the proof belongs to; undefined if it has none or is not there. */
export function ownerOf(node: unknown, type: string): Gid | undefined {
  const [, ...rest] = PATHS[type] ?? [];
  let found = (node as Json)?.[`${OURS}${type}`] as Json;
  for (const name of rest) found = found?.[name] as Json;
  return typeof found?.id === 'string' ? parseGid(found.id) : undefined;
}

/** The ids of the lines or discounts of an object of the proof. */
export function contentsOf(node: unknown, owner: 'LINE' | 'DISCOUNT'): ReadonlySet<string> {
  const what = owner === 'LINE' ? 'Lines' : 'Discounts';
  const page = ((node as Json)?.[`${OURS}Contract${what}`] ??
    (node as Json)?.[`${OURS}Draft${what}`]) as Json;
  return idsOf(page);
}

/** The ids of the acting customer's addresses. */
export function addressesOf(data: Json): ReadonlySet<string> {
  const customer = data?.[ADDRESSES] as Json;
  return idsOf(customer?.addressesV2 as Json);
}

function idsOf(page: Json): ReadonlySet<string> {
  const nodes = Array.isArray(page?.nodes) ? (page.nodes as Json[]) : [];
  return new Set(nodes.map((node) => String(node?.id)));
}
