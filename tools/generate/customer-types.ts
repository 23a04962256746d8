/**
 * Finds the types of the customers' part of the schema: the types of open fields and arguments, their possible types,
 * and interfaces with an open field. The part refers to no other types.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { POLICY_FLAGS } from '../../graphql/schema/table/schema-table-format.ts';
import { readPolicyFlags } from './policy-directives.ts';

const isOpenToCustomers = (element: { readonly astNode?: Parameters<typeof readPolicyFlags>[0] }): boolean =>
  (readPolicyFlags(element.astNode) & POLICY_FLAGS.customer) !== 0;

function listOpenFields(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).filter(isOpenToCustomers)
    : [];
}

/** Returns the types that `type` refers to. */
function listReferencedTypes(schema: GraphQLSchema, type: GraphQLNamedType): GraphQLNamedType[] {
  if (isInputObjectType(type)) {
    return Object.values(type.getFields())
      .filter(isOpenToCustomers)
      .map((field) => getNamedType(field.type));
  }
  if (isUnionType(type)) return type.getTypes().filter((member) => listOpenFields(member).length > 0);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const openInterfaces = type.getInterfaces().filter((each) => listOpenFields(each).length > 0);
  const usedTypes = listOpenFields(type).flatMap((field) => [
    getNamedType(field.type),
    ...field.args.filter(isOpenToCustomers).map((argument) => getNamedType(argument.type)),
  ]);
  const returnedTypes = usedTypes.filter(isInterfaceType).flatMap((each) => schema.getPossibleTypes(each));
  return [
    ...openInterfaces,
    ...usedTypes,
    ...returnedTypes.filter((each) => listOpenFields(each).length > 0),
  ];
}

/**
 * Returns the names of the types of the customers' part.
 * @throws Error when an open field returns a type without open fields
 */
export function listCustomerTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const reachedTypes = new Set<string>();
  const typesToVisit: GraphQLNamedType[] = [schema.getQueryType(), schema.getMutationType()].filter(
    (rootType) => rootType != null,
  );
  for (let type = typesToVisit.pop(); type; type = typesToVisit.pop()) {
    if (reachedTypes.has(type.name)) continue;
    reachedTypes.add(type.name);
    if ((isObjectType(type) || isInterfaceType(type)) && listOpenFields(type).length === 0) {
      throw new Error(`${type.name} is open to customers, but none of its fields is.`);
    }
    typesToVisit.push(...listReferencedTypes(schema, type));
  }
  return reachedTypes;
}
