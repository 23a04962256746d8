/**
 * While a customer is acting, only some fields are open: always on the customer endpoint, and on the admin endpoint
 * with the header. The compiler calls this file for each root field and each field below it, and returns FORBIDDEN for
 * `closed`.
 */
import type { ActingRootDecision } from '../plan/root-handler.ts';
import { findFieldPolicy } from '../schema/field-policy.ts';
import { schemaTable } from '../schema/generated/schema-table.ts';
import type { InputEntry } from '../schema/table/schema-table-format.ts';

const containsOwnedIdByType = new Map<string, boolean>();

const unwrapTypeReference = (reference: string): string => reference.replaceAll(/[[\]!]/g, '');

/** Whether an input of this type can contain an owned id. */
function canInputContainOwnedId(typeName: string, typesAbove: ReadonlySet<string> = new Set()): boolean {
  const cachedResult = containsOwnedIdByType.get(typeName);
  if (cachedResult !== undefined) return cachedResult;
  const typeEntry = schemaTable[typeName];
  if (typeEntry?.kind !== 'INPUT' || typesAbove.has(typeName)) return false;
  const visitedTypes = new Set([...typesAbove, typeName]);
  const isOwnedIdArgument = ([type, , , , owner]: InputEntry['inputFields'][string]) =>
    owner ? owner !== 'NOBODY' : canInputContainOwnedId(unwrapTypeReference(type), visitedTypes);
  const containsOwnedId = Object.values(typeEntry.inputFields).some(isOwnedIdArgument);
  containsOwnedIdByType.set(typeName, containsOwnedId);
  return containsOwnedId;
}

/** Returns the decision for a root field (`QueryRoot.order`) while a customer is acting. An unknown field is closed. */
export function decideActingRoot(rootCoordinate: string): ActingRootDecision {
  const [typeName = '', fieldName = ''] = rootCoordinate.split('.');
  const fieldPolicy = findFieldPolicy(typeName, fieldName);
  if (fieldPolicy === undefined || fieldPolicy.isStoreOnly) return { kind: 'closed' };
  if (fieldPolicy.isCatalogue) return { kind: 'catalogue' };
  if (fieldPolicy.isSelf) return { kind: 'self' };
  if (fieldPolicy.narrowedTo !== undefined) return { kind: 'narrowed', to: fieldPolicy.narrowedTo };
  const type = schemaTable[typeName];
  const args = type?.kind === 'OBJECT' ? (type.fields[fieldName]?.[2] ?? 0) : 0;
  const containsOwnedArgument = Object.values(args || {}).some(([reference, , , , owner]) =>
    owner ? owner !== 'NOBODY' : canInputContainOwnedId(unwrapTypeReference(reference)),
  );
  return { kind: containsOwnedArgument ? 'owned' : 'closed' };
}

/** Whether a field below a root is open while a customer is acting. Meta fields such as `__typename` are open. */
export function isOpenWhileActing(typeName: string, fieldName: string): boolean {
  if (fieldName.startsWith('__')) return true;
  const policy = findFieldPolicy(typeName, fieldName);
  if (policy === undefined || policy.isStoreOnly) return false;
  return !policy.isOwned || policy.isSameOwner;
}
