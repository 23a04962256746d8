/**
 * Compiles an operation of a checked document into a plan, once per document: compiles its roots, and writes the documents
 * for the platform. Plans are cached and shared, so they depend neither on the time nor on the actor, except for whether a
 * customer is acting.
 */
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { Plan } from '../plan/plan.ts';
import type { CompiledRoot } from '../plan/root-handler.ts';
import { createTooComplexError } from '../policy/errors/document-errors.ts';
import { MAX_ROOTS_WITH_FURTHER_REQUESTS } from '../policy/limits/limits.ts';
import { type CompileInput, collectArgumentEntries, compileRoots } from './compile-roots.ts';
import { findContractLists } from './find-contract-lists.ts';
import { collectExpectedOwners, writeOwnershipQuery } from './ownership/write-ownership-query.ts';
import { createIdRewriter } from './rewrite-ids.ts';
import { collectRootNames } from './selection/flatten-selection.ts';
import { createUpstreamWriter, finishUpstreamDocument } from './selection/upstream-writer.ts';

let compiledOperationCount = 0;

/**
 * Returns the operation to run.
 * @throws GRAPHQL_VALIDATION_FAILED when the name matches no operation, or is missing and there are several.
 */
export function selectOperation(
  document: DocumentNode,
  operationName: string | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (operation) return operation;
  const message =
    operationName === undefined
      ? 'The document has several operations. Name one of them in operationName.'
      : `The document has no operation named "${operationName.slice(0, 100)}".`;
  throw new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

/**
 * Compiles the operation of a checked document.
 * @throws QUERY_TOO_COMPLEX when its fragments multiply, or too many roots send further requests
 */
export async function compileOperation(request: CompileInput): Promise<Plan> {
  const { surface, document, operation, isActing } = request;
  const isQuery = operation.operation === 'query';
  compiledOperationCount += 1;
  const id = `p${compiledOperationCount}`;
  const plan = await (isQuery ? compileQuery(request) : loadAndCompileMutation(request));
  const rootNames = collectRootNames(request.client, operation.selectionSet);
  return { ...plan, id, rootNames, surface, isActing, document, operationName: operation.name?.value };
}

const loadCompileMutation = loadOnce(() => import('./compile-mutation.ts'));

/** Compiles a mutation. Its compiler is loaded with the first mutation of a container. */
async function loadAndCompileMutation(request: CompileInput) {
  const { compileMutation } = await loadCompileMutation();
  return compileMutation(request);
}

async function compileQuery(request: CompileInput) {
  const upstreamWriter = createUpstreamWriter(request.client, request.isActing);
  const compiledRoots = await compileRoots(request, 'QueryRoot', () => upstreamWriter);
  const rootTexts = compiledRoots.flatMap(({ texts }) => texts);
  const plannedRoots = compiledRoots.map(({ root }) => root);
  rejectTooManyFollowUpRoots(plannedRoots);
  const ownershipFields = request.isActing
    ? writeOwnershipQuery(upstreamWriter, collectExpectedOwners(collectArgumentEntries(plannedRoots)))
    : [];
  const upstream = finishUpstreamDocument(upstreamWriter, [...rootTexts, ...ownershipFields]);
  const rewriteText = createIdRewriter(plannedRoots, upstream);
  const contractLists = request.surface === 'customer' ? findContractLists(request.client) : [];
  const includesOwnershipQuery = ownershipFields.length > 0;
  return {
    kind: 'query',
    roots: plannedRoots,
    upstream,
    includesOwnershipQuery,
    rewriteText,
    contractLists,
  } as const;
}

/**
 * Limits the roots that send further requests to the platform, so that one document of a client does not cause many.
 * @throws QUERY_TOO_COMPLEX when there are too many such roots
 */
function rejectTooManyFollowUpRoots(roots: readonly CompiledRoot[]): void {
  const followUpCount = roots.filter(({ handler }) => handler.sendsFollowUp).length;
  if (followUpCount > MAX_ROOTS_WITH_FURTHER_REQUESTS)
    throw createTooComplexError({
      limit: FOLLOW_UP_ROOTS_LIMIT_NAME,
      max: MAX_ROOTS_WITH_FURTHER_REQUESTS,
      actual: followUpCount,
    });
}

const FOLLOW_UP_ROOTS_LIMIT_NAME = 'roots that take several requests';
