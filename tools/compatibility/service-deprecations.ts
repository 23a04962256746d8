/** Lists the deprecations in the service's own part of the schema. The platform decides about its part. */
import {
  type ASTNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export type Deprecation = { readonly coordinate: string; readonly reason: string };

type DeprecatableDefinition = {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
  readonly astNode?: ASTNode | null | undefined;
};

/** Returns every deprecation of types and members with `@service`. `schema` has the policy's directives. */
export function listServiceDeprecations(schema: GraphQLSchema): Deprecation[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    const isServiceDefined = isServiceDefinition(type);
    if (isEnumType(type)) return isServiceDefined ? listDeprecations(type.name, type.getValues()) : [];
    if (isInputObjectType(type))
      return isServiceDefined ? listDeprecations(type.name, Object.values(type.getFields())) : [];
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const deprecatedFields = Object.values(type.getFields()).filter(
      (field) => isServiceDefined || isServiceDefinition(field),
    );
    return [
      ...listDeprecations(type.name, deprecatedFields),
      ...deprecatedFields.flatMap((field) => listDeprecations(`${type.name}.${field.name}`, field.args)),
    ];
  });
}

function isServiceDefinition({ astNode }: { readonly astNode?: ASTNode | null | undefined }): boolean {
  const directives = (astNode as { directives?: readonly { name: { value: string } }[] } | undefined)
    ?.directives;
  return directives?.some(({ name }) => name.value === 'service') ?? false;
}

function listDeprecations(parent: string, definitions: readonly DeprecatableDefinition[]): Deprecation[] {
  return definitions.flatMap(({ name, deprecationReason: reason }) =>
    reason ? [{ coordinate: `${parent}.${name}`, reason }] : [],
  );
}
