/** Compiles the root fields of an operation, each by the handler of its name. */
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { ClientDocument, FlattenedField } from '../plan/client-document.ts';
import type { FindMutation } from '../plan/mutation-record.ts';
import type { CompiledRoot, FindRootHandler, RootCompileContext } from '../plan/root-handler.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';
import { MAX_SELECTED_FIELDS } from '../policy/limits/limits.ts';
import type { Surface } from '../schema/schema.ts';
import type { ArgumentEntry } from '../schema/table/schema-table-format.ts';
import { compileRoot } from './compile-root.ts';
import { flattenSelection, groupByResponseKey } from './selection/flatten-selection.ts';

/** The root handlers and the records of mutations, which the compiler gets from graphql/endpoint/registries.ts. */
export type CompileRegistries = {
  readonly findRootHandler: FindRootHandler;
  /** Loads the records with the first mutation, because most containers only run queries. */
  readonly loadMutations: () => Promise<MutationRecords>;
};

/** The records of mutations. */
export type MutationRecords = { readonly findMutation: FindMutation };

export type CompileInput = {
  readonly surface: Surface;
  readonly document: DocumentNode;
  /** The operation as `selectOperation` found it. */
  readonly operation: OperationDefinitionNode;
  readonly client: ClientDocument;
  /**
   * Whether a customer is acting: always on the customer endpoint; on the admin endpoint if the key names a customer.
   */
  readonly isActing: boolean;
  readonly registries: CompileRegistries;
};

/**
 * A compiled root with its upstream texts, the writer that collected their variables, and its fields in the client's
 * document.
 */
export type RootCompilation = {
  readonly root: CompiledRoot;
  readonly texts: readonly string[];
  readonly writer: UpstreamWriter;
  readonly fields: readonly FlattenedField[];
};

/**
 * Compiles the roots, in the client's order. `nextWriter` returns the writer for the next root: roots of a query share one
 * document, and each root of a mutation has its own.
 * @throws QUERY_TOO_COMPLEX when the document selects too many fields
 */
export async function compileRoots(
  { client, isActing, registries }: CompileInput,
  rootType: RootCompileContext['rootType'],
  nextWriter: () => UpstreamWriter,
): Promise<RootCompilation[]> {
  const fieldsByKey = groupByResponseKey(flattenSelection(client, client.operation.selectionSet));
  const fieldBudget = { remaining: MAX_SELECTED_FIELDS };
  const rootCompilations: RootCompilation[] = [];
  for (const [key, fieldsOfKey] of fieldsByKey) {
    const writer = nextWriter();
    writer.scope = new Set();
    const { length: rootIndex } = rootCompilations;
    const compileContext = {
      writer,
      rootType,
      isActing,
      fragments: client.fragments,
      budget: fieldBudget,
      index: rootIndex,
    };
    const { root, texts } = await compileRoot({
      context: compileContext,
      findRootHandler: registries.findRootHandler,
      key,
      fields: fieldsOfKey,
    });
    rootCompilations.push({ root, texts, writer, fields: fieldsOfKey });
  }
  return rootCompilations;
}

/** Returns the schema coordinates of all internal arguments. */
export function collectArgumentEntries(roots: readonly CompiledRoot[]): ArgumentEntry[] {
  return roots.flatMap(({ injected }) => injected.map(({ entry }) => entry));
}
