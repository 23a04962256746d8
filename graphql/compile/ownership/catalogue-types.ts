/**
 * Finds the types that catalogue roots return, directly or as a page. An acting customer may read objects of these
 * types by `node`.
 */
import { findFieldPolicy } from '../../schema/field-policy.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { fieldType, namedType } from '../selection/type-reference.ts';

let types: ReadonlySet<string> | undefined;

export function isCatalogueType(typeName: string): boolean {
  types ??= findTypes();
  return types.has(typeName);
}

function findTypes(): ReadonlySet<string> {
  const root = schemaTable.QueryRoot;
  const names = root?.kind === 'OBJECT' ? Object.keys(root.fields) : [];
  const returned = names
    .filter((name) => findFieldPolicy('QueryRoot', name)?.isCatalogue)
    .map((name) => namedType(fieldType('QueryRoot', name) ?? ''));
  return new Set(returned.flatMap((name) => [name, namedType(fieldType(name, 'nodes') ?? name)]));
}
