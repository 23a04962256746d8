/**
 * Compiles a mutation: each root is sent as its own request, after one request that checks the ownership for all
 * roots.
 */
import { maxExpectedPoints } from '../plan/mutation-record.ts';
import type { CompiledMutation, MutationPlan } from '../plan/plan.ts';
import type { UpstreamDocument, UpstreamWriter } from '../plan/upstream-document.ts';
import { findFieldPolicy } from '../schema/field-policy.ts';
import {
  type CompileInput,
  collectArgumentEntries,
  compileRoots,
  type MutationRecords,
  type RootCompilation,
} from './compile-roots.ts';
import { writeOutcomeSelection, writeRefusalSelection } from './outcome-selection.ts';
import { collectExpectedOwners, writeOwnershipQuery } from './ownership/write-ownership-query.ts';
import { writePriorStateQuery } from './prior-state.ts';
import { collectRootNames } from './selection/flatten-selection.ts';
import { createIdempotencyKeyReader, findIdempotencyKeyNode } from './selection/idempotency-key.ts';
import { createUpstreamWriter, finishUpstreamDocument } from './selection/upstream-writer.ts';
import {
  compileRootPayload,
  compileServiceMutation,
  findFieldDefinition,
  withRebuiltShape,
} from './service-payload.ts';

type MutationRequest = CompileInput & MutationRecords;

/** Compiles the plan of a mutation. */
export async function compileMutation(compilation: CompileInput): Promise<MutationPlan> {
  const request = { ...compilation, ...(await compilation.registries.loadMutations()) };
  const { client, isActing } = request;
  const roots = await compileRoots(request, 'Mutation', () => createUpstreamWriter(client, isActing));
  const mutations = roots.map((rootCompilation) => compileMutationRoot(request, rootCompilation));
  const rootNames = collectRootNames(client, request.operation.selectionSet);
  const points = maxExpectedPoints(request.findMutation, rootNames);
  return { kind: 'mutation', mutations, ownershipQuery: writeOwnershipDocument(request, mutations), points };
}

function compileMutationRoot(request: MutationRequest, rootCompilation: RootCompilation): CompiledMutation {
  const { root } = rootCompilation;
  const fieldPolicy = findFieldPolicy('Mutation', root.name);
  const isActingCustomerRequired = fieldPolicy?.isActingCustomerRequired ?? false;
  const isServiceMutation = (fieldPolicy?.isService ?? false) && root.access !== 'closed';
  const compiledMutation = isServiceMutation
    ? {
        ...compileServiceMutation(rootCompilation, request.findMutation(root.name)),
        upstream: undefined,
        forwarded: undefined,
      }
    : compileForwardedMutation(request, rootCompilation);
  return {
    isActingCustomerRequired,
    ...compiledMutation,
    idempotency: compileIdempotency(request, rootCompilation, compiledMutation),
  };
}

type CompiledWithoutIdempotency = Omit<CompiledMutation, 'isActingCustomerRequired' | 'idempotency'>;

/**
 * Compiles the idempotency key of the mutation, and the payload that a retry gets.
 * @returns undefined when the mutation has no key
 */
function compileIdempotency(
  { findMutation }: MutationRequest,
  { root, writer, fields }: RootCompilation,
  { serviceMutation }: CompiledWithoutIdempotency,
): CompiledMutation['idempotency'] {
  const key = findIdempotencyKeyNode(fields);
  if (key === undefined) return undefined;
  const objectFields = findMutation(root.name)?.objectFields ?? [];
  return {
    readKey: createIdempotencyKeyReader(key),
    payload: serviceMutation?.payload ?? compileRootPayload({ root, writer, fields }, objectFields),
  };
}

/**
 * Compiles a forwarded mutation. A mutation of contracts reads them first and selects whether it was refused.
 */
function compileForwardedMutation(
  request: MutationRequest,
  { root, texts, writer, fields }: RootCompilation,
): CompiledWithoutIdempotency {
  const mutationRecord = request.findMutation(root.name);
  const forwardedChange = mutationRecord?.kind === 'forwarded' ? mutationRecord.change : undefined;
  const [firstField] = fields;
  if (texts.length === 0)
    return { root, upstream: undefined, serviceMutation: undefined, forwarded: undefined };
  if (forwardedChange === undefined || firstField === undefined) {
    // No timeline records this mutation. With a store's key, the log line of the change shows whether it was refused.
    const selection = request.surface === 'admin' ? writeRefusalSelection(root.type) : '';
    if (selection === '') {
      return {
        root,
        upstream: finishUpstreamDocument(writer, texts),
        serviceMutation: undefined,
        forwarded: undefined,
      };
    }
    const upstreamDocument = finishUpstreamDocument(writer, addSelection(texts, selection));
    return {
      root: withRebuiltShape(root),
      upstream: upstreamDocument,
      serviceMutation: undefined,
      forwarded: undefined,
    };
  }
  const isCustomerSurface = request.surface === 'customer';
  const isResultStored = isCustomerSurface || findIdempotencyKeyNode(fields) !== undefined;
  const outcomeTexts = addSelection(texts, writeOutcomeSelection(forwardedChange, root.type, isResultStored));
  const priorStateWriter = createQueryWriter(request);
  const stateRoots = writePriorStateQuery(priorStateWriter, forwardedChange);
  return {
    root: withRebuiltShape(root),
    upstream: finishUpstreamDocument(writer, outcomeTexts),
    serviceMutation: undefined,
    forwarded: {
      change: forwardedChange,
      mutationField: findFieldDefinition(root.name, firstField.field),
      priorStateQuery:
        stateRoots.length === 0 ? undefined : finishUpstreamDocument(priorStateWriter, stateRoots),
      refusalPayload:
        isCustomerSurface ||
        forwardedChange.cooldown ||
        forwardedChange.makesAttempt ||
        forwardedChange.limit ||
        forwardedChange.readRefusal
          ? compileRootPayload({ root, writer, fields }, [])
          : undefined,
    },
  };
}

function addSelection(texts: readonly string[], selection: string): string[] {
  return texts.map((text) => text.replace(/ }$/, ` ${selection} }`));
}

/**
 * Writes the query that checks the ownership for all roots. If the document has one root only, the query also reads the state
 * before its change.
 * @returns undefined when there is nothing to check or to read
 */
function writeOwnershipDocument(
  request: CompileInput,
  mutations: readonly CompiledMutation[],
): UpstreamDocument | undefined {
  const queryWriter = createQueryWriter(request);
  const expectedOwners = collectExpectedOwners(collectArgumentEntries(mutations.map(({ root }) => root)));
  const ownershipFields = request.isActing ? writeOwnershipQuery(queryWriter, expectedOwners) : [];
  const change = mutations.length === 1 ? mutations[0]?.forwarded?.change : undefined;
  // A change with a limit reads its state later, while no other request changes the same object (run-exclusively.ts).
  const readsPriorState = change !== undefined && change.limit === undefined;
  const roots = [...ownershipFields, ...(readsPriorState ? writePriorStateQuery(queryWriter, change) : [])];
  return roots.length === 0 ? undefined : finishUpstreamDocument(queryWriter, roots);
}

function createQueryWriter({ client, isActing }: CompileInput): UpstreamWriter {
  return createUpstreamWriter(
    { ...client, operation: { ...client.operation, operation: 'query' as never } },
    isActing,
  );
}
