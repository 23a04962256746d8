/** A document that goes to the platform, while it is written and when it is written. */
import type { ArgumentEntry } from '../schema/table/schema-table-format.ts';
import type { ClientDocument, Variables } from './client-document.ts';

/** An argument whose value goes through `mapInput` on its way to the platform. */
export type InjectedArgument = {
  readonly variable: string;
  /** Its place in the schema table: type, and the policy of its ids. */
  readonly entry: ArgumentEntry;
  /** Reads the client's value, coerced, or undefined when the client omitted it. */
  readonly read: (variables: Variables) => unknown;
};

export type UpstreamDocument = {
  readonly text: string;
  /** Its parts, for documents of our own that hold a selection of the client's. */
  readonly declarations: readonly string[];
  readonly fragments: string;
  /** The client's variables that are sent along. */
  readonly clientVariables: readonly string[];
  /** The internal variables that it declares. */
  readonly ownVariables: readonly string[];
  /** Whether it contains values, which may come from the client. */
  readonly takesValues: boolean;
  /** The variables that decide how much is requested. */
  readonly pageSizes: readonly string[];
};

export type UpstreamWriter = {
  readonly client: ClientDocument;
  readonly isActing: boolean;
  /** The fragments that the upstream document uses, each with its internal arguments. */
  readonly fragments: Map<
    string,
    { readonly text: string; readonly injected: ReadonlySet<InjectedArgument> }
  >;
  readonly variables: Set<string>;
  readonly injected: Map<string, InjectedArgument>;
  /** The internal arguments of the root that is being written. */
  scope: Set<InjectedArgument>;
  /** Declarations of internal variables, by name. */
  readonly declared: Map<string, string>;
};
