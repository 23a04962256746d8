/**
 * A compiled operation: the documents that are sent, the ownership checks, and the way from the platform's response to
 * the client's.
 */
import type { DocumentNode, FieldNode, GraphQLField } from 'graphql';
import type { Surface } from '../schema/schema.ts';
import type { FlattenedField, IncludeCondition, Variables } from './client-document.ts';
import type { ContractList } from './cycle-prefetch.ts';
import type { ForwardedChange } from './forwarded-change.ts';
import type { GidNamespaces } from './identity.ts';
import type { ServiceMutationRecord } from './mutation-record.ts';
import type { CompiledRoot } from './root-handler.ts';
import type { UpstreamDocument, UpstreamWriter } from './upstream-document.ts';

/** Rewrites the ids in the JSON text of the platform's `data`. The platform writes the slashes of ids without escapes. */
export type RewriteIds = (text: string, namespaces: GidNamespaces) => string;

export type QueryPlan = {
  readonly kind: 'query';
  readonly roots: readonly CompiledRoot[];
  readonly upstream: UpstreamDocument;
  /** Whether the client's arguments can have ids whose ownership the platform has to confirm. */
  readonly includesOwnershipQuery: boolean;
  /** Rewrites responses as text; undefined when responses have to be parsed. */
  readonly rewriteText: RewriteIds | undefined;
  /** The lists of contracts with next orders; empty on the admin endpoint. */
  readonly contractLists: readonly ContractList[];
};

/** One root of a mutation, which is sent as its own request. */
export type CompiledMutation = {
  readonly root: CompiledRoot;
  readonly isActingCustomerRequired: boolean;
  /** The document that is sent, or undefined for the service's own mutations, which send fixed documents. */
  readonly upstream: UpstreamDocument | undefined;
  readonly serviceMutation: CompiledServiceMutation | undefined;
  /** The change that the timeline records, or undefined when a forwarded mutation changes no contract. */
  readonly forwarded: ForwardedMutation | undefined;
  /** The idempotency key, or undefined when the mutation has none. */
  readonly idempotency: CompiledIdempotency | undefined;
};

/**
 * Reads the key from the client's coerced variables.
 * @throws GRAPHQL_VALIDATION_FAILED when the value is not a key
 */
export type ReadIdempotencyKey = (variables: Variables) => string;

/** A mutation's key, and the payload of a retry. */
type CompiledIdempotency = { readonly readKey: ReadIdempotencyKey; readonly payload: ServicePayload };

/** The mutation's field in the client's document and in the schema: its arguments are read with both. */
type MutationField = { readonly field: FieldNode; readonly definition: GraphQLField<unknown, unknown> };

/** A forwarded mutation that changes contracts, and the state that is read before it. */
type ForwardedMutation = {
  readonly change: ForwardedChange;
  readonly mutationField: MutationField;
  /** The document that reads the state, for a document with several mutations. */
  readonly priorStateQuery: UpstreamDocument | undefined;
  /** The payload of a refusal that the service makes, or undefined when it makes none. */
  readonly refusalPayload: ServicePayload | undefined;
};

export type PayloadObject = {
  readonly key: string;
  /** The name of the payload's field. */
  readonly field: string;
  readonly selection: string;
  readonly when: readonly IncludeCondition[];
};

export type ServicePayload = {
  readonly typeName: string;
  readonly payloadObjects: readonly PayloadObject[];
  /** The payload's fields that the service resolves. */
  readonly resolvedFields: readonly FlattenedField[];
  /** Whether the client selects the payload's timeline entry. */
  readonly hasEvent: boolean;
  /** Fragments and variables of the selections. */
  readonly upstream: UpstreamDocument;
  readonly writer: UpstreamWriter;
};

/** One of the service's own mutations, with the client's selection of its payload. */
export type CompiledServiceMutation = {
  readonly mutation: ServiceMutationRecord;
  readonly mutationField: MutationField;
  readonly payload: ServicePayload;
};

export type MutationPlan = {
  readonly kind: 'mutation';
  readonly mutations: readonly CompiledMutation[];
  /** The points that are claimed of a customer's quota before the mutation starts. */
  readonly points: number;
  /**
   * The document that checks the ownership for all roots, and reads the state that a single mutation needs; undefined
   * when there is nothing to read.
   */
  readonly ownershipQuery: UpstreamDocument | undefined;
};

export type Plan = (QueryPlan | MutationPlan) & {
  readonly id: string;
  /**
   * The unique names of all root fields in the client's document, including those that a literal condition excludes.
   */
  readonly rootNames: readonly string[];
  readonly surface: Surface;
  readonly isActing: boolean;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
};
