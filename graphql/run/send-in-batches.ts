/**
 * Sends a request with many ids in several documents, so that none exceeds the maximum cost, and merges their
 * responses.
 */
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { maxPartsPerDocument } from '../../lib/platform/admin-api/query-points.ts';
import type { RunContext, UpstreamRequest } from '../plan/run-context.ts';
import { countDocumentPoints } from './count-document-points.ts';
import { selectUpstreamVariables, sendUpstream } from './send-upstream.ts';

export type BatchedIdsRequest = UpstreamRequest & {
  /** The name of the `nodes` root, which is also the name of the variable with its ids. */
  readonly name: string;
  readonly ids: readonly string[];
};

/**
 * Sends the documents, and returns the merged response. Other roots have the value of the last document. Ends after a
 * document without data.
 */
export async function sendInBatches(context: RunContext, request: BatchedIdsRequest): Promise<AdminResponse> {
  const { name, ids } = request;
  const batchSize = countIdsPerDocument(context, request);
  const foundNodes: unknown[] = [];
  let mergedResponse: AdminResponse = { data: {}, errors: [], cost: undefined };
  for (let startIndex = 0; startIndex < ids.length; startIndex += batchSize) {
    const idBatch = ids.slice(startIndex, startIndex + batchSize);
    const { data, errors, cost } = await sendUpstream(context, {
      ...request,
      planId: `${request.planId} ${idBatch.length}`,
      internalVariables: { ...request.internalVariables, [name]: idBatch },
    });
    const rootValue = data?.[name];
    if (!Array.isArray(rootValue)) return { data, errors, cost };
    foundNodes.push(...rootValue);
    const relocatedErrors = errors.map(({ path, ...error }) => ({
      ...error,
      ...(path && { path: shiftListIndex(path, name, startIndex) }),
    }));
    mergedResponse = {
      data: { ...data, [name]: foundNodes },
      errors: [...mergedResponse.errors, ...relocatedErrors],
      cost,
    };
  }
  return mergedResponse;
}

function countIdsPerDocument(context: RunContext, request: BatchedIdsRequest): number {
  const { upstream, name, ids } = request;
  if (ids.length === 1) return 1;
  const pointsOfBatch = (batch: readonly string[]) => {
    const internalVariables = { ...request.internalVariables, [name]: batch };
    return countDocumentPoints(
      upstream.text,
      selectUpstreamVariables(context, upstream, { ...request, internalVariables }),
    );
  };
  const pointsWithoutIds = pointsOfBatch([]);
  return maxPartsPerDocument(pointsOfBatch(ids.slice(0, 1)) - pointsWithoutIds, pointsWithoutIds);
}

type ErrorPath = readonly (string | number)[];

function shiftListIndex([root = '', index, ...rest]: ErrorPath, name: string, offset: number): ErrorPath {
  if (root !== name || typeof index !== 'number')
    return index === undefined ? [root] : [root, index, ...rest];
  return [root, index + offset, ...rest];
}
