/**
 * Converts the platform's response to the client's in one walk: rewrites ids to the clients' namespace, removes objects
 * of other customers and the keys that the service added, and records where the service's own fields belong. It visits
 * only the fields that the shape lists. It never changes the platform's response: an object that differs for the client
 * is copied.
 */
import { isForSale } from '../../lib/subscriptions/selling-plans/is-for-sale.ts';
import {
  createClientIdMapper,
  isActingCustomer,
  isMetafieldReferenceType,
  rewriteJsonReferences,
  rewriteTextReferences,
} from '../compile/ownership/global-ids.ts';
import {
  CUSTOMER_ID_KEY,
  METAFIELD_TYPE_KEY,
  ORDER_OWNER_KEY,
  OWNER_KEY,
  PRODUCT_STATUS_KEY,
  VARIANT_PRODUCT_KEY,
} from '../compile/selection/field-treatment.ts';
import { areConditionsMet } from '../compile/selection/flatten-selection.ts';
import { isNonNullReference, itemTypeOfList } from '../compile/selection/type-reference.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RequestIdentity } from '../plan/identity.ts';
import type { FieldShape, ResponseShape, ServiceField } from '../plan/response-shape.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type { ResponseBudget } from '../plan/root-response.ts';
import type { ResponseWalk } from '../plan/walk.ts';

type JsonObject = Record<string, unknown>;

/** Returns the state of a walk that has visited nothing yet. */
export function createResponseWalk(
  { identity, budget }: { readonly identity: RequestIdentity; readonly budget: ResponseBudget },
  variables: Variables,
): ResponseWalk {
  return {
    path: [],
    identity,
    variables,
    budget,
    tasks: [],
    removals: [],
    grafts: [],
    furtherErrors: [],
    toClientId: createClientIdMapper(identity.namespaces),
    isActingCustomer: (id) => isActingCustomer(id, identity),
  };
}

/**
 * The result for an object of another customer, or for a product that is not for sale. A list omits such an object, a
 * nullable field becomes null, and a non-null field removes its parent object.
 */
export const REMOVED_OBJECT = Symbol('foreign');

/** Returns the client's value of a root, or REMOVED_OBJECT. */
export function walkRoot(walk: ResponseWalk, value: unknown, field: FieldShape): unknown {
  return convertFieldValue(walk, value, { field, path: [field.key] });
}

/** Returns the client's value of the field at `path`, or REMOVED_OBJECT. */
export function convertFieldValue(
  walk: ResponseWalk,
  value: unknown,
  { field, path }: { field: FieldShape; path: ResponsePath },
): unknown {
  walk.path.push(...path);
  const walkedValue = findWalker(field)(walk, value);
  walk.path.splice(0);
  return walkedValue;
}

/** Converts the platform's value at the current path to the client's value, or returns REMOVED_OBJECT. */
type FieldWalker = (walk: ResponseWalk, value: unknown) => unknown;

const walkersByField = new WeakMap<FieldShape, FieldWalker>();

/**
 * Returns the field's walker. Caches it with the plan, so that no object of a response has to be matched with the
 * schema again.
 */
function findWalker(field: FieldShape): FieldWalker {
  const cachedWalker = walkersByField.get(field);
  if (cachedWalker !== undefined) return cachedWalker;
  const compiledWalker = compileFieldWalker(field);
  walkersByField.set(field, compiledWalker);
  return compiledWalker;
}

const walkUnchanged: FieldWalker = (_walk, value) => value;
const walkId: FieldWalker = (walk, value) => walk.toClientId(value);

/** Whether the field's value has no fields or items below it that the walk must visit. */
function isLeaf({ kind, type }: FieldShape): boolean {
  return kind === 'plain' || (kind === 'id' && itemTypeOfList(type) === undefined);
}

function compileFieldWalker(field: FieldShape): FieldWalker {
  if (isLeaf(field)) return field.kind === 'id' ? walkId : walkUnchanged;
  const isNonNull = isNonNullReference(field.type);
  const walkValue = compileValueWalker(field, field.type);
  return (walk, value) => {
    const walkedValue = walkValue(walk, value);
    if (walkedValue !== REMOVED_OBJECT) return walkedValue;
    walk.removals.push({ path: [...walk.path], isItem: false });
    return isNonNull ? REMOVED_OBJECT : null;
  };
}

function compileValueWalker(field: FieldShape, type: string): FieldWalker {
  const item = itemTypeOfList(type);
  if (item !== undefined) return compileListWalker(compileValueWalker(field, item), isNonNullReference(item));
  if (field.kind === 'id') return walkId;
  return field.shape === undefined ? walkUnchanged : compileObjectWalker(field.shape);
}

function compileListWalker(walkItem: FieldWalker, areItemsNonNull: boolean): FieldWalker {
  return (walk, list) => {
    if (!Array.isArray(list)) return list;
    const { path } = walk;
    const convertedItems: unknown[] = [];
    for (let itemIndex = 0; itemIndex < list.length; itemIndex++) {
      path.push(itemIndex);
      const walkedItem = walkItem(walk, list[itemIndex]);
      if (walkedItem === REMOVED_OBJECT) walk.removals.push({ path: [...path], isItem: areItemsNonNull });
      if (walkedItem !== REMOVED_OBJECT || !areItemsNonNull)
        convertedItems.push(walkedItem === REMOVED_OBJECT ? null : walkedItem);
      path.pop();
    }
    return convertedItems;
  };
}

type ObjectEntry = { readonly field: FieldShape; readonly isLeaf: boolean; readonly walk: FieldWalker };

function toObjectEntry(field: FieldShape): ObjectEntry {
  return { field, isLeaf: isLeaf(field), walk: findWalker(field) };
}

function walkObjectEntry(walk: ResponseWalk, value: unknown, entry: ObjectEntry): unknown {
  if (entry.isLeaf) return entry.walk(walk, value);
  walk.path.push(entry.field.key);
  const walkedValue = entry.walk(walk, value);
  walk.path.pop();
  return walkedValue;
}

function compileObjectWalker(shape: ResponseShape): FieldWalker {
  const activeEntries = shape.fieldsToWalk.map(toObjectEntry);
  const allEntries = shape.fields.map(toObjectEntry);
  return (walk, value) => {
    if (value === null || value === undefined) return value;
    const objectValue = value as JsonObject;
    const ownership = shape.isOwnerChecked ? classifyOwner(walk, objectValue) : 'unchecked';
    if (ownership === 'another') return REMOVED_OBJECT;
    if (shape.isRebuilt || ownership !== 'unchecked') {
      return rebuildObject(walk, objectValue, { entries: allEntries, hidesContact: ownership === 'nobody' });
    }
    let objectCopy: JsonObject | undefined;
    for (const objectEntry of activeEntries) {
      const { key } = objectEntry.field;
      const fieldValue = objectValue[key];
      if (fieldValue === null || fieldValue === undefined) continue;
      const walkedField = walkObjectEntry(walk, fieldValue, objectEntry);
      if (walkedField === REMOVED_OBJECT) return REMOVED_OBJECT;
      if (walkedField === fieldValue) continue;
      objectCopy ??= { ...objectValue };
      objectCopy[key] = walkedField;
    }
    return objectCopy ?? objectValue;
  };
}

type ObjectOwnership = 'unchecked' | 'own' | 'another' | 'nobody';

/**
 * Returns whose the object is, by the internal keys with its owner. Only an order may have no owner. A product that is
 * not for sale counts as another's.
 */
function classifyOwner(walk: ResponseWalk, object: JsonObject): ObjectOwnership {
  const isOrderObject = Object.hasOwn(object, ORDER_OWNER_KEY);
  if (isOrderObject && object[ORDER_OWNER_KEY] === null) return 'nobody';
  if (isOrderObject || Object.hasOwn(object, OWNER_KEY)) {
    const ownerObject = (isOrderObject ? object[ORDER_OWNER_KEY] : object[OWNER_KEY]) as JsonObject | null;
    return walk.isActingCustomer(ownerObject?.id) ? 'own' : 'another';
  }
  if (isSaleChecked(object)) return isNotForSale(object) ? 'another' : 'own';
  if (!Object.hasOwn(object, CUSTOMER_ID_KEY)) return 'unchecked';
  return walk.isActingCustomer(object[CUSTOMER_ID_KEY]) ? 'own' : 'another';
}

const isSaleChecked = (object: JsonObject) =>
  Object.hasOwn(object, PRODUCT_STATUS_KEY) || Object.hasOwn(object, VARIANT_PRODUCT_KEY);

/** Whether a value is a product, or a variant of one, that customers do not see. */
export function isNotForSale(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !isSaleChecked(value as JsonObject)) return false;
  const { [PRODUCT_STATUS_KEY]: status, [VARIANT_PRODUCT_KEY]: product } = value as JsonObject;
  return !isForSale(product === undefined ? status : (product as JsonObject | null)?.status);
}

type RebuiltObject = {
  readonly entries: readonly ObjectEntry[];
  readonly hidesContact: boolean;
};

/** Copies the object with only the keys that the client selected, in the client's order. */
function rebuildObject(
  walk: ResponseWalk,
  object: JsonObject,
  { entries, hidesContact }: RebuiltObject,
): unknown {
  const rebuiltValue: JsonObject = {};
  for (const objectEntry of entries) {
    const { field } = objectEntry;
    const { key, serviceFields } = field;
    const serviceField =
      serviceFields.length === 0
        ? undefined
        : serviceFields.find((one) => isServiceFieldPresent(walk, object, one));
    if (serviceField !== undefined) {
      rebuiltValue[key] = null;
      const fillField = (filled: unknown) => {
        rebuiltValue[key] = filled;
      };
      walk.tasks.push({
        field: serviceField,
        walk,
        parent: object,
        fill: fillField,
        path: [...walk.path, key],
      });
      continue;
    }
    if (!Object.hasOwn(object, key)) continue;
    const isContactHidden = hidesContact && field.isOrderContact;
    if (isContactHidden && isNonNullReference(field.type)) return REMOVED_OBJECT;
    const visibleValue = isContactHidden ? null : rewriteMetafield(walk, object, field);
    const walkedField = walkObjectEntry(walk, visibleValue, objectEntry);
    if (walkedField === REMOVED_OBJECT) return REMOVED_OBJECT;
    rebuiltValue[key] = walkedField;
  }
  return rebuiltValue;
}

function isServiceFieldPresent(
  { variables }: ResponseWalk,
  object: JsonObject,
  { marker, when }: ServiceField,
): boolean {
  return Object.hasOwn(object, marker) && when.some((one) => areConditionsMet(one, variables));
}

/** Rewrites the ids in a metafield's value, if the metafield's type is a reference. */
function rewriteMetafield(
  { toClientId }: ResponseWalk,
  object: JsonObject,
  { key, kind }: FieldShape,
): unknown {
  const value = object[key];
  const isTextValue = kind === 'metafield-value';
  if (!(isTextValue || kind === 'metafield-json') || !isMetafieldReferenceType(object[METAFIELD_TYPE_KEY]))
    return value;
  return isTextValue ? rewriteTextReferences(value, toClientId) : rewriteJsonReferences(value, toClientId);
}
