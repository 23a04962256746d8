/**
 * Finds the schema changes that break existing documents. graphql-js finds most of them; this file adds changes of the
 * meaning of a document that stays valid. Existing tools for this (GraphQL Inspector, Hive) are services, or need
 * hundreds of packages.
 */
import {
  astFromValue,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql';

/**
 * The only change in graphql-js's category "dangerous" that counts as a break. Clients have to tolerate the others
 * (docs/compatibility.md).
 */
const DEFAULT_VALUE_CHANGE = DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE;

/** Returns one sentence for each change from `before` to `after` that an unchanged client could notice. */
export function findSchemaBreaks(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return [
    ...findBreakingChanges(before, after).map(({ description }) => description),
    ...findDangerousChanges(before, after)
      .filter(({ type }) => type === DEFAULT_VALUE_CHANGE)
      .map(({ description }) => description),
    ...listArguments(before).flatMap(([coordinate, oldArgument]) =>
      describeAddedDefault(coordinate, oldArgument, findArgument(after, coordinate)),
    ),
    ...findInputBreaks(before, after),
    ...findDirectiveBreaks(before, after),
  ];
}

type SchemaArgument = GraphQLArgument | GraphQLInputField;

function listArguments(schema: GraphQLSchema): [coordinate: string, argument: SchemaArgument][] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      field.args.map((each): [string, SchemaArgument] => [
        `${type.name}.${field.name} arg ${each.name}`,
        each,
      ]),
    );
  });
}

function findArgument(schema: GraphQLSchema, coordinate: string): SchemaArgument | undefined {
  const [, typeName = '', fieldName = '', argument = ''] = /^(\w+)\.(\w+) arg (\w+)$/.exec(coordinate) ?? [];
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  return type.getFields()[fieldName]?.args.find(({ name }) => name === argument);
}

/** graphql-js reports a removed or changed default, but not an added one. */
function describeAddedDefault(
  coordinate: string,
  oldArgument: SchemaArgument,
  newArgument: SchemaArgument | undefined,
): string[] {
  if (
    newArgument === undefined ||
    oldArgument.defaultValue !== undefined ||
    newArgument.defaultValue === undefined
  )
    return [];
  return [`${coordinate} defaultValue was added.`];
}

function printDefault({ defaultValue, type }: SchemaArgument): string | undefined {
  const node = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return node ? print(node) : undefined;
}

function findInputBreaks(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(before.getTypeMap()).flatMap((oldType) => {
    const typeAfter = after.getType(oldType.name);
    if (!isInputObjectType(oldType) || !isInputObjectType(typeAfter)) return [];
    const changedFields = Object.values(oldType.getFields()).filter(({ name }) => {
      const [oldField, newField] = [oldType.getFields()[name], typeAfter.getFields()[name]];
      return oldField && newField && printDefault(oldField) !== printDefault(newField);
    });
    return [
      ...changedFields.map(({ name }) => `${oldType.name}.${name} has changed its default.`),
      ...(typeAfter.isOneOf && !oldType.isOneOf ? [`${oldType.name} takes one field at a time.`] : []),
    ];
  });
}

function findDirectiveBreaks(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return before.getDirectives().flatMap((oldDirective) => {
    const directiveAfter = after.getDirective(oldDirective.name);
    return oldDirective.args.flatMap(({ name, type }) => {
      const newArgument = directiveAfter?.args.find((each) => each.name === name);
      return newArgument && String(newArgument.type) !== String(type)
        ? [`@${oldDirective.name} arg ${name} changed type from ${type} to ${newArgument.type}.`]
        : [];
    });
  });
}
