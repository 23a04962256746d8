/** The compact table (graphql/schema/table/schema-table-format.ts) from the SDL. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import { OWNED_TYPES } from '../../graphql/schema/owned-types.ts';
import {
  type ArgumentEntry,
  type FieldEntry,
  POLICY_FLAGS,
  type SchemaTable,
  type TypeEntry,
} from '../../graphql/schema/table/schema-table-format.ts';
import { listCustomerTypes } from './customer-types.ts';
import { readScopeBits } from './key-scopes.ts';
import { readNarrowedDirective, readOwnedDirective, readPolicyFlags } from './policy-directives.ts';

const CONNECTION_TYPE_PATTERN = /(Connection|Edge)$/;

/** Removes empty trailing values. */
function trimTrailing<Entry extends readonly unknown[]>(entry: Entry): Entry {
  const last = entry.findLastIndex((each) => each !== 0 && each !== undefined);
  return entry.slice(0, last + 1) as unknown as Entry;
}

/**
 * Returns whether an object of this type can belong to one customer. For connections and edges the type of their nodes
 * decides.
 */
function canBeOwned(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  if (OWNED_TYPES.has(type.name)) return true;
  if (isAbstractType(type)) return schema.getPossibleTypes(type).some(({ name }) => OWNED_TYPES.has(name));
  if (!isObjectType(type) || !CONNECTION_TYPE_PATTERN.test(type.name)) return false;
  const nodeField = type.getFields().nodes ?? type.getFields().node;
  return nodeField !== undefined && canBeOwned(schema, getNamedType(nodeField.type));
}

function createArgumentEntry(
  schema: GraphQLSchema,
  element: GraphQLArgument | GraphQLInputField,
): ArgumentEntry {
  const defaultLiteral = astFromValue(element.defaultValue, element.type);
  const ownedFlags = readOwnedDirective(schema, element);
  return trimTrailing<ArgumentEntry>([
    String(element.type),
    readPolicyFlags(element.astNode),
    element.defaultValue !== undefined && defaultLiteral ? print(defaultLiteral) : 0,
    element.deprecationReason ?? 0,
    ownedFlags?.by ?? 0,
    ownedFlags?.type ?? 0,
  ]);
}

function createFieldEntry(
  schema: GraphQLSchema,
  ownerTypeName: string,
  field: GraphQLField<unknown, unknown>,
): FieldEntry {
  const ownedFlag = canBeOwned(schema, getNamedType(field.type)) ? POLICY_FLAGS.owned : 0;
  // The nodes of a connection have the owner of the connection: the field that returns the connection has been checked.
  const sameOwnerFlag = ownedFlag && CONNECTION_TYPE_PATTERN.test(ownerTypeName) ? POLICY_FLAGS.sameOwner : 0;
  const argumentEntries = field.args.map((each) => [each.name, createArgumentEntry(schema, each)] as const);
  return trimTrailing<FieldEntry>([
    String(field.type),
    readPolicyFlags(field.astNode) | ownedFlag | sameOwnerFlag | readScopeBits(schema, ownerTypeName, field),
    argumentEntries.length > 0 ? Object.fromEntries(argumentEntries) : 0,
    field.deprecationReason ?? 0,
    readNarrowedDirective(schema, field) as string,
  ]);
}

function createTypeEntry(schema: GraphQLSchema, type: GraphQLNamedType, flags: number): TypeEntry {
  if (isObjectType(type) || isInterfaceType(type)) {
    const interfaceNames = type.getInterfaces().map(({ name }) => name);
    const fieldEntries = Object.values(type.getFields()).map((each) => [
      each.name,
      createFieldEntry(schema, type.name, each),
    ]);
    const kind = isObjectType(type) ? 'OBJECT' : 'INTERFACE';
    return {
      kind,
      flags,
      ...(interfaceNames.length > 0 ? { interfaces: interfaceNames } : {}),
      fields: Object.fromEntries(fieldEntries),
    };
  }
  if (isUnionType(type)) return { kind: 'UNION', flags, members: type.getTypes().map(({ name }) => name) };
  if (isEnumType(type)) {
    const enumValues = type.getValues().map((each) => [each.name, each.deprecationReason ?? 0]);
    return { kind: 'ENUM', flags, values: Object.fromEntries(enumValues) };
  }
  if (!isInputObjectType(type)) return { kind: 'SCALAR', flags };
  const inputFields = Object.values(type.getFields()).map((each) => [
    each.name,
    createArgumentEntry(schema, each),
  ]);
  return {
    kind: 'INPUT',
    flags,
    ...(type.isOneOf ? { oneOf: true } : {}),
    inputFields: Object.fromEntries(inputFields),
  };
}

/** Returns every type by name, except GraphQL's own and those that only the policy directives use. */
export function createSchemaTable(schema: GraphQLSchema): SchemaTable {
  const customerTypes = listCustomerTypes(schema);
  const directiveTypeNames = new Set(
    schema.getDirectives().flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name)),
  );
  const isServiceTableType = (type: GraphQLNamedType) =>
    !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !directiveTypeNames.has(type.name);
  const serviceTypes = Object.values(schema.getTypeMap()).filter(isServiceTableType);
  serviceTypes.sort((one, other) => (one.name < other.name ? -1 : 1));
  const typeFlags = (type: GraphQLNamedType) =>
    readPolicyFlags(type.astNode) |
    (customerTypes.has(type.name) ? POLICY_FLAGS.customer : 0) |
    (canBeOwned(schema, type) ? POLICY_FLAGS.owned : 0);
  return Object.fromEntries(
    serviceTypes.map((type) => [type.name, createTypeEntry(schema, type, typeFlags(type))]),
  );
}
