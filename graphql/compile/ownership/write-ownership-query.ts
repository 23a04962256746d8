/**
 * Writes the ownership query: roots of the same request that read the owners of the ids in the client's arguments. Its
 * `nodes` root selects, for each owned type, the path from the object to its customer. run/verify-ownership.ts evaluates
 * the response, and refuses an object whose owner is unknown.
 */
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import type { ArgumentEntry, IdOwner } from '../../schema/table/schema-table-format.ts';
import { SERVICE_ALIAS } from '../selection/service-alias.ts';
import { unwrapTypeReference } from '../selection/type-reference.ts';
import { declareVariable } from '../selection/upstream-writer.ts';

/**
 * The fields that lead from an object to its customer, by type. The owner of an object of another type cannot be
 * determined.
 */
export const PATHS_TO_CUSTOMER: Readonly<Record<string, readonly string[]>> = {
  CustomerPaymentMethod: ['customer'],
  Fulfillment: ['order', 'customer'],
  Order: ['customer'],
  OrderTransaction: ['order', 'customer'],
  SubscriptionBillingAttempt: ['subscriptionContract', 'customer'],
  SubscriptionContract: ['customer'],
  SubscriptionDraft: ['customer'],
};

/** The service's own types, each with the platform's type whose owner is checked instead. */
const CHECKED_TYPE_BY_SERVICE_TYPE: Readonly<Record<string, string>> = {
  SubscriptionEvent: 'SubscriptionContract',
};

const CONTENTS_PAGE_SIZE = 250;
const DISCOUNT_ID_SELECTION =
  '... on SubscriptionManualDiscount { id } ... on SubscriptionAppliedCodeDiscount { id }';
/**
 * The selections that list the ids of lines and discounts. A line or discount must be in the contract or draft that
 * the same arguments name.
 */
const CONTENT_ID_SELECTIONS_BY_TYPE: Readonly<Record<string, Readonly<Partial<Record<IdOwner, string>>>>> = {
  SubscriptionContract: {
    LINE: `${SERVICE_ALIAS}ContractLines: lines(first: ${CONTENTS_PAGE_SIZE}) { nodes { id } }`,
    DISCOUNT: `${SERVICE_ALIAS}ContractDiscounts: discounts(first: ${CONTENTS_PAGE_SIZE}) { nodes { id } }`,
  },
  SubscriptionDraft: {
    LINE: `${SERVICE_ALIAS}DraftLines: lines(first: ${CONTENTS_PAGE_SIZE}) { nodes { id } }`,
    DISCOUNT: `${SERVICE_ALIAS}DraftDiscounts: discounts(first: ${CONTENTS_PAGE_SIZE}) { nodes { ${DISCOUNT_ID_SELECTION} } }`,
  },
};

export const OWNED_NODES_KEY = `${SERVICE_ALIAS}Owned`;
export const CHECK_NODES_VARIABLE = `${SERVICE_ALIAS}CheckNodes`;
export const OWN_ADDRESSES_KEY = `${SERVICE_ALIAS}Addresses`;
export const CHECK_ADDRESSES_VARIABLE = `${SERVICE_ALIAS}CheckAddresses`;
export const CUSTOMER_ID_VARIABLE = `${SERVICE_ALIAS}Customer`;

/** The owners that the ids of some arguments may have, and the types of their objects (undefined: any). */
export type ExpectedOwners = {
  readonly owners: ReadonlySet<IdOwner>;
  readonly types: ReadonlySet<string> | undefined;
};

/** Returns the owners and types of all ids that these arguments accept. */
export function collectExpectedOwners(entries: Iterable<ArgumentEntry>): ExpectedOwners {
  const idOwners = new Set<IdOwner>();
  const expectedTypes = new Set<string>();
  let acceptsAnyOwnedType = false;
  const visitedTypes = new Set<string>();
  const collectOwner = ([typeReference, , , , idOwner, idTypes]: ArgumentEntry): void => {
    if (idOwner) idOwners.add(idOwner);
    if (idOwner === 'NODE' && idTypes)
      for (const type of idTypes) expectedTypes.add(CHECKED_TYPE_BY_SERVICE_TYPE[type] ?? type);
    if (idOwner === 'NODE' && !idTypes) acceptsAnyOwnedType = true;
    const name = unwrapTypeReference(typeReference);
    const typeEntry = schemaTable[name];
    if (typeEntry?.kind !== 'INPUT' || visitedTypes.has(name)) return;
    visitedTypes.add(name);
    for (const field of Object.values(typeEntry.inputFields)) collectOwner(field);
  };
  for (const argumentEntry of entries) collectOwner(argumentEntry);
  return { owners: idOwners, types: acceptsAnyOwnedType ? undefined : expectedTypes };
}

/**
 * Writes the roots of the ownership query, and declares their variables. Empty when no argument can have an id with
 * an owner.
 */
export function writeOwnershipQuery(writer: UpstreamWriter, { owners, types }: ExpectedOwners): string[] {
  const rootFields: string[] = [];
  if (owners.has('NODE')) {
    const checkedTypes = Object.keys(PATHS_TO_CUSTOMER).filter(
      (type) => types === undefined || types.has(type),
    );
    const typeConditions = checkedTypes.map(
      (type) => `... on ${type} { ${writeOwnershipFields(type, owners)} }`,
    );
    const idsVariable = declareVariable(writer, OWNED_NODES_KEY, '[ID!]!');
    const checkVariable = declareVariable(writer, CHECK_NODES_VARIABLE, 'Boolean!');
    rootFields.push(
      `${OWNED_NODES_KEY}: nodes(ids: ${idsVariable}) @include(if: ${checkVariable}) { id ${typeConditions.join(' ')} }`,
    );
  }
  if (owners.has('ADDRESS')) {
    const customerIdVariable = declareVariable(writer, CUSTOMER_ID_VARIABLE, 'ID!');
    const checkVariable = declareVariable(writer, CHECK_ADDRESSES_VARIABLE, 'Boolean!');
    const page = `addressesV2(first: ${CONTENTS_PAGE_SIZE}) { nodes { id } }`;
    rootFields.push(
      `${OWN_ADDRESSES_KEY}: customer(id: ${customerIdVariable}) @include(if: ${checkVariable}) { ${page} }`,
    );
  }
  return rootFields;
}

function writeOwnershipFields(type: string, owners: ReadonlySet<IdOwner>): string {
  const [firstField = '', ...nextFields] = PATHS_TO_CUSTOMER[type] ?? [];
  const nestedSelection = nextFields.reduceRight((inner, name) => `${name} { ${inner} }`, 'id');
  const contentTypes = (['LINE', 'DISCOUNT'] as const).filter((owner) => owners.has(owner));
  const contentSelections = contentTypes
    .map((owner) => ` ${CONTENT_ID_SELECTIONS_BY_TYPE[type]?.[owner] ?? ''}`)
    .join('');
  return `${SERVICE_ALIAS}${type}: ${firstField} { ${nestedSelection} }${contentSelections}`;
}
