/** Requests one page of the products or variants that `subscriptionLineOptions` lists. */
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import type { UpstreamDocument } from '../../plan/upstream-document.ts';
import { sendUpstream } from '../../run/send-upstream.ts';
import type { FollowUpRequest } from '../follow-sequentially.ts';
import { createUnknownCursorError, type ReadPosition } from './position.ts';

/** The number of products, and of variants of each, in one request: a short page is better than an expensive request. */
const PRODUCTS_PER_REQUEST = 10;
const VARIANTS_PER_PRODUCT = 10;

type OptionsRequest = {
  readonly document: UpstreamDocument;
  readonly position: ReadPosition;
  readonly size: number;
  readonly sellingPlanId: string;
};

/**
 * Sends the document of one page of products or variants, from this position.
 * @throws GRAPHQL_VALIDATION_FAILED when the platform refuses the client's cursor
 */
export async function requestOptionsPage(
  request: FollowUpRequest,
  { document, position, size, sellingPlanId }: OptionsRequest,
): Promise<AdminResponse> {
  const { kind, group, fromCursor, isBackward } = position;
  const [firstSuffix, lastSuffix] = isBackward ? ['Last', 'First'] : ['First', 'Last'];
  const pageSize = Math.max(size, 1);
  const variableValues = {
    Group: group,
    Product: kind === 'product' ? position.product : group.replace('SellingPlanGroup', 'Product'),
    Plan: sellingPlanId,
    After: isBackward ? null : fromCursor,
    Before: isBackward ? fromCursor : null,
    [firstSuffix]: pageSize,
    [`Product${firstSuffix}`]: Math.min(pageSize, PRODUCTS_PER_REQUEST),
    [`Variant${firstSuffix}`]: Math.min(pageSize, VARIANTS_PER_PRODUCT),
    ...Object.fromEntries(['', 'Product', 'Variant'].map((list) => [`${list}${lastSuffix}`, null])),
    OfProducts: kind === 'products',
    OfProduct: kind === 'product',
    OfVariants: kind === 'variants',
  };
  const internalVariables = Object.fromEntries(
    Object.entries(variableValues).map(([name, value]) => [`${SERVICE_ALIAS}${name}`, value]),
  );
  const pendingResponse = sendUpstream(request.context, {
    planId: `${request.planId} ${kind} ${firstSuffix} ${size}`,
    upstream: document,
    variables: request.variables,
    internalVariables: { ...request.internalVariables, ...internalVariables },
    mutates: false,
  });
  return await pendingResponse.catch((error: unknown) => {
    // The platform quotes the value that it refuses, which is a cursor here.
    throw fromCursor !== null && isValidationError(error) ? createUnknownCursorError() : error;
  });
}

/** Whether an argument of the client was refused: its error belongs to this root alone. */
export function isValidationError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'GRAPHQL_VALIDATION_FAILED';
}
