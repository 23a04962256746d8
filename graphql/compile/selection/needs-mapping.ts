/**
 * Finds the types of arguments whose values must be mapped before they are sent to the platform: those with ids, dates or the
 * actor. A client's date may have no offset; the coerced value has one.
 */
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { unwrapTypeReference } from './type-reference.ts';

export const ACTOR_TYPE = 'SubscriptionActor';

const needsMappingByType = new Map<string, boolean>();

/** Whether a value of this type can contain an id, a date or an actor. `typesAbove`: the input types around it. */
export function needsInputMapping(reference: string, typesAbove: readonly string[] = []): boolean {
  const namedType = unwrapTypeReference(reference);
  if (namedType === 'ID' || namedType === 'DateTime' || namedType === ACTOR_TYPE) return true;
  const cachedResult = needsMappingByType.get(namedType);
  if (cachedResult !== undefined) return cachedResult;
  const typeEntry = schemaTable[namedType];
  if (typeEntry?.kind !== 'INPUT' || typesAbove.includes(namedType)) return false;
  const needsMapping = Object.values(typeEntry.inputFields).some(([type]) =>
    needsInputMapping(type, [...typesAbove, namedType]),
  );
  if (typesAbove.length === 0 || needsMapping) needsMappingByType.set(namedType, needsMapping);
  return needsMapping;
}
