/**
 * Reads the policy of one place in the schema from the table, without building a graphql-js type. The SDL's directives
 * define it; the rules of graphql/policy and the compiler use it.
 */
import type { KeyScope } from '../../lib/domain/key-scope.ts';
import { schemaTable } from './generated/schema-table.ts';
import { type IdOwner, POLICY_FLAGS } from './table/schema-table-format.ts';

/** The policy of an id that a client sends: the way to its owner, and the allowed types (undefined: all). */
export type IdPolicy = { readonly owner: IdOwner; readonly types: readonly string[] | undefined };

/** A field's policy. Each flag without a comment is the directive of that name in schema/sdl/directives.graphql. */
type FieldPolicy = {
  readonly isCustomer: boolean;
  readonly isSameOwner: boolean;
  /** Whether it can return an object that belongs to one customer, including the nodes of a connection. */
  readonly isOwned: boolean;
  readonly isCatalogue: boolean;
  readonly isStoreOnly: boolean;
  readonly isSelf: boolean;
  readonly isService: boolean;
  readonly isActingCustomerRequired: boolean;
  /** The path through the acting customer, for example `customer.orders`. */
  readonly narrowedTo: string | undefined;
};

const hasFlag = (flags: number, bit: number): boolean => (flags & bit) !== 0;

function findFieldEntry(typeName: string, fieldName: string) {
  const type = schemaTable[typeName];
  const isComposite = type?.kind === 'OBJECT' || type?.kind === 'INTERFACE';
  return isComposite && Object.hasOwn(type.fields, fieldName) ? type.fields[fieldName] : undefined;
}

/**
 * Returns the policy of a field of an object type or interface.
 * @returns undefined when there is no such field
 */
export function findFieldPolicy(typeName: string, fieldName: string): FieldPolicy | undefined {
  const fieldEntry = findFieldEntry(typeName, fieldName);
  if (fieldEntry === undefined) return undefined;
  const [, fieldFlags = 0, , , narrowedTo] = fieldEntry;
  return {
    isCustomer: hasFlag(fieldFlags, POLICY_FLAGS.customer),
    isSameOwner: hasFlag(fieldFlags, POLICY_FLAGS.sameOwner),
    isOwned: hasFlag(fieldFlags, POLICY_FLAGS.owned),
    isCatalogue: hasFlag(fieldFlags, POLICY_FLAGS.catalogue),
    isStoreOnly: hasFlag(fieldFlags, POLICY_FLAGS.storeOnly),
    isSelf: hasFlag(fieldFlags, POLICY_FLAGS.self),
    isService: hasFlag(fieldFlags, POLICY_FLAGS.service),
    isActingCustomerRequired: hasFlag(fieldFlags, POLICY_FLAGS.actingCustomerRequired),
    narrowedTo,
  };
}

/** Whether an argument takes a day alone: of type Date, or of type DateTime with `@day`. */
export function acceptsDayOnly(typeName: string, fieldName: string, argumentName: string): boolean {
  const args = findFieldEntry(typeName, fieldName)?.[2];
  const entry = args && Object.hasOwn(args, argumentName) ? args[argumentName] : undefined;
  return entry !== undefined && (/^Date!?$/.test(entry[0]) || hasFlag(entry[1] ?? 0, POLICY_FLAGS.day));
}

/** Whether a type is the service's own, so that the platform does not know it. */
export function isServiceType(typeName: string): boolean {
  return hasFlag(schemaTable[typeName]?.flags ?? 0, POLICY_FLAGS.service);
}

/** Whether an object of this type, interface or union can belong to one customer. */
export function isOwnedType(typeName: string): boolean {
  return hasFlag(schemaTable[typeName]?.flags ?? 0, POLICY_FLAGS.owned);
}

/**
 * Returns the scopes that a store's key needs for a root field.
 * @returns undefined when there is no such root
 */
export function findRequiredKeyScopes(typeName: string, fieldName: string): readonly KeyScope[] | undefined {
  const [, flags = 0] = findFieldEntry(typeName, fieldName) ?? [];
  const neededScopes = SCOPE_FLAGS.filter(([, bit]) => hasFlag(flags, bit)).map(([scope]) => scope);
  return neededScopes.length > 0 || hasFlag(flags, POLICY_FLAGS.needsNoScope) ? neededScopes : undefined;
}

const SCOPE_FLAGS = [
  ['READ', POLICY_FLAGS.needsRead],
  ['WRITE', POLICY_FLAGS.needsWrite],
  ['WEBHOOKS', POLICY_FLAGS.needsWebhooks],
  ['BILLING', POLICY_FLAGS.needsBilling],
] as const satisfies readonly (readonly [KeyScope, number])[];
