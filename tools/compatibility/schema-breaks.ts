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
    ...listArguments(before).flatMap(([coordinate, old]) =>
      describeAddedDefault(coordinate, old, findArgument(after, coordinate)),
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
  old: SchemaArgument,
  now: SchemaArgument | undefined,
): string[] {
  if (now === undefined || old.defaultValue !== undefined || now.defaultValue === undefined) return [];
  return [`${coordinate} defaultValue was added.`];
}

function printDefault({ defaultValue, type }: SchemaArgument): string | undefined {
  const node = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return node ? print(node) : undefined;
}

function findInputBreaks(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(before.getTypeMap()).flatMap((old) => {
    const typeAfter = after.getType(old.name);
    if (!isInputObjectType(old) || !isInputObjectType(typeAfter)) return [];
    const changedFields = Object.values(old.getFields()).filter(({ name }) => {
      const [was, is] = [old.getFields()[name], typeAfter.getFields()[name]];
      return was && is && printDefault(was) !== printDefault(is);
    });
    return [
      ...changedFields.map(({ name }) => `${old.name}.${name} has changed its default.`),
      ...(typeAfter.isOneOf && !old.isOneOf ? [`${old.name} takes one field at a time.`] : []),
    ];
  });
}

function findDirectiveBreaks(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return before.getDirectives().flatMap((old) => {
    const directiveAfter = after.getDirective(old.name);
    return old.args.flatMap(({ name, type }) => {
      const is = directiveAfter?.args.find((each) => each.name === name);
      return is && String(is.type) !== String(type)
        ? [`@${old.name} arg ${name} changed type from ${type} to ${is.type}.`]
        : [];
    });
  });
}
