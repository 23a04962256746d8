/**
 * Some rules can be decided only with the variables' values: closed input fields, page sizes, objects, bounds of
 * images. The checks are prepared once for an operation and run for each request: on the raw values before they are
 * coerced, and on the coerced ones after.
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
import { notAvailable } from './errors/document-errors.ts';
import { compileObjectCount, type ObjectCount, waitsForVariables } from './limits/count-objects.ts';
import { fragmentSets } from './limits/fragment-sets.ts';
import { imageBoundsError, isImageArgument } from './limits/image-bounds.ts';
import { LIMITS } from './limits/limits.ts';
import { listErrors } from './limits/list-errors.ts';
import type { Variables } from './limits/page-size.ts';
import { type CheckDays, prepareDayCheck } from './meaning/bare-days.ts';

type VariableChecks = {
  readonly surface: Surface;
  /** The types of those variables that take input objects. */
  readonly types: ReadonlyMap<string, GraphQLInputType>;
  /** The count of objects; undefined if no variable has a say in it, so that check-document.ts has judged it. */
  readonly count: ObjectCount | undefined;
  readonly images: readonly ArgumentNode[];
  readonly checkDays: CheckDays;
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
    checkDays: prepareDayCheck(schemaOf(surface), document, operation),
  };
}

/** The first name in `value` that the input type does not have. Objects and lists are searched too. */
function unknownNameIn(type: GraphQLInputType, value: unknown): string | undefined {
  // Only objects have names, and a list may have very many other items.
  if (typeof value !== 'object' || value === null) return undefined;
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) {
      const name = unknownNameIn(bare.ofType, item);
      if (name !== undefined) return name;
    }
    return undefined;
  }
  if (!isInputObjectType(bare)) return undefined;
  const fields = bare.getFields();
  for (const key of Object.keys(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const name = field ? unknownNameIn(field.type, (value as Variables)[key]) : key;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** More errors than these are not made, however many variables have one. */
const MAX_ERRORS = 5;

/**
 * The errors before coercion: input fields that customer accounts cannot use. Merchants get the coercion's own
 * errors.
 */
export function checkRawVariables({ surface, types }: VariableChecks, variables: Variables): GraphQLError[] {
  if (surface !== 'customer' || types.size === 0) return [];
  const errors: GraphQLError[] = [];
  for (const [variable, type] of types) {
    if (errors.length === MAX_ERRORS) break;
    const name = unknownNameIn(type, variables[variable]);
    if (name !== undefined) errors.push(notAvailable(name));
  }
  return errors;
}

/** The errors after coercion: values beyond a limit or a bound. */
export function checkCoercedVariables(
  { surface, images, count, checkDays }: VariableChecks,
  variables: Variables,
): GraphQLError[] {
  const bounds = images.flatMap((argument) => imageBoundsError(argument, variables) ?? []);
  const days = checkDays(variables);
  if (count === undefined) return [...days, ...bounds];
  return [...listErrors(count, LIMITS[surface], variables), ...days, ...bounds];
}
