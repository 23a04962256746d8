/**
 * Measures depth, aliases and fields as if all fragments were expanded, but visits each fragment once. A fragment that
 * contains itself counts nothing here; no-fragment-cycles.ts refuses it.
 */
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';

export type DocumentMeasure = {
  readonly depth: number;
  readonly aliases: number;
  readonly selections: number;
};

const EMPTY_MEASURE: DocumentMeasure = { depth: 0, aliases: 0, selections: 0 };

type Fragments = ReadonlyMap<string, SelectionSetNode>;

function combineMeasures(one: DocumentMeasure, other: DocumentMeasure): DocumentMeasure {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    selections: one.selections + other.selections,
  };
}

function measureSet(
  set: SelectionSetNode,
  fragments: Fragments,
  measureByFragment: Map<string, DocumentMeasure>,
): DocumentMeasure {
  let totalMeasure = EMPTY_MEASURE;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      totalMeasure = combineMeasures(
        totalMeasure,
        measureFragment(selection.name.value, fragments, measureByFragment),
      );
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      totalMeasure = combineMeasures(
        totalMeasure,
        measureSet(selection.selectionSet, fragments, measureByFragment),
      );
    } else {
      const measureBelow = selection.selectionSet
        ? measureSet(selection.selectionSet, fragments, measureByFragment)
        : EMPTY_MEASURE;
      totalMeasure = combineMeasures(totalMeasure, {
        depth: measureBelow.depth + 1,
        aliases: measureBelow.aliases + (selection.alias ? 1 : 0),
        selections: measureBelow.selections + 1,
      });
    }
  }
  return totalMeasure;
}

function measureFragment(
  name: string,
  fragments: Fragments,
  measureByFragment: Map<string, DocumentMeasure>,
): DocumentMeasure {
  const cachedMeasure = measureByFragment.get(name);
  if (cachedMeasure !== undefined) return cachedMeasure;
  const set = fragments.get(name);
  if (set === undefined) return EMPTY_MEASURE;
  measureByFragment.set(name, EMPTY_MEASURE);
  const measure = measureSet(set, fragments, measureByFragment);
  measureByFragment.set(name, measure);
  return measure;
}

const measuresByDocument = new WeakMap<DocumentNode, DocumentMeasure>();

/**
 * Returns the maximum depth and number of aliases of the document's operations, and the fields of all operations
 * together.
 */
export function measureDocument(document: DocumentNode): DocumentMeasure {
  const cachedMeasure = measuresByDocument.get(document);
  if (cachedMeasure !== undefined) return cachedMeasure;
  const setByFragment = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      setByFragment.set(definition.name.value, definition.selectionSet);
    }
  }
  const measureByFragment = new Map<string, DocumentMeasure>();
  let totalMeasure = EMPTY_MEASURE;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases, selections } = measureSet(
      definition.selectionSet,
      setByFragment,
      measureByFragment,
    );
    totalMeasure = {
      depth: Math.max(totalMeasure.depth, depth),
      aliases: Math.max(totalMeasure.aliases, aliases),
      selections: totalMeasure.selections + selections,
    };
  }
  measuresByDocument.set(document, totalMeasure);
  return totalMeasure;
}
