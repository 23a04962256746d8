/**
 * What only the variables' values decide: closed input fields, page sizes, objects, bounds of images. Prepared once
 * for an operation, run for each request: the raw values before they are coerced, the coerced ones after.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from 'graphql';
import { type Surface, schemaOf } from '../schema/schema.ts';
import { notAvailable } from './errors/not-available.ts';
import { compileObjectCount, type ObjectCount, waitsForVariables } from './limits/count-objects.ts';
import { excessObjects } from './limits/excess-objects.ts';
import { fragmentSets } from './limits/fragment-sets.ts';
import { imageBoundsError, isImageArgument } from './limits/image-bounds.ts';
import { LIMITS } from './limits/limits.ts';
import type { Variables } from './limits/page-size.ts';

export type VariableChecks = {
  readonly surface: Surface;
  /** Of those variables that take input objects. */
  readonly types: ReadonlyMap<string, GraphQLInputType>;
  /** Undefined: no variable has a say, and the document's own check has counted. */
  readonly count: ObjectCount | undefined;
  readonly images: readonly ArgumentNode[];
};

function variableTypes(surface: Surface, { variableDefinitions = [] }: OperationDefinitionNode) {
  const types = new Map<string, GraphQLInputType>();
  for (const { variable, type } of variableDefinitions) {
    const known = typeFromAST(schemaOf(surface), type as never);
    if (isInputType(known) && isInputObjectType(getNamedType(known))) types.set(variable.name.value, known);
  }
  return types;
}

/** Prepares the checks of one operation of a validated document. */
export function prepareVariableChecks(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): VariableChecks {
  const images: ArgumentNode[] = [];
  visit(document, {
    Argument(node) {
      if (isImageArgument(node)) images.push(node);
    },
  });
  const count = compileObjectCount(schemaOf(surface), fragmentSets(document), operation);
  return {
    surface,
    types: variableTypes(surface, operation),
    count: waitsForVariables(count) ? count : undefined,
    images,
  };
}

/** The first name in `value` that the input type does not have, objects and lists looked into. */
function unknownNameIn(type: GraphQLInputType, value: unknown): string | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) {
      const name = unknownNameIn(bare.ofType, item);
      if (name !== undefined) return name;
    }
    return undefined;
  }
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return undefined;
  const fields = bare.getFields();
  for (const [key, inner] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const name = field ? unknownNameIn(field.type, inner) : key;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Before coercion: input fields that customer accounts cannot use. Stores get the coercion's own words. */
export function checkRawVariables({ surface, types }: VariableChecks, variables: Variables): GraphQLError[] {
  if (surface !== 'customer' || types.size === 0) return [];
  return [...types].flatMap(([variable, type]) => {
    const name = unknownNameIn(type, variables[variable]);
    return name === undefined ? [] : [notAvailable(name)];
  });
}

/** After coercion: what goes beyond a limit or a bound with these values. */
export function checkCoercedVariables(
  { surface, images, count }: VariableChecks,
  variables: Variables,
): GraphQLError[] {
  const bounds = images.flatMap((argument) => imageBoundsError(argument, variables) ?? []);
  return count === undefined ? bounds : [...excessObjects(count, LIMITS[surface], variables), ...bounds];
}
