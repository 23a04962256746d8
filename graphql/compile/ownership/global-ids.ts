/**
 * Global ids of clients and of the platform, which have different namespaces. Ids are found by the types of arguments
 * and fields, never by their looks: a text that only looks like an id stays as it is.
 */

import { formatGid, parseCustomerGid, parseGid, withNamespace } from '../../../lib/domain/gid.ts';
import type { GidNamespaces, RequestIdentity } from '../../plan/identity.ts';
import type { IdPolicy } from '../../schema/field-policy.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';
import { ACTOR_TYPE, needsInputMapping } from '../selection/needs-mapping.ts';
import { itemTypeOfList, unwrapNonNull } from '../selection/type-reference.ts';

/** Inputs whose `value` is an id if their `type` says so. */
const METAFIELD_INPUTS: ReadonlySet<string> = new Set(['MetafieldInput', 'MetafieldsSetInput']);

/** The treatment of one argument's values on their way to the platform. */
export type InputMapping = {
  /** Returns the id that is sent to the platform in place of the client's id. */
  readonly onId: (text: string, policy: IdPolicy) => string;
  /**
   * The value of arguments of type SubscriptionActor. CUSTOMER replaces the client's value; MERCHANT is only a
   * default.
   */
  readonly actor: 'CUSTOMER' | 'MERCHANT';
  readonly namespaces: GidNamespaces;
};

/**
 * Returns the policy of the ids of an argument or input field. Without an owner in the schema, ids belong to
 * `NOBODY`.
 */
export function idPolicyOfEntry([, , , , owner, types]: ArgumentEntry): IdPolicy {
  return { owner: owner || 'NOBODY', types: types || undefined };
}

/**
 * Maps the ids and actors in a coerced value for the platform. `entry` is the value's argument or input field in the
 * schema table.
 */
export function toPlatformInput(value: unknown, entry: ArgumentEntry, mapping: InputMapping): unknown {
  return mapValue(value, unwrapNonNull(entry[0]), { entry, mapping });
}

type ValuePosition = { readonly entry: ArgumentEntry; readonly mapping: InputMapping };

function mapValue(value: unknown, typeReference: string, position: ValuePosition): unknown {
  const { entry, mapping } = position;
  if (typeReference === ACTOR_TYPE) return mapActor(value, mapping);
  if (value === null || value === undefined) return value;
  const itemType = itemTypeOfList(typeReference);
  if (itemType !== undefined) {
    const list = Array.isArray(value) ? value : [value];
    return list.map((one) => mapValue(one, unwrapNonNull(itemType), position));
  }
  if (typeReference === 'ID') return mapping.onId(String(value), idPolicyOfEntry(entry));
  const typeEntry = schemaTable[typeReference];
  if (typeEntry?.kind !== 'INPUT' || !needsInputMapping(typeReference)) return value;
  const mappedObject: Record<string, unknown> = { ...(value as object) };
  for (const [name, field] of Object.entries(typeEntry.inputFields)) {
    const isFieldPresent = mappedObject[name] !== undefined || field[0] === ACTOR_TYPE;
    if (isFieldPresent && needsInputMapping(field[0]))
      mappedObject[name] = toPlatformInput(mappedObject[name], field, mapping);
  }
  return METAFIELD_INPUTS.has(typeReference) ? mapMetafield(mappedObject, mapping) : mappedObject;
}

function mapActor(value: unknown, { actor }: InputMapping): unknown {
  return actor === 'CUSTOMER' ? actor : (value ?? actor);
}

function mapMetafield(input: Record<string, unknown>, { onId, namespaces }: InputMapping) {
  const isReferenceMetafield =
    input.type === undefined || input.type === null
      ? isMetafieldIdValue(input.value, namespaces)
      : isMetafieldReferenceType(input.type);
  if (!isReferenceMetafield) return input;
  const rewriteId = (id: unknown) =>
    typeof id === 'string' ? onId(id, { owner: 'NOBODY', types: undefined }) : id;
  return { ...input, value: rewriteTextReferences(input.value, rewriteId) };
}

/** Rewrites an id of the platform to the clients' namespace. Any other value stays as it is. */
export function toClientId(value: unknown, namespaces: GidNamespaces): unknown {
  return createClientIdMapper(namespaces)(value);
}

/** Returns a function that does the same as `toClientId`, for responses with many ids. */
export function createClientIdMapper({ client, platform }: GidNamespaces): (value: unknown) => unknown {
  const [from, to] = [`gid://${platform}/`, `gid://${client}/`];
  return (value) =>
    typeof value === 'string' && value.startsWith(from) ? to + value.slice(from.length) : value;
}

/**
 * Rewrites a client's id to the platform's namespace.
 * @returns undefined when it is not in the clients' namespace.
 */
export function toPlatformId(text: string, { client, platform }: GidNamespaces): string | undefined {
  const gid = parseGid(text);
  return gid?.namespace === client ? formatGid(withNamespace(gid, platform)) : undefined;
}

const TYPE_REFERENCE_PATTERN = /^(list\.)?[a-z_]+_reference$/;

/** Whether values of this metafield type are ids. */
export function isMetafieldReferenceType(metafieldType: unknown): boolean {
  return typeof metafieldType === 'string' && TYPE_REFERENCE_PATTERN.test(metafieldType);
}

/** Rewrites the ids in the `jsonValue` of a metafield of a reference type: one id, or a list of ids. */
export function rewriteJsonReferences(value: unknown, rewrite: (id: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(rewrite) : rewrite(value);
}

/** Rewrites the ids in the `value` of a metafield of a reference type: one id, or the text of a JSON list of ids. */
export function rewriteTextReferences(value: unknown, rewrite: (id: unknown) => unknown): unknown {
  const list = parseJsonList(value);
  return list === undefined ? rewrite(value) : JSON.stringify(list.map(rewrite));
}

/**
 * Whether a metafield's value, sent without its type, is one id, or a JSON list of ids, in the clients' namespace.
 *
 * @internal Tests call it with each form of a value.
 */
export function isMetafieldIdValue(value: unknown, namespaces: GidNamespaces): boolean {
  const list = parseJsonList(value) ?? [value];
  const isId = (item: unknown) => typeof item === 'string' && toPlatformId(item, namespaces) !== undefined;
  return list.length > 0 && list.every(isId);
}

function parseJsonList(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the acting customer's id in the platform's namespace.
 * @returns undefined when no customer is acting.
 */
export function actingCustomerGid({ actingCustomerId, namespaces }: RequestIdentity): string | undefined {
  return actingCustomerId === undefined
    ? undefined
    : `gid://${namespaces.platform}/Customer/${actingCustomerId}`;
}

/** Whether an id in the platform's namespace is the acting customer's. */
export function isActingCustomer(id: unknown, identity: RequestIdentity): boolean {
  const { actingCustomerId, namespaces } = identity;
  if (actingCustomerId === undefined || typeof id !== 'string') return false;
  // Fast path: the platform writes almost all ids of customers in this form.
  if (id === actingCustomerGid(identity)) return true;
  return parseCustomerGid(id, namespaces.platform) === actingCustomerId;
}
