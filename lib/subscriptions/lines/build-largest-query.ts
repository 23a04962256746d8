/**
 * Builds the most expensive query of the service, for checks of its cost in points: a customer adds the maximum number
 * of variants.
 */
import type { SendToPlatform } from '../operation.ts';
import { readContractState } from '../read-contract-state.ts';
import { EMPTY_LINES_REQUEST, MAX_LINES_DOCUMENT_POINTS, MAX_VARIANTS_PER_REQUEST } from './lines-request.ts';
import { buildLinesReads } from './lines-state.ts';

/** Creates a global id that belongs to no object: the numbers of real objects are much larger. */
const createUnusedGid = (type: string, number: number) => `gid://shopify/${type}/${number}`;

/**
 * Returns the query and its variables, and the points that the service calculates for it. `nowMs` in epoch
 * milliseconds.
 */
export async function buildLargestQuery(nowMs: number) {
  const addedVariants = Array.from({ length: MAX_VARIANTS_PER_REQUEST }, (_none, index) => ({
    productVariantId: createUnusedGid('ProductVariant', index + 1),
    quantity: 1,
  }));
  let largestQuery: Pick<Parameters<SendToPlatform>[0], 'document' | 'variables'> = {
    document: '',
    variables: {},
  };
  const sendToPlatform: SendToPlatform = async (request) => {
    largestQuery = request;
    return { data: {}, errors: [], cost: undefined };
  };
  const stateSelection = buildLinesReads(
    { ...EMPTY_LINES_REQUEST, add: addedVariants },
    { nowMs, isCustomer: true },
  );
  await readContractState(
    { sendToPlatform },
    { contractId: createUnusedGid('SubscriptionContract', 1), reads: stateSelection },
  );
  const { document, variables } = largestQuery;
  return { document, variables, points: MAX_LINES_DOCUMENT_POINTS };
}
