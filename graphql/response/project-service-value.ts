/**
 * Writes a value that the service computed in the form of the client's selection: with the client's response keys,
 * conditions and id namespace. Objects of the platform inside the value are read from the platform's response and
 * converted by the walk.
 */
import { parseGid } from '../../lib/domain/gid.ts';
import { toClientId } from '../compile/ownership/global-ids.ts';
import { areConditionsMet } from '../compile/selection/flatten-selection.ts';
import { PLATFORM_PART_ID } from '../compile/selection/service-selection.ts';
import { isNonNullReference, unwrapTypeReference } from '../compile/selection/type-reference.ts';
import { type SelectedServiceField, type ServiceSelection, serviceValueKey } from '../plan/response-shape.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type { ResponseWalk } from '../plan/walk.ts';
import { convertFieldValue, REMOVED_OBJECT } from './walk-response.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The source of a part of a service value: where the upstream response holds the platform's object. */
export type PlatformPartSource = {
  /** The object of the platform's response that has the part, under the part's aliases. */
  readonly partOf: JsonObject;
  /** Returns the path of an alias's object in the platform's response. */
  readonly pathOf: (alias: string) => ResponsePath;
  /** The platform's id of the expected object. Another object at that path is not returned. */
  readonly id?: string;
};

/** Returns the source of parts that are aliases on one object of the upstream response. */
export function createPartSource(
  partOf: JsonObject,
  path: ResponsePath,
): Pick<PlatformPartSource, 'partOf' | 'pathOf'> {
  return { partOf, pathOf: (alias) => [...path, alias] };
}

/**
 * Returns the fields of `value` that the client selected, by response key. `value` has them by their names in the
 * schema. `path`: the path of the value in the client's response.
 */
export function projectServiceValue(
  walk: ResponseWalk,
  value: JsonObject,
  location: { selection: ServiceSelection; path: ResponsePath },
): JsonObject {
  const { selection, path } = location;
  const visibleFields = selection.fields.filter(({ when }) =>
    when.some((conditions) => areConditionsMet(conditions, walk.variables)),
  );
  const valueEntries = visibleFields.map((field) => {
    const { key, name } = field;
    walk.budget.take(key.length + PUNCTUATION_CHARACTERS);
    if (name === '__typename') return [key, selection.typeName];
    return [key, projectField(walk, value[serviceValueKey(field)], { field, path: [...path, key] })];
  });
  return Object.fromEntries(valueEntries);
}

/** The characters around a name or a value: quotation marks, a colon, a comma or brackets. */
const PUNCTUATION_CHARACTERS = 4;

type FieldAtPath = { readonly field: SelectedServiceField; readonly path: ResponsePath };

function projectField(walk: ResponseWalk, value: unknown, fieldAtPath: FieldAtPath): unknown {
  const { field, path } = fieldAtPath;
  if (value === null || value === undefined) return null;
  if (isPartSource(value)) return projectPart(walk, value, fieldAtPath);
  if (Array.isArray(value)) {
    return value.map((one, index) => projectField(walk, one, { field, path: [...path, index] }));
  }
  if (field.subselection !== undefined)
    return projectServiceValue(walk, value as JsonObject, { selection: field.subselection, path });
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  walk.budget.take(text.length + PUNCTUATION_CHARACTERS);
  return unwrapTypeReference(field.type) === 'ID' ? toClientId(value, walk.identity.namespaces) : value;
}

function projectPart(walk: ResponseWalk, source: PlatformPartSource, { field, path }: FieldAtPath): unknown {
  const { part } = field;
  if (part === undefined) throw new Error(`${field.name} is no part`);
  const partValues = part.aliases.map((alias) => source.partOf[alias]).filter(isJsonObject);
  const [firstPart] = partValues;
  if (firstPart === undefined || !isSamePlatformObject(firstPart, source))
    return projectIdOnly(walk, source, { field, path });
  for (const alias of part.aliases) walk.grafts.push({ from: source.pathOf(alias), to: path });
  const mergedValue = partValues.reduce(mergeSelections, {});
  walk.budget.take(JSON.stringify(mergedValue).length);
  const walkedValue = convertFieldValue(walk, mergedValue, { field: part.shape, path });
  return walkedValue === REMOVED_OBJECT ? null : walkedValue;
}

function isPartSource(value: unknown): value is PlatformPartSource {
  return isJsonObject(value) && Object.hasOwn(value, 'partOf');
}

function isSamePlatformObject(platformObject: JsonObject, { id }: PlatformPartSource): boolean {
  if (id === undefined) return true;
  const [actualGid, expectedGid] = [parseGid(String(platformObject[PLATFORM_PART_ID])), parseGid(id)];
  return (
    actualGid !== undefined && actualGid.type === expectedGid?.type && actualGid.tail === expectedGid.tail
  );
}

/**
 * Returns only the id of an unavailable object. A merchant may see it, because a merchant sees the whole
 * store.
 */
function projectIdOnly(
  walk: ResponseWalk,
  { id }: PlatformPartSource,
  { field, path }: FieldAtPath,
): unknown {
  const selection = field.subselection;
  if (id === undefined || selection === undefined || walk.identity.actingCustomerId !== undefined)
    return null;
  const isRequiredOtherField = ({ name, type }: SelectedServiceField) =>
    !['id', '__typename'].includes(name) && isNonNullReference(type);
  return selection.fields.some(isRequiredOtherField)
    ? null
    : projectServiceValue(walk, { id }, { selection, path });
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Merges two selections of one object. Their lists have equal lengths. */
function mergeSelections(one: unknown, other: unknown): JsonObject {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.map((item, index) => mergeSelections(item, other[index])) as unknown as JsonObject;
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return (other ?? one) as JsonObject;
  const mergedObject: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    mergedObject[key] = Object.hasOwn(one, key) ? mergeSelections(one[key], value) : value;
  }
  return mergedObject;
}
