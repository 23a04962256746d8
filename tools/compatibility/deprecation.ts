/**
 * Deprecations with an end date. The service deprecates a member before it removes it: `@deprecated(reason: "use x;
 * until 2028-01-31")`. From that day the member counts as removed, so that removing it is no longer a break.
 */
import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  isTypeDefinitionNode,
  Kind,
  type TypeDefinitionNode,
  visit,
} from 'graphql';

const UNTIL_PATTERN = /\buntil (\d{4}-\d{2}-\d{2})$/;

/**
 * Returns the day at the end of a reason: the first day, in UTC, on which the deprecated member may be missing.
 * @returns undefined when the reason has no valid day
 */
export function parseDeprecationDay(reason: string): string | undefined {
  const day = UNTIL_PATTERN.exec(reason)?.[1];
  return day !== undefined && isExistingDay(day) ? day : undefined;
}

function isExistingDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/**
 * Returns the reason of a definition's `@deprecated`.
 * @returns undefined when it is not deprecated
 */
function findDeprecationReason(node: ASTNode): string | undefined {
  const directives = 'directives' in node ? ((node.directives ?? []) as readonly DirectiveNode[]) : [];
  const deprecation = directives.find(({ name }) => name.value === 'deprecated');
  const valueNode = deprecation?.arguments?.find(({ name }) => name.value === 'reason')?.value;
  return deprecation && (valueNode?.kind === Kind.STRING ? valueNode.value : '');
}

/**
 * Returns a schema's document as it is promised on `today` (2026-07-01): without expired members, and without types
 * that only these refer to.
 */
export function removeExpiredMembers(document: DocumentNode, today: string): DocumentNode {
  const dropExpired = (node: ASTNode) => {
    const removalDay = parseDeprecationDay(findDeprecationReason(node) ?? '');
    return removalDay !== undefined && removalDay <= today ? null : undefined;
  };
  const retainedDocument: DocumentNode = visit(document, {
    FieldDefinition: dropExpired,
    InputValueDefinition: dropExpired,
    EnumValueDefinition: dropExpired,
  });
  return retainedDocument === document ? document : removeUnreachableTypes(retainedDocument);
}

function removeUnreachableTypes(document: DocumentNode): DocumentNode {
  const typeDefinitions = document.definitions.filter(isTypeDefinitionNode);
  const usedTypes = new Set<string>();
  const retainNamedTypes = (node: ASTNode) => {
    visit(node, { NamedType: ({ name }) => retainType(name.value) });
  };
  const retainType = (name: string) => {
    if (usedTypes.has(name)) return;
    usedTypes.add(name);
    const isUsedPartOf = (type: TypeDefinitionNode) =>
      type.name.value === name ||
      ('interfaces' in type && type.interfaces?.some((each) => each.name.value === name));
    for (const type of typeDefinitions.filter(isUsedPartOf)) {
      retainType(type.name.value);
      retainNamedTypes(type);
    }
  };
  const isNodeUsed = (node: ASTNode) => !isTypeDefinitionNode(node) || usedTypes.has(node.name.value);
  for (const node of document.definitions) if (!isTypeDefinitionNode(node)) retainNamedTypes(node);
  return { ...document, definitions: document.definitions.filter(isNodeUsed) };
}
