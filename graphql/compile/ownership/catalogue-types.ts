/**
 * Finds the types that catalogue roots return, directly or as a page. An acting customer may read objects of these
 * types by `node`.
 */
import { findFieldPolicy } from '../../schema/field-policy.ts';
import { schemaTable } from '../../schema/generated/schema-table.ts';
import { typeOfField, unwrapTypeReference } from '../selection/type-reference.ts';

let catalogueTypes: ReadonlySet<string> | undefined;

export function isCatalogueType(typeName: string): boolean {
  catalogueTypes ??= collectCatalogueTypes();
  return catalogueTypes.has(typeName);
}

function collectCatalogueTypes(): ReadonlySet<string> {
  const root = schemaTable.QueryRoot;
  const rootFieldNames = root?.kind === 'OBJECT' ? Object.keys(root.fields) : [];
  const returnedTypes = rootFieldNames
    .filter((name) => findFieldPolicy('QueryRoot', name)?.isCatalogue)
    .map((name) => unwrapTypeReference(typeOfField('QueryRoot', name) ?? ''));
  return new Set(
    returnedTypes.flatMap((name) => [name, unwrapTypeReference(typeOfField(name, 'nodes') ?? name)]),
  );
}
