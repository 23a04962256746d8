/**
 * A day alone (2026-12-16) is a date only in arguments with `@day`, whose operations know at what time of the day the change
 * happens. The scalar does not know its argument, so it accepts days in all arguments, and these checks refuse days in
 * arguments without `@day`.
 */
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type ValidationRule,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { hasDayForm } from '../../../lib/domain/time-zone.ts';
import { acceptsDayOnly } from '../../schema/field-policy.ts';
import { formatDayWithoutTimeMessage } from '../../schema/table/scalars.ts';
import { createInvalidDocumentError } from '../errors/document-errors.ts';
import { writeInvalidValueMessage } from '../errors/invalid-value-message.ts';
import type { Variables } from '../limits/page-size.ts';

const DATE_TIME_TYPE_NAME = 'DateTime';

/** The place of a value, as `TypeInfo` and a validation context describe it. */
type ValueLocation = Pick<TypeInfo, 'getParentType' | 'getFieldDef' | 'getArgument' | 'getDirective'>;

function acceptsBareDay(location: ValueLocation): boolean {
  const [field, argument] = [location.getFieldDef(), location.getArgument()];
  if (!field || !argument || location.getDirective()) return false;
  return acceptsDayOnly(String(location.getParentType()?.name), field.name, argument.name);
}

/** Refuses days alone in the document's own values. A variable's default is checked with the values of variables. */
export const refuseBareDaysRule: ValidationRule = (context) => {
  let isInDefaultValue = false;
  return {
    VariableDefinition: {
      enter() {
        isInDefaultValue = true;
      },
      leave() {
        isInDefaultValue = false;
      },
    },
    StringValue(node) {
      if (
        isInDefaultValue ||
        !hasDayForm(node.value) ||
        getNamedType(context.getInputType())?.name !== DATE_TIME_TYPE_NAME
      )
        return;
      if (!acceptsBareDay(context))
        context.reportError(createInvalidDocumentError(formatDayWithoutTimeMessage(node.value), node));
    },
  };
};

/** Returns an error for each variable that has a day alone in a place that needs a time. */
type CheckBareDays = (coerced: Variables) => GraphQLError[];

/**
 * Prepares the check of one operation of a validated document.
 * @returns undefined when no variable can have such a day.
 */
export function prepareBareDayCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): CheckBareDays | undefined {
  const typedVariables = variableDefinitions.flatMap((definition) => {
    const type = typeFromAST(schema, definition.type as never);
    return isInputType(type) && canTypeContainDate(type) ? [{ definition, type }] : [];
  });
  if (typedVariables.length === 0) return undefined;
  const timedNames = findTimedVariables(schema, document);
  const timedVariables = typedVariables.filter(({ definition }) =>
    timedNames.has(definition.variable.name.value),
  );
  if (timedVariables.length === 0) return undefined;
  return (coerced) => timedVariables.flatMap((variable) => createDayError(variable, coerced) ?? []);
}

/** Returns the variables with at least one use that requires a time. */
function findTimedVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const timedNames = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Variable({ name }) {
        if (typeInfo.getInputType() && !acceptsBareDay(typeInfo)) timedNames.add(name.value);
      },
      // The declaration of a variable is not a use of it.
      VariableDefinition: () => false,
    }),
  );
  return timedNames;
}

type CheckedVariable = { readonly definition: VariableDefinitionNode; readonly type: GraphQLInputType };

function createDayError({ definition, type }: CheckedVariable, coerced: Variables): GraphQLError | undefined {
  const variableName = definition.variable.name.value;
  const dayLocation = findDay(type, coerced[variableName], []);
  if (dayLocation === undefined) return undefined;
  const { path, day } = dayLocation;
  const message = writeInvalidValueMessage({
    name: variableName,
    path,
    value: day,
    reason: formatDayWithoutTimeMessage(day),
  });
  return createInvalidDocumentError(message, definition);
}

type FoundDay = { readonly path: readonly (string | number)[]; readonly day: string };

/** Finds the first date without a time of day in a coerced value of this type. */
function findDay(type: GraphQLInputType, value: unknown, path: FoundDay['path']): FoundDay | undefined {
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) {
    const listItems: readonly unknown[] = Array.isArray(value) ? value : [];
    return findFirstDay(listItems.entries(), (item, index) =>
      findDay(nullableType.ofType, item, [...path, index]),
    );
  }
  if (isInputObjectType(nullableType)) {
    const fieldEntries = Object.entries((value ?? {}) as Variables);
    const fields = nullableType.getFields();
    return findFirstDay(fieldEntries, (item, key) => {
      const field = fields[key];
      return field && canTypeContainDate(field.type) ? findDay(field.type, item, [...path, key]) : undefined;
    });
  }
  return nullableType.name === DATE_TIME_TYPE_NAME && typeof value === 'string' && hasDayForm(value)
    ? { path, day: value }
    : undefined;
}

function findFirstDay<Key extends string | number>(
  entries: Iterable<readonly [Key, unknown]>,
  find: (item: unknown, key: Key) => FoundDay | undefined,
): FoundDay | undefined {
  for (const [key, item] of entries) {
    const dayLocation = find(item, key);
    if (dayLocation !== undefined) return dayLocation;
  }
  return undefined;
}

/** Whether values of the type can hold a date. Input types can contain themselves. */
function canTypeContainDate(type: GraphQLInputType, typesAbove: ReadonlySet<string> = new Set()): boolean {
  const namedType = getNamedType(type);
  if (!isInputObjectType(namedType)) return namedType.name === DATE_TIME_TYPE_NAME;
  if (typesAbove.has(namedType.name)) return false;
  const visitedTypes = new Set([...typesAbove, namedType.name]);
  return Object.values(namedType.getFields()).some((field) => canTypeContainDate(field.type, visitedTypes));
}
