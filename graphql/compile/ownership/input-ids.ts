/** Ids in what a client sends are found by the types of arguments and input fields, never by their looks. */
import type { GidNamespaces } from '../../plan/identity.ts';
import type { IdPolicy } from '../../schema/field-policy.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';
import { ACTOR, needsMapping } from '../selection/needs-mapping.ts';
import { itemOf, nullableOf } from '../selection/type-reference.ts';
import { isReferenceType, looksLikeReference, rewriteTextValue } from './rewrite-gid.ts';

/** Inputs whose `value` is an id if their `type` says so. */
const METAFIELD_INPUTS: ReadonlySet<string> = new Set(['MetafieldInput', 'MetafieldsSetInput']);

/** The treatment of one argument's values on their way to the platform. */
export type InputMapping = {
  /** Takes each id as the client sent it; returns what is sent instead. */
  readonly onId: (text: string, policy: IdPolicy) => string;
  /** The value of arguments that say who acts; CUSTOMER overrides what the client says. */
  readonly actor: 'CUSTOMER' | 'MERCHANT';
  readonly namespaces: GidNamespaces;
};

/** The policy of the ids in an argument or input field, if it takes ids itself. */
export function idPolicyOf([, , , , owner, types]: ArgumentEntry): IdPolicy {
  return { owner: owner || 'NOBODY', types: types || undefined };
}

/** A coerced value as it goes to the platform. `entry` is its argument or input field in the schema table. */
export function mapInput(value: unknown, entry: ArgumentEntry, mapping: InputMapping): unknown {
  return mapValue(value, nullableOf(entry[0]), { entry, mapping });
}

type Position = { readonly entry: ArgumentEntry; readonly mapping: InputMapping };

function mapValue(value: unknown, reference: string, position: Position): unknown {
  const { entry, mapping } = position;
  if (reference === ACTOR) return mapActor(value, mapping);
  if (value === null || value === undefined) return value;
  const item = itemOf(reference);
  if (item !== undefined) {
    const list = Array.isArray(value) ? value : [value];
    return list.map((one) => mapValue(one, nullableOf(item), position));
  }
  if (reference === 'ID') return mapping.onId(String(value), idPolicyOf(entry));
  const type = schemaTable[reference];
  if (type?.kind !== 'INPUT' || !needsMapping(reference)) return value;
  const mapped: Record<string, unknown> = { ...(value as object) };
  for (const [name, field] of Object.entries(type.inputFields)) {
    const isPresent = mapped[name] !== undefined || field[0] === ACTOR;
    if (isPresent && needsMapping(field[0])) mapped[name] = mapInput(mapped[name], field, mapping);
  }
  return METAFIELD_INPUTS.has(reference) ? mapMetafield(mapped, mapping) : mapped;
}

function mapActor(value: unknown, { actor }: InputMapping): unknown {
  return actor === 'CUSTOMER' ? actor : (value ?? actor);
}

function mapMetafield(input: Record<string, unknown>, { onId, namespaces }: InputMapping) {
  const isReference =
    input.type === undefined || input.type === null
      ? looksLikeReference(input.value, namespaces)
      : isReferenceType(input.type);
  if (!isReference) return input;
  const rewrite = (id: unknown) =>
    typeof id === 'string' ? onId(id, { owner: 'NOBODY', types: undefined }) : id;
  return { ...input, value: rewriteTextValue(input.value, rewrite) };
}
