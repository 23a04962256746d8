/**
 * Decides whether the platform's page may be shown. A client can make a cursor up, so no cursor may reveal which
 * products and variants exist: the response is the same for everything that the list does not show.
 */
import {
  type AdminResponse,
  isAccessDenied,
  isPlatformFailure,
  type PlatformError,
} from '../../../lib/platform/admin-api/admin-response.ts';
import { isListedProduct, type OptionPageFilter, type VariantOptionsPageResponse } from './option-rows.ts';
import { createUnknownCursorError, type ReadPosition } from './position.ts';

type PlatformErrors = readonly PlatformError[];

/**
 * Returns the errors that removed the page.
 * @returns undefined when the page is there
 * @throws GRAPHQL_VALIDATION_FAILED when the cursor names no listed item
 */
export function checkPageVisibility(
  { data, errors }: AdminResponse,
  position: ReadPosition,
  earlierGroupIds: OptionPageFilter['earlierGroupIds'],
): PlatformErrors | undefined {
  const optionsPage = data as VariantOptionsPageResponse | null;
  if (position.kind === 'product') return findListedProductErrors(optionsPage, errors, earlierGroupIds);
  const group = optionsPage?._svcGroup;
  if (position.kind === 'products' ? group?._svcProducts : group?._svcVariants) return undefined;
  const isCursorRejected = position.fromCursor !== null && errors.some(isErrorOfList);
  if (isCursorRejected || errors.length === 0) throw createUnknownCursorError();
  return errors;
}

/**
 * Checks that the product is listed in the group. Returns only failures of the platform, which do not reveal whether
 * it exists.
 */
function findListedProductErrors(
  optionsPage: VariantOptionsPageResponse | null,
  errors: PlatformErrors,
  earlierGroupIds: OptionPageFilter['earlierGroupIds'],
): PlatformErrors | undefined {
  const isProductInGroup = optionsPage?._svcGroup?._svcApplies === true;
  const product = optionsPage?._svcProduct ?? undefined;
  if (isProductInGroup && product !== undefined && isListedProduct(product, earlierGroupIds))
    return undefined;
  const failures = errors.filter(isPlatformFailure);
  // Outside the group, a failure at the product would reveal that the product exists.
  const nonRevealingFailures = isProductInGroup
    ? failures
    : failures.filter(({ path }) => path?.[0] === '_svcGroup');
  if (product !== undefined || nonRevealingFailures.length === 0) throw createUnknownCursorError();
  return nonRevealingFailures;
}

/** Whether an error is at the list of the cursor, and not below it. */
function isErrorOfList(error: PlatformError): boolean {
  const errorDepth = error.path?.length ?? 0;
  return errorDepth <= 2 && !isAccessDenied(error) && !isPlatformFailure(error);
}
