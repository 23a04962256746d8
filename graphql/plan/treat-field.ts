/**
 * What becomes of one selected field: forwarded, answered here, or closed. Text (write-selection.ts) and shape
 * (build-shape.ts) both ask here, so that they cannot disagree.
 */
import { ORDER_CONTENT } from '../../lib/subscriptions/next-order.ts';
import { openWhileActing } from '../policy/acting-customer.ts';
import { fieldPolicy } from '../schema/coordinates.ts';
import { schemaTable } from '../schema/generated/schema-table.ts';
import type { FieldShape } from './shape.ts';
import { fieldType, namedType, possibleTypes } from './type-reference.ts';

/** Fields that we ask for and clients never see; clients may not use the prefix. */
export const OURS = '_svc';

export type Treatment =
  | { readonly kind: 'forwarded'; readonly as: FieldShape['kind']; readonly type: string }
  /** Left out of the upstream document; `needs` is asked for instead, `marker` is one of its keys. */
  | {
      readonly kind: 'local';
      readonly coordinate: string;
      readonly marker: string;
      readonly needs: string;
      /** Asked for only where the client's own conditions hold: it is dear. */
      readonly isDear?: boolean;
      readonly type: string;
    };

const CONTRACT_NEEDS = {
  marker: `${OURS}Contract`,
  needs: `${OURS}Contract: id ${OURS}Status: status`,
};

/** What a field that is answered here is computed from, by the type it stands on. */
const NEEDS: Readonly<Record<string, { readonly marker: string; readonly needs: string }>> = {
  SubscriptionContract: CONTRACT_NEEDS,
  Customer: { marker: `${OURS}Customer`, needs: `${OURS}Customer: id` },
};

/** Fields that need more than others of their type. */
const FIELD_NEEDS: Readonly<Record<string, { marker: string; needs: string; isDear: boolean }>> = {
  'SubscriptionContract.nextOrder': {
    marker: CONTRACT_NEEDS.marker,
    needs: `${CONTRACT_NEEDS.needs} ${ORDER_CONTENT}`,
    isDear: true,
  },
};

/** Fields of the details that are the contract's. */
const DETAILS_FIELDS: Readonly<Record<string, string>> = {
  'SubscriptionContractDetails.currentPause': 'SubscriptionContract.currentPause',
  'SubscriptionContractDetails.portalUrl': 'SubscriptionContract.portalUrl',
};

/** How a field of a type is treated. `isActing`: a customer is acting. The document is valid. */
export function treatField(typeName: string, fieldName: string, isActing: boolean): Treatment {
  const type = fieldType(typeName, fieldName) ?? 'String';
  const coordinate = `${typeName}.${fieldName}`;
  const stands = DETAILS_FIELDS[coordinate];
  if (stands !== undefined) return { kind: 'local', coordinate: stands, type, ...CONTRACT_NEEDS };
  if (isActing && !openWhileActing(typeName, fieldName)) return closed(typeName, type);
  if (fieldPolicy(typeName, fieldName)?.isService) {
    const needs = FIELD_NEEDS[coordinate] ?? NEEDS[typeName] ?? markerOnly(typeName);
    return { kind: 'local', coordinate, type, ...needs };
  }
  return { kind: 'forwarded', as: kindOf(coordinate, type), type };
}

function kindOf(coordinate: string, type: string): FieldShape['kind'] {
  if (coordinate === 'Metafield.value') return 'metafield-value';
  if (coordinate === 'Metafield.jsonValue') return 'metafield-json';
  const name = namedType(type);
  if (name === 'ID') return 'id';
  const kind = schemaTable[name]?.kind;
  return kind === 'OBJECT' || kind === 'INTERFACE' || kind === 'UNION' ? 'object' : 'plain';
}

function closed(typeName: string, type: string): Treatment {
  return { kind: 'local', coordinate: 'closed', type, ...markerOnly(typeName) };
}

function markerOnly(typeName: string) {
  const marker = `${OURS}On${typeName}`;
  return { marker, needs: `${marker}: __typename` };
}

export const METAFIELD_TYPE = `${OURS}Type`;
export const OWNER = `${OURS}Owner`;
export const ORDER_OWNER = `${OURS}OrderOwner`;
export const SELF = `${OURS}Self`;

/** Types whose owner is checked in the data: they can change hands at the platform. */
const OWNER_CHECKS: Readonly<Record<string, string>> = {
  Customer: `${SELF}: id`,
  CustomerPaymentMethod: `${OWNER}: customer { id }`,
  Order: `${ORDER_OWNER}: customer { id }`,
  SubscriptionContract: `${OWNER}: customer { id }`,
};

const ownerChecks = new Map<string, string>();

/** What is asked for so that the owner of each object of this type shows; empty if it needs no check. */
export function ownerCheck(typeName: string): string {
  const known = ownerChecks.get(typeName);
  if (known !== undefined) return known;
  const check = writeOwnerCheck(typeName);
  ownerChecks.set(typeName, check);
  return check;
}

function writeOwnerCheck(typeName: string): string {
  const own = OWNER_CHECKS[typeName];
  if (own !== undefined) return ` ${own}`;
  const checked = possibleTypes(typeName).filter((name) => OWNER_CHECKS[name] !== undefined);
  return checked.map((name) => ` ... on ${name} { ${OWNER_CHECKS[name]} }`).join('');
}

const OWN_CONNECTIONS = new Set([
  'Customer.orders',
  'Customer.paymentMethods',
  'Customer.subscriptionContracts',
]);

/** Whether what a field returns is read straight from a customer's own connection. */
export function isFromCustomer(typeName: string, fieldName: string, isParentFromCustomer: boolean): boolean {
  if (OWN_CONNECTIONS.has(`${typeName}.${fieldName}`)) return true;
  return isParentFromCustomer && /(Connection|Edge)$/.test(typeName);
}

const ORDER_CONTACT = new Set(['billingAddress', 'displayAddress', 'email', 'phone', 'shippingAddress']);

/** Whether the field tells who an order goes to. */
export function isOrderContact(typeName: string, fieldName: string): boolean {
  return typeName === 'Order' && ORDER_CONTACT.has(fieldName);
}
