/**
 * A checked document becomes a plan, once: roots are found, treated by the policy, written for the platform.
 * Nothing in a plan depends on the clock or on who asks.
 */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { tooComplex } from '../policy/errors/too-complex.ts';
import { MAX_FOLLOWED_ROOTS } from '../policy/limits/limits.ts';
import { forwardedChange } from '../roots/forwarded-changes.ts';
import { ownMutation } from '../roots/own-mutations.ts';
import { recordedSelection } from '../run/record-forwarded.ts';
import { fieldPolicy } from '../schema/coordinates.ts';
import type { Surface } from '../schema/schema.ts';
import type { ArgumentEntry } from '../schema/table/schema-table.ts';
import { compileRoot } from './compile-root.ts';
import { compilePayload, type OwnPayload } from './own-payload.ts';
import type { CompiledMutation, CompiledRoot, OwnSelection, Plan } from './plan.ts';
import { expectedOwners, writeProof } from './proofs/write-proof.ts';
import { writeReadBefore } from './read-before-change.ts';
import { textRewriter } from './rewrite-text.ts';
import { MAX_SELECTED_FIELDS } from './selection/build-answer-shape.ts';
import { type FlatField, flattenSelection, groupByKey } from './selection/flatten-selection.ts';
import { namedType } from './selection/type-reference.ts';
import {
  type ClientDocument,
  createWriter,
  finishDocument,
  type UpstreamDocument,
  type UpstreamWriter,
  type Variables,
} from './selection/upstream-writer.ts';
import type { RootContext } from './write-root.ts';

export type CompileRequest = {
  readonly surface: Surface;
  readonly document: DocumentNode;
  /** As `selectOperation` found it. */
  readonly operation: OperationDefinitionNode;
  readonly client: ClientDocument;
  /** A customer is acting: always on the customer surface. */
  readonly isActing: boolean;
};

let compiled = 0;

/** The operation to run. GRAPHQL_VALIDATION_FAILED if the name tells none, or not which. */
export function selectOperation(
  document: DocumentNode,
  operationName: string | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (operation) return operation;
  const message =
    operationName === undefined
      ? 'The document has several operations: name one in operationName.'
      : `The document has no operation named "${operationName.slice(0, 100)}".`;
  throw new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/** The plan of a checked document. QUERY_TOO_COMPLEX if its fragments multiply. */
export function compile(request: CompileRequest): Plan {
  const { surface, document, operation, isActing } = request;
  const isQuery = operation.operation === 'query';
  compiled += 1;
  const id = `p${compiled}`;
  const plan = isQuery ? compileQuery(request) : compileMutation(request);
  return { ...plan, id, surface, isActing, document, operationName: operation.name?.value };
}

function compileQuery(request: CompileRequest) {
  const writer = createWriter(request.client, request.isActing);
  const planned = compileRoots(request, 'QueryRoot', () => writer);
  const texts = planned.flatMap(({ texts: one }) => one);
  const roots = planned.map(({ root }) => root);
  limitFollowed(roots);
  const proof = request.isActing ? writeProof(writer, expectedOwners(entriesOf(roots))) : [];
  const upstream = finishDocument(writer, [...texts, ...proof]);
  const rewriteText = textRewriter(roots, upstream);
  return { kind: 'query', roots, upstream, isProving: proof.length > 0, rewriteText } as const;
}

/** Roots that take requests of their own: one document of a client must not become many. */
function limitFollowed(roots: readonly CompiledRoot[]): void {
  const actual = roots.filter(({ special }) => special?.kind === 'followed').length;
  if (actual > MAX_FOLLOWED_ROOTS)
    throw tooComplex({ limit: FOLLOWED_ROOTS, max: MAX_FOLLOWED_ROOTS, actual });
}

const FOLLOWED_ROOTS = 'roots that take several requests';

function compileMutation(request: CompileRequest) {
  const planned = compileRoots(request, 'Mutation', () => createWriter(request.client, request.isActing));
  const mutations = planned.map((one) => planMutation(request, one));
  return { kind: 'mutation', mutations, proof: proofDocument(request, mutations) } as const;
}

function planMutation(request: CompileRequest, written: Written): CompiledMutation {
  const { root, writer, fields } = written;
  const policy = fieldPolicy('Mutation', root.name);
  const isActingCustomerRequired = policy?.isActingCustomerRequired ?? false;
  const isOwn = (policy?.isService ?? false) && root.access !== 'closed';
  if (!isOwn) return { isActingCustomerRequired, own: undefined, ...planForwarded(request, written) };
  const own = planOwn(writer, root, fields);
  const injected = [...root.injected, ...own.payload.writer.scope];
  const { key } = root;
  const shape = root.shape.shape && { ...root.shape.shape, isRebuilt: true };
  const answered = {
    injected,
    read: (data: Variables) => data[key],
    upstream: new Map([[key, [key]]]),
    // Put together from two sources, so that only the shape knows the client's order.
    shape: { ...root.shape, shape },
  };
  return {
    root: { ...root, ...answered },
    isActingCustomerRequired,
    upstream: undefined,
    forwarded: undefined,
    own,
  };
}

/** A forwarded mutation; one that changes contracts is read before it, and tells whether it was refused. */
function planForwarded(request: CompileRequest, { root, texts, writer, fields }: Written) {
  const change = forwardedChange(root.name);
  const [first] = fields;
  if (texts.length === 0) return { root, upstream: undefined, forwarded: undefined };
  if (change === undefined || first === undefined) {
    return { root, upstream: finishDocument(writer, texts), forwarded: undefined };
  }
  const told = texts.map((text) => text.replace(/ }$/, ` ${recordedSelection(change)} }`));
  const shape = root.shape.shape && { ...root.shape.shape, isRebuilt: true };
  const looking = queryWriter(request);
  const look = writeReadBefore(looking, change);
  return {
    root: { ...root, shape: { ...root.shape, shape } },
    upstream: finishDocument(writer, told),
    forwarded: {
      change,
      field: first.field,
      look: look.length === 0 ? undefined : finishDocument(looking, look),
      payload: change.cooldown && planPayload(writer, root, { fields, objectFields: [] }),
    },
  };
}

function planOwn(writer: UpstreamWriter, root: CompiledRoot, fields: readonly FlatField[]): OwnSelection {
  const objectFields = ownMutation(root.name)?.objectFields ?? [];
  return { fields, payload: planPayload(writer, root, { fields, objectFields }) };
}

type Payload = { readonly fields: readonly FlatField[]; readonly objectFields: readonly string[] };

function planPayload(
  writer: UpstreamWriter,
  root: CompiledRoot,
  { fields, objectFields }: Payload,
): OwnPayload {
  // The root's own arguments stay here; the names of computed arguments stay distinct.
  const below = { ...createWriter(writer.client, writer.isActing), injected: writer.injected };
  return compilePayload(below, fields, { typeName: namedType(root.type), objectFields });
}

/** One query that proves all roots before any of them runs; what a single one has to know is read with it. */
function proofDocument(
  request: CompileRequest,
  mutations: readonly CompiledMutation[],
): UpstreamDocument | undefined {
  const writer = queryWriter(request);
  const expected = expectedOwners(entriesOf(mutations.map(({ root }) => root)));
  const proof = request.isActing ? writeProof(writer, expected) : [];
  const change = mutations.length === 1 ? mutations[0]?.forwarded?.change : undefined;
  const roots = [...proof, ...(change === undefined ? [] : writeReadBefore(writer, change))];
  return roots.length === 0 ? undefined : finishDocument(writer, roots);
}

function queryWriter({ client, isActing }: CompileRequest): UpstreamWriter {
  return createWriter(
    { ...client, operation: { ...client.operation, operation: 'query' as never } },
    isActing,
  );
}

function entriesOf(roots: readonly CompiledRoot[]): ArgumentEntry[] {
  return roots.flatMap(({ injected }) => injected.map(({ entry }) => entry));
}

type Written = {
  readonly root: CompiledRoot;
  readonly texts: readonly string[];
  readonly writer: UpstreamWriter;
  readonly fields: readonly FlatField[];
};

function compileRoots(
  request: CompileRequest,
  rootType: 'QueryRoot' | 'Mutation',
  writerOf: () => UpstreamWriter,
): Written[] {
  const { client, isActing } = request;
  const groups = groupByKey(flattenSelection(client, client.operation.selectionSet));
  const budget = { left: MAX_SELECTED_FIELDS };
  return [...groups].map(([key, fields], index) => {
    const writer = writerOf();
    writer.scope = new Set();
    const context: RootContext = { writer, rootType, isActing, fragments: client.fragments, budget, index };
    const { root, texts } = compileRoot(context, key, fields);
    return { root: { ...root, injected: [...writer.scope] }, texts, writer, fields };
  });
}
