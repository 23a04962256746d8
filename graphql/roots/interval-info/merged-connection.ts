/**
 * Merges several connections of the platform with the same selection into one. Each item appears once; cursors and
 * page info are the service's.
 */
import type { PageArguments } from '../../../lib/platform/admin-api/page-size.ts';
import {
  areConditionsMet,
  flattenSelection,
  groupByResponseKey,
  responseKeyOf,
} from '../../compile/selection/flatten-selection.ts';
import type { ClientDocument, FlattenedField, Variables } from '../../plan/client-document.ts';
import type { ResponsePath } from '../../plan/result-error.ts';
import { formatCursor, selectPage } from './service-page.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A connection of the platform, and the ids of its items in their order. */
export type SourceConnection = {
  readonly path: ResponsePath;
  readonly connection: JsonObject;
  readonly ids: readonly string[];
};

/** A client's selection of a connection: one entry for each response key. */
export type ConnectionFields = readonly {
  readonly key: string;
  readonly name: string;
  /** The conditions. The field applies if one of these lists holds. */
  readonly when: readonly FlattenedField['when'][];
  /** The fields below this field, under all its conditions. */
  readonly subfields: readonly FlattenedField[];
}[];

/** Returns the selection of the connection in these places. */
export function readConnectionFields(
  client: ClientDocument,
  fields: readonly FlattenedField[],
): ConnectionFields {
  const flattenField = ({ field, when }: FlattenedField) =>
    field.selectionSet === undefined ? [] : flattenSelection(client, field.selectionSet, when);
  return [...groupByResponseKey(fields.flatMap(flattenField))].map(([key, group]) => ({
    key,
    name: group[0]?.field.name.value ?? '',
    when: group.map(({ when }) => when),
    subfields: group.flatMap(flattenField),
  }));
}

type MergedItem = { readonly id: string; readonly source: SourceConnection; readonly index: number };

export type MergedConnection = {
  readonly value: JsonObject;
  /** Where the sources' items go: from a path in the platform's response to a path below the connection. */
  readonly grafts: readonly { readonly from: ResponsePath; readonly to: ResponsePath }[];
};

export type MergeRequest = {
  /** The connection's type, for example `SellingPlanGroupConnection`. */
  readonly typeName: string;
  readonly fields: ConnectionFields;
  readonly args: PageArguments;
  readonly variables: Variables;
};

/**
 * Merges the connections.
 * @throws GRAPHQL_VALIDATION_FAILED when the arguments are invalid
 */
export function mergeConnections(
  sources: readonly SourceConnection[],
  { typeName, fields, args, variables }: MergeRequest,
): MergedConnection {
  const itemPage = selectPage(listDistinctItems(sources), args, ({ id }) => id);
  const areAllMet = (when: FlattenedField['when']) => areConditionsMet(when, variables);
  const visibleFields = fields.filter(({ when }) => when.some(areAllMet));
  const isItemListField = (name: string) => name === 'nodes' || name === 'edges';
  const connectionEntries = visibleFields.map(({ key, name, subfields }) => {
    const visibleSubfields = subfields.filter(({ when }) => areAllMet(when));
    if (name === 'pageInfo')
      return [key, selectByResponseKey(visibleSubfields, { ...itemPage.pageInfo, __typename: 'PageInfo' })];
    if (!isItemListField(name)) return [key, typeName];
    return [key, itemPage.items.map((row) => readItem(row, key, name === 'edges' ? visibleSubfields : []))];
  });
  const pathGrafts = visibleFields
    .filter(({ name }) => isItemListField(name))
    .flatMap(({ key }) =>
      itemPage.items.map(({ source, index }, position) => ({
        from: [...source.path, key, index],
        to: [key, position],
      })),
    );
  return { value: Object.fromEntries(connectionEntries), grafts: pathGrafts };
}

function listDistinctItems(sources: readonly SourceConnection[]): MergedItem[] {
  const rows = sources.flatMap((source) => source.ids.map((id, index) => ({ id, source, index })));
  const firstItemById = new Map<string, MergedItem>();
  for (const row of rows) if (!firstItemById.has(row.id)) firstItemById.set(row.id, row);
  return [...firstItemById.values()];
}

/** Returns the platform's item. An edge gets the cursor of the merged list. */
function readItem(
  { id, source, index }: MergedItem,
  key: string,
  edgeFields: readonly FlattenedField[],
): unknown {
  const list = source.connection[key];
  const item = Array.isArray(list) ? list[index] : undefined;
  const cursors = edgeFields.filter(({ field }) => field.name.value === 'cursor');
  return cursors.length === 0
    ? item
    : { ...item, ...selectByResponseKey(cursors, { cursor: formatCursor(id) }) };
}

/** Returns the selected values, by response keys. */
function selectByResponseKey(fields: readonly FlattenedField[], values: JsonObject): JsonObject {
  return Object.fromEntries(fields.map(({ field }) => [responseKeyOf(field), values[field.name.value]]));
}
