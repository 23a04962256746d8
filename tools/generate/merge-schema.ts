/**
 * Merges the service's SDL into the platform's. Members that graphql/schema/sdl does not name stay as in the platform's
 * SDL, without a description and closed to customers: a type, a field, an input field, an enum value, all arguments of
 * a field.
 */
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  print,
  type TypeDefinitionNode,
} from 'graphql';

type TypeMember = FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode;

/**
 * Returns the service's definitions, those of the platform's types completed, and then the platform's other types.
 * @throws Error when a member differs from the platform's without `@redefined`, or is the same with it.
 */
export function mergeSchema(platform: DocumentNode, service: DocumentNode): DocumentNode {
  const otherDefinitions = new Map(
    platform.definitions.filter(isTypeDefinitionNode).map((type) => [type.name.value, type]),
  );
  const mergedDefinitions = service.definitions.map((node) => {
    const originalDefinition = isTypeDefinitionNode(node) ? otherDefinitions.get(node.name.value) : undefined;
    if (!isTypeDefinitionNode(node) || originalDefinition === undefined) return node;
    otherDefinitions.delete(node.name.value);
    return mergeType(originalDefinition, node);
  });
  return { kind: Kind.DOCUMENT, definitions: [...mergedDefinitions, ...otherDefinitions.values()] };
}

function mergeType(platformType: TypeDefinitionNode, serviceType: TypeDefinitionNode): TypeDefinitionNode {
  if (serviceType.kind !== platformType.kind)
    throw new Error(`${serviceType.name.value} is another kind of type at the platform.`);
  if (!['', formatLinkedTypeNames(platformType)].includes(formatLinkedTypeNames(serviceType)))
    throw new Error(
      `${serviceType.name.value} has ${formatLinkedTypeNames(platformType)} at the platform, not ${formatLinkedTypeNames(serviceType)}.`,
    );
  const platformMembers = listMembers(platformType);
  const serviceMembers = listMembers(serviceType).map((member) =>
    addPlatformArguments(member, findNamed(platformMembers, member)),
  );
  for (const member of serviceMembers) compareMember(serviceType, findNamed(platformMembers, member), member);
  const areAllPlatformMembersRepeated = platformMembers.every((member) => findNamed(serviceMembers, member));
  const addedMembers = serviceMembers.filter((member) => !findNamed(platformMembers, member));
  if (!areAllPlatformMembersRepeated && addedMembers.length > 0)
    throw new Error(
      `${serviceType.name.value} adds ${addedMembers[0]?.name.value}: name all members of the type, so that their order is known.`,
    );
  const mergedMembers = areAllPlatformMembersRepeated
    ? serviceMembers
    : platformMembers.map((member) => findNamed(serviceMembers, member) ?? member);
  return {
    ...platformType,
    ...(serviceType.description && { description: serviceType.description }),
    directives: [...(platformType.directives ?? []), ...(serviceType.directives ?? [])],
    [platformType.kind === Kind.ENUM_TYPE_DEFINITION ? 'values' : 'fields']: mergedMembers,
  } as TypeDefinitionNode;
}

function listMembers(type: TypeDefinitionNode): readonly TypeMember[] {
  if (type.kind === Kind.ENUM_TYPE_DEFINITION) return type.values ?? [];
  return 'fields' in type ? (type.fields ?? []) : [];
}

/** Returns the names of a type's interfaces, or of a union's types. */
function formatLinkedTypeNames(type: TypeDefinitionNode): string {
  const links = 'interfaces' in type ? type.interfaces : 'types' in type ? type.types : [];
  return (links ?? []).map(({ name }) => name.value).join(' & ');
}

/** Returns the service's field, with the platform's arguments if the service declares none. */
function addPlatformArguments(serviceMember: TypeMember, platformMember: TypeMember | undefined): TypeMember {
  if (serviceMember.kind !== Kind.FIELD_DEFINITION || platformMember?.kind !== Kind.FIELD_DEFINITION)
    return serviceMember;
  return serviceMember.arguments?.length
    ? serviceMember
    : { ...serviceMember, arguments: platformMember.arguments ?? [] };
}

function findNamed<Named extends TypeMember>(
  members: readonly Named[],
  { name }: TypeMember,
): Named | undefined {
  return members.find((member) => member.name.value === name.value);
}

function compareMember(
  type: TypeDefinitionNode,
  platformMember: TypeMember | undefined,
  serviceMember: TypeMember,
): void {
  const isRedefined = serviceMember.directives?.some(({ name }) => name.value === 'redefined') ?? false;
  const memberCoordinate = `${type.name.value}.${serviceMember.name.value}`;
  if (platformMember === undefined) {
    if (isRedefined) throw new Error(`${memberCoordinate} is not the platform's: remove @redefined.`);
    return;
  }
  const [platformSignature, serviceSignature] = [
    printSignature(platformMember),
    printSignature(serviceMember),
  ];
  if (isRedefined !== (platformSignature === serviceSignature)) return;
  if (isRedefined) throw new Error(`${memberCoordinate} is what the platform has: remove @redefined.`);
  const file = serviceMember.loc?.source.name ?? 'the service’s SDL';
  throw new Error(
    `${memberCoordinate} is \`${platformSignature}\` at the platform and \`${serviceSignature}\` in ${file}.`,
  );
}

/** Returns the part of a member that the platform defines: name, type, arguments, default and deprecation. */
function printSignature(member: TypeMember): string {
  const withoutDescription = <Node extends TypeMember>(node: Node): Node => ({
    ...node,
    description: undefined,
    directives: node.directives?.filter(({ name }: ConstDirectiveNode) => name.value === 'deprecated'),
  });
  const args = 'arguments' in member ? { arguments: member.arguments?.map(withoutDescription) } : {};
  return print({ ...withoutDescription(member), ...args } as TypeMember).replace(/\s+/g, ' ');
}
