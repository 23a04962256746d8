/**
 * Sets a field of the response to null, and the fields around it that may not contain null (GraphQL, section
 * "Handling Execution Errors").
 */
import { isNonNullReference, itemTypeOfList } from '../compile/selection/type-reference.ts';
import type { FieldShape, SelectedServiceField } from '../plan/response-shape.ts';
import type { ResponsePath } from '../plan/result-error.ts';

type ResponsePathStep = {
  readonly container: Readonly<Record<string | number, unknown>>;
  readonly name: string | number;
  readonly type: string;
};

/**
 * Returns a copy of `data` with null at `path`, which begins with the root's key, or at the nearest nullable field above it.
 * @returns null when no field on the path is nullable, so that `data` itself is null
 */
export function propagateNull(
  data: Readonly<Record<string, unknown>>,
  root: FieldShape,
  path: ResponsePath,
): Record<string, unknown> | null {
  const pathSteps = listPathSteps(data, root, path);
  const nullableIndex = pathSteps.findLastIndex(({ type }) => !isNonNullReference(type));
  const changedData = pathSteps
    .slice(0, nullableIndex + 1)
    .reduceRight<unknown>((value, { container, name }) => replaceValue(container, name, value), null);
  return changedData as Record<string, unknown> | null;
}

/** Copies an object or a list with one value replaced. */
function replaceValue(
  container: ResponsePathStep['container'],
  name: string | number,
  value: unknown,
): unknown {
  return Array.isArray(container) ? container.with(Number(name), value) : { ...container, [name]: value };
}

function listPathSteps(
  data: Readonly<Record<string, unknown>>,
  root: FieldShape,
  path: ResponsePath,
): ResponsePathStep[] {
  const pathSteps: ResponsePathStep[] = [];
  let parentValue: unknown = data;
  let currentField: AnyField | undefined = root;
  let currentType = '';
  for (const pathStep of path) {
    if (typeof parentValue !== 'object' || parentValue === null) break;
    if (typeof pathStep === 'string') {
      if (pathSteps.length > 0) currentField = findFieldBelow(currentField, pathStep);
      currentType = currentField?.type ?? '';
    } else currentType = itemTypeOfList(currentType) ?? '';
    pathSteps.push({ container: parentValue as Record<string, unknown>, name: pathStep, type: currentType });
    parentValue = (parentValue as Record<string | number, unknown>)[pathStep];
  }
  return pathSteps;
}

/** A field below a root: of a platform object, or of a value that the service computed. Each can contain the other. */
type AnyField = FieldShape | SelectedServiceField;

function findFieldBelow(field: AnyField | undefined, name: string): AnyField | undefined {
  if (field === undefined) return undefined;
  const isServiceField = 'part' in field;
  const shape = isServiceField ? field.part?.shape.shape : field.shape;
  const selections = isServiceField
    ? [field.subselection]
    : field.serviceFields.map(({ selection }) => selection);
  const candidateFields = [shape?.fields, ...selections.map((one) => one?.fields)];
  return candidateFields.flatMap((one): readonly AnyField[] => one ?? []).find(({ key }) => key === name);
}
