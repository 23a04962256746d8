/**
 * Decides how a selected field is treated: it is forwarded, resolved by the service, or closed while a customer is acting. The
 * writer (write-selection.ts) and the shape (build-response-shape.ts) both use this decision, so they agree.
 */
import { EDITED_CONTENT_SELECTION } from '../../../lib/subscriptions/order-content.ts';
import { STEPPED_CONTENT_SELECTION } from '../../../lib/subscriptions/selling-plans/step-prices.ts';
import type { FieldShape } from '../../plan/response-shape.ts';
import { isOpenWhileActing } from '../../policy/acting-customer.ts';
import { findFieldPolicy } from '../../schema/field-policy.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import { listPossibleTypes, typeOfField, unwrapTypeReference } from './type-reference.ts';

export type FieldTreatment =
  | { readonly kind: 'forwarded'; readonly as: FieldShape['kind']; readonly type: string }
  /** The upstream document selects `needs` in place of the field; `marker` is one of its keys. */
  | {
      readonly kind: 'service';
      readonly coordinate: string;
      readonly marker: string;
      readonly needs: string;
      /** Whether `needs` is expensive, and so selected only under the client's own conditions. */
      readonly isExpensive?: boolean;
      readonly type: string;
    };

const CONTRACT_NEEDS = {
  marker: `${SERVICE_ALIAS}Contract`,
  needs: `${SERVICE_ALIAS}Contract: id ${SERVICE_ALIAS}Status: status`,
};

const CYCLE_MARKER = `${SERVICE_ALIAS}Source`;
/** The selection that shows whether the cycle's order is of the past (fields/resolve-overdue-orders.ts). */
const PAST_ORDER_NEEDS = `${CYCLE_MARKER}: sourceContract { id status } ${SERVICE_ALIAS}Due: billingAttemptExpectedDate ${SERVICE_ALIAS}Billing: status ${SERVICE_ALIAS}Skipped: skipped ${SERVICE_ALIAS}Index: cycleIndex`;

/** The selection that a service field is computed from, by its parent type. */
const NEEDS_BY_PARENT_TYPE: Readonly<Record<string, { readonly marker: string; readonly needs: string }>> = {
  SubscriptionContract: CONTRACT_NEEDS,
  Customer: { marker: `${SERVICE_ALIAS}Customer`, needs: `${SERVICE_ALIAS}Customer: id` },
};

/** Fields that need more than others of their type. */
const NEEDS_BY_FIELD: Readonly<Record<string, { marker: string; needs: string; isExpensive: boolean }>> = {
  'SubscriptionContract.nextOrder': {
    marker: CONTRACT_NEEDS.marker,
    needs: `${CONTRACT_NEEDS.needs} ${STEPPED_CONTENT_SELECTION}`,
    isExpensive: true,
  },
  'SubscriptionBillingCycle.isWithinPause': {
    marker: CYCLE_MARKER,
    needs: PAST_ORDER_NEEDS,
    isExpensive: true,
  },
  'SubscriptionBillingCycle.overdue': {
    marker: CYCLE_MARKER,
    needs: PAST_ORDER_NEEDS,
    isExpensive: true,
  },
  'SubscriptionBillingCycle.orderDate': {
    marker: CYCLE_MARKER,
    needs: `${CYCLE_MARKER}: sourceContract { id } ${SERVICE_ALIAS}Due: billingAttemptExpectedDate ${SERVICE_ALIAS}Skipped: skipped ${SERVICE_ALIAS}Edited: edited ${SERVICE_ALIAS}Index: cycleIndex ${SERVICE_ALIAS}Start: cycleStartAt ${SERVICE_ALIAS}End: cycleEndAt`,
    isExpensive: true,
  },
  'SubscriptionBillingCycle.total': {
    marker: CYCLE_MARKER,
    needs: `${CYCLE_MARKER}: sourceContract { id status ${STEPPED_CONTENT_SELECTION} } ${SERVICE_ALIAS}Own: editedContract { ${EDITED_CONTENT_SELECTION} } ${SERVICE_ALIAS}Billing: status ${SERVICE_ALIAS}Index: cycleIndex ${SERVICE_ALIAS}Due: billingAttemptExpectedDate`,
    isExpensive: true,
  },
};

/** The coordinate of `event` in every payload: one resolver builds them all. */
export const PAYLOAD_EVENT_COORDINATE = 'Payload.event';

/** The key of a payload's timeline entry, which the service adds; the entry is undefined when the change has none. */
export const PAYLOAD_EVENT_KEY = `${SERVICE_ALIAS}Event`;
/** The key of the contract that has the platform objects of a payload's timeline entry. */
export const EVENT_CONTRACT_KEY = `${SERVICE_ALIAS}EventContract`;

/** Fields of `SubscriptionContractDetails` that have the resolver of the contract's field. */
const DETAILS_FIELDS: Readonly<Record<string, string>> = {
  'SubscriptionContractDetails.currentPause': 'SubscriptionContract.currentPause',
  'SubscriptionContractDetails.portalUrl': 'SubscriptionContract.portalUrl',
};

/** Returns the treatment of a field of a validated document. `isActing`: whether a customer is acting. */
export function decideFieldTreatment(typeName: string, fieldName: string, isActing: boolean): FieldTreatment {
  const typeReference = typeOfField(typeName, fieldName) ?? 'String';
  const fieldCoordinate = `${typeName}.${fieldName}`;
  const detailsTreatment = DETAILS_FIELDS[fieldCoordinate];
  if (detailsTreatment !== undefined)
    return { kind: 'service', coordinate: detailsTreatment, type: typeReference, ...CONTRACT_NEEDS };
  if (isActing && !isOpenWhileActing(typeName, fieldName))
    return createClosedFieldTreatment(typeName, typeReference);
  // Only payloads of mutations have a field of this type.
  if (unwrapTypeReference(typeReference) === 'SubscriptionEvent') {
    return {
      kind: 'service',
      coordinate: PAYLOAD_EVENT_COORDINATE,
      marker: PAYLOAD_EVENT_KEY,
      needs: `${PAYLOAD_EVENT_KEY}: __typename`,
      type: typeReference,
    };
  }
  // A contract that the service adds to a payload of the platform is selected within the service's own document.
  if (
    findFieldPolicy(typeName, fieldName)?.isService &&
    unwrapTypeReference(typeReference) !== 'SubscriptionContract'
  ) {
    const neededSelection =
      NEEDS_BY_FIELD[fieldCoordinate] ??
      NEEDS_BY_PARENT_TYPE[typeName] ??
      createMarkerOnlyTreatment(typeName);
    return { kind: 'service', coordinate: fieldCoordinate, type: typeReference, ...neededSelection };
  }
  return { kind: 'forwarded', as: classifyField(fieldCoordinate, typeReference), type: typeReference };
}

function classifyField(coordinate: string, type: string): FieldShape['kind'] {
  if (coordinate === 'Metafield.value') return 'metafield-value';
  if (coordinate === 'Metafield.jsonValue') return 'metafield-json';
  const name = unwrapTypeReference(type);
  if (name === 'ID') return 'id';
  const kind = schemaTable[name]?.kind;
  return kind === 'OBJECT' || kind === 'INTERFACE' || kind === 'UNION' ? 'object' : 'plain';
}

function createClosedFieldTreatment(typeName: string, type: string): FieldTreatment {
  return { kind: 'service', coordinate: 'closed', type, ...createMarkerOnlyTreatment(typeName) };
}

function createMarkerOnlyTreatment(typeName: string) {
  const marker = `${SERVICE_ALIAS}On${typeName}`;
  return { marker, needs: `${marker}: __typename` };
}

export const METAFIELD_TYPE_KEY = `${SERVICE_ALIAS}Type`;
export const OWNER_KEY = `${SERVICE_ALIAS}Owner`;
export const ORDER_OWNER_KEY = `${SERVICE_ALIAS}OrderOwner`;
export const CUSTOMER_ID_KEY = `${SERVICE_ALIAS}Self`;

/** The aliases of a product's status and of a variant's product. Customers only see products that are for sale. */
export const PRODUCT_STATUS_KEY = `${SERVICE_ALIAS}Sale`;
export const VARIANT_PRODUCT_KEY = `${SERVICE_ALIAS}SaleOf`;

/** The selections that show whether an object is for sale. Products change their status at any time. */
const SALE_CHECK_BY_TYPE: Readonly<Record<string, string>> = {
  Product: `${PRODUCT_STATUS_KEY}: status`,
  ProductVariant: `${VARIANT_PRODUCT_KEY}: product { status }`,
};

/** The selections that show an object's owner, for types that can change owners at the platform. */
const OWNER_CHECK_BY_TYPE: Readonly<Record<string, string>> = {
  Customer: `${CUSTOMER_ID_KEY}: id`,
  CustomerPaymentMethod: `${OWNER_KEY}: customer { id }`,
  Order: `${ORDER_OWNER_KEY}: customer { id }`,
  SubscriptionContract: `${OWNER_KEY}: customer { id }`,
};

type VisibilityChecks = Readonly<Record<string, string>>;

/**
 * Writes the selection that shows whether the acting customer may see an object of this type: the object's owner, or whether
 * the product is for sale. Empty when the type needs no check.
 */
export const writeVisibilityCheck = createCheckWriter({ ...OWNER_CHECK_BY_TYPE, ...SALE_CHECK_BY_TYPE });

/** Writes only the check of products, for a root, whose ownership is checked separately. */
export const writeSaleCheck = createCheckWriter(SALE_CHECK_BY_TYPE);

function createCheckWriter(checks: VisibilityChecks): (typeName: string) => string {
  const textsByType = new Map<string, string>();
  return (typeName) => {
    const cachedText = textsByType.get(typeName);
    if (cachedText !== undefined) return cachedText;
    const checkText = writeChecks(checks, typeName);
    textsByType.set(typeName, checkText);
    return checkText;
  };
}

function writeChecks(checks: VisibilityChecks, typeName: string): string {
  const checkOfType = checks[typeName];
  if (checkOfType !== undefined) return ` ${checkOfType}`;
  const checkedTypes = listPossibleTypes(typeName).filter((name) => checks[name] !== undefined);
  return checkedTypes.map((name) => ` ... on ${name} { ${checks[name]} }`).join('');
}

/** The connections of a checked object, whose items therefore need no owner check of their own. */
const CONNECTIONS_WITHOUT_OWNER_CHECK = new Set([
  'Customer.orders',
  'Customer.paymentMethods',
  'Customer.subscriptionContracts',
  // The variants of a product need no check: the product around them was checked.
  'Product.variants',
]);

/**
 * Whether a field's objects need no owner check, because they are read from a connection of a checked object, for example from
 * the customer's own orders.
 */
export function needsNoOwnerCheck(
  typeName: string,
  fieldName: string,
  isParentFromCustomer: boolean,
): boolean {
  if (CONNECTIONS_WITHOUT_OWNER_CHECK.has(`${typeName}.${fieldName}`)) return true;
  return isParentFromCustomer && /(Connection|Edge)$/.test(typeName);
}

const ORDER_CONTACT_FIELDS = new Set([
  ...['billingAddress', 'displayAddress', 'email', 'phone', 'shippingAddress'],
  // Anyone who has this URL sees the recipient, perhaps without a sign-in.
  'statusPageUrl',
]);

/** Whether the field identifies the recipient of an order. */
export function isOrderContact(typeName: string, fieldName: string): boolean {
  return typeName === 'Order' && ORDER_CONTACT_FIELDS.has(fieldName);
}
