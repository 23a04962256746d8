/**
 * Arguments that contain ids or dates, or say who acts, are found by their types: their values are mapped before they are
 * sent. A date of the client may have no offset; the coerced value has one.
 */
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { namedType } from './type-reference.ts';

export const ACTOR_TYPE = 'SubscriptionActor';

const needing = new Map<string, boolean>();

/** Whether values of this type can hold something that must not be sent as it is. */
export function needsMapping(reference: string, above: readonly string[] = []): boolean {
  const name = namedType(reference);
  if (name === 'ID' || name === 'DateTime' || name === ACTOR_TYPE) return true;
  const known = needing.get(name);
  if (known !== undefined) return known;
  const entry = schemaTable[name];
  if (entry?.kind !== 'INPUT' || above.includes(name)) return false;
  const answer = Object.values(entry.inputFields).some(([type]) => needsMapping(type, [...above, name]));
  if (above.length === 0 || answer) needing.set(name, answer);
  return answer;
}
