/** The document for the platform: its writer, and the written document. */
import type { ArgumentEntry } from '../schema/table/schema-table-format.ts';
import type { ClientDocument, Variables } from './client-document.ts';

/** An argument whose value `toPlatformInput` maps before it is sent. */
export type InjectedArgument = {
  readonly variable: string;
  /** Its place in the schema table: type, and the policy of its ids. */
  readonly entry: ArgumentEntry;
  /** Reads the client's value, coerced, or undefined when the client omitted it. */
  readonly read: (variables: Variables) => unknown;
};

export type UpstreamDocument = {
  readonly text: string;
  /** Its parts, for the service's own documents that contain a selection of the client's. */
  readonly variableDeclarations: readonly string[];
  readonly fragments: string;
  /** The client's variables that are sent. */
  readonly clientVariableNames: readonly string[];
  /** The internal variables that it declares. */
  readonly internalVariableNames: readonly string[];
  /**
   * Whether it contains arguments or variables, whose values may be the client's. If the platform rejects them, the client
   * gets GRAPHQL_VALIDATION_FAILED and not an error of the service.
   */
  readonly mayHaveClientValues: boolean;
  /** The variables that determine page sizes. */
  readonly pageSizeVariableNames: readonly string[];
};

export type UpstreamWriter = {
  readonly client: ClientDocument;
  readonly isActing: boolean;
  /** The fragments that the upstream document uses, each with its internal arguments. */
  readonly fragments: Map<
    string,
    { readonly text: string; readonly injected: ReadonlySet<InjectedArgument> }
  >;
  /** The client's variables that the upstream document uses. */
  readonly clientVariableNames: Set<string>;
  /** The internal arguments of the whole document, by a key that equal values of one argument share. */
  readonly injected: Map<string, InjectedArgument>;
  /** The internal arguments of the root that is being written. */
  scope: Set<InjectedArgument>;
  /** The declared types of internal variables, by name, for example `Boolean!`. */
  readonly typeByInternalVariable: Map<string, string>;
};
