/**
 * Builds the page of `subscriptionLineOptions` from the responses to the second and third, rarely a fourth request.
 */
import type { AdminResponse, PlatformError } from '../../../lib/platform/admin-api/admin-response.ts';
import { countPaidOrders } from '../../../lib/subscriptions/count-paid-orders.ts';
import { deliveriesPerPayment } from '../../../lib/subscriptions/selling-plans/frequency.ts';
import {
  computePlanPrice,
  type PlanPriceRequest,
} from '../../../lib/subscriptions/selling-plans/plan-price.ts';
import type { ReadArguments } from '../../plan/response-shape.ts';
import type { LocatedError } from '../../plan/root-response.ts';
import type { UpstreamDocument } from '../../plan/upstream-document.ts';
import { createPartSource } from '../../response/project-service-value.ts';
import type { SelectedServiceValue, ServiceValueResult } from '../build-service-value-response.ts';
import type { FollowUpRequest } from '../follow-sequentially.ts';
import { checkPageVisibility } from './check-page-visibility.ts';
import {
  type OfferedGroup,
  type OptionsContract,
  paidCyclesOf,
  readOfferedGroups,
  selectOfferedGroups,
} from './offered-groups.ts';
import {
  type OptionRow,
  toOptionRows,
  VARIANTS_KEY,
  type VariantOptionsPageResponse,
} from './option-rows.ts';
import {
  buildOptionConnection,
  isPastStop,
  type OptionsWindow,
  parseOptionsWindow,
  selectWindowRows,
  type WindowRows,
} from './options-window.ts';
import {
  createUnknownCursorError,
  firstReadPosition,
  formatOptionCursor,
  nextReadPosition,
  type OptionListPoint,
  type ReadPosition,
} from './position.ts';
import { isValidationError, requestOptionsPage } from './request-options-page.ts';

export type LineOptionsRoot = SelectedServiceValue & {
  readonly key: string;
  /** The response key of the contract in the first response, which also has `_shop` and `_cycle`. */
  readonly alias: string;
  readonly args: ReadArguments;
  readonly lineIdVariable: string;
  readonly pageDocument: UpstreamDocument;
  /** The connection with each part that is a variant, by the part's alias. */
  readonly connectionByPartAlias: ReadonlyMap<string, string>;
};

type FirstResponseFacts = {
  readonly contract: OptionsContract;
  /**
   * The number of deliveries that one payment covers. Undefined when there is no next order, or it is not a whole
   * number: then the price is unknown.
   */
  readonly deliveriesPerPayment: number | undefined;
  readonly isInShopCurrency: boolean;
  readonly lineId: string | undefined;
};

/** Returns the root's page, built from the first response and two more requests. */
export async function followLineOptions(
  request: FollowUpRequest,
  root: LineOptionsRoot,
): Promise<ServiceValueResult> {
  const toFailedResult = (errors: readonly LocatedError['error'][]): ServiceValueResult => ({
    value: null,
    errors: errors.map((error) => ({ error, path: [root.key] })),
  });
  try {
    const firstResponse = parseFirstResponse(root, request);
    if (firstResponse === undefined) return toFailedResult(request.errors.map(({ error }) => error));
    const page = await readOptionsPage(root, request, firstResponse);
    return 'failed' in page ? toFailedResult(page.failed) : page;
  } catch (error) {
    if (!isValidationError(error)) throw error;
    return toFailedResult([error]);
  }
}

/**
 * Reads the facts of the first response.
 * @returns undefined when the contract or the line does not exist, or the platform did not return it
 */
function parseFirstResponse(
  { alias, lineIdVariable }: LineOptionsRoot,
  request: FollowUpRequest,
): FirstResponseFacts | undefined {
  const { platformResponse, errors, internalVariables } = request;
  const responseData = platformResponse.data ?? {};
  const contract = responseData[alias] as OptionsContract | null | undefined;
  const cycle = responseData[`${alias}_cycle`] as { cycleIndex: number } | null | undefined;
  const shop = responseData[`${alias}_shop`] as { currencyCode: string } | null | undefined;
  const lineId =
    typeof internalVariables[lineIdVariable] === 'string' ? internalVariables[lineIdVariable] : undefined;
  if (!contract || errors.length > 0) return undefined;
  if (lineId !== undefined && !contract.lines.nodes.some(({ id }) => id === lineId)) return undefined;
  const deliveries = cycle ? deliveriesPerPayment(contract) : undefined;
  return {
    contract,
    deliveriesPerPayment: deliveries,
    lineId,
    isInShopCurrency: shop?.currencyCode === contract.currencyCode,
  };
}

type FailedPageRead = { readonly failed: readonly PlatformError[] };

async function readOptionsPage(
  root: LineOptionsRoot,
  request: FollowUpRequest,
  firstResponse: FirstResponseFacts,
): Promise<ServiceValueResult | FailedPageRead> {
  const optionsWindow = parseOptionsWindow(root.args(request.variables));
  const emptyResult = { value: buildOptionConnection([], optionsWindow), errors: [] };
  const { contract, deliveriesPerPayment: deliveries, isInShopCurrency, lineId } = firstResponse;
  // Prices of the catalogue are in the shop's currency.
  if (!isInShopCurrency || deliveries === undefined) return emptyResult;
  const contractLine = contract.lines.nodes.find(({ id }) => id === lineId);
  const groupsResponse = await readOfferedGroups(request, contract, contractLine);
  if (groupsResponse.data === null || groupsResponse.errors.length > 0)
    return { failed: groupsResponse.errors };
  const { groups, allowedGroupIds } = selectOfferedGroups(groupsResponse, contract, contractLine);
  const startPosition = findStartPosition(groups, optionsWindow);
  const windowReading = {
    root,
    request,
    groups,
    window: optionsWindow,
    currentVariantId: contractLine?.variantId ?? undefined,
    allowedGroupIds,
  };
  const pageSection = startPosition && (await readPageSection(windowReading, startPosition));
  if (pageSection === undefined) return emptyResult;
  if ('failed' in pageSection) return pageSection;
  const { pageResponse, group, page } = pageSection;
  const pageData = pageResponse.data as VariantOptionsPageResponse & Readonly<Record<string, unknown>>;
  const paidOrderCount = countPaidOrders({
    originOrder: contract.originOrder,
    cycles: paidCyclesOf(groupsResponse),
  });
  const { currencyCode } = contract;
  const order = { paidOrderCount, deliveriesPerPayment: deliveries, currencyCode };
  const pricedRequest = { group, order, data: pageData, connectionByPartAlias: root.connectionByPartAlias };
  const optionEdges = page.rows.flatMap((row) => buildOptionEdge(row, pricedRequest) ?? []);
  return {
    value: buildOptionConnection(optionEdges, optionsWindow, page),
    errors: pageResponse.errors.map((error) => ({ error, path: error.path ?? [] })),
  };
}

/**
 * Finds the position at which the page starts.
 * @returns undefined when the list has nothing there
 * @throws GRAPHQL_VALIDATION_FAILED when a cursor's group is not offered
 */
function findStartPosition(groups: readonly OfferedGroup[], window: OptionsWindow): ReadPosition | undefined {
  const { start, stop, isBackward } = window;
  for (const point of [start, stop]) {
    if (point !== undefined && groups.length > 0 && !groups.some(({ id }) => id === point.group))
      throw createUnknownCursorError();
  }
  const walk = { isBackward, groups };
  return start === undefined ? firstReadPosition(walk) : nextReadPosition(start, walk);
}

/**
 * Returns the point behind a group: the start of the next group or, backward, the group's own start if another group
 * precedes it.
 */
function pointBehindGroup(
  groups: readonly OfferedGroup[],
  { group, isBackward }: ReadPosition,
): OptionListPoint | undefined {
  const index = groups.findIndex(({ id }) => id === group);
  if (isBackward) return index > 0 ? { kind: 'products', group, cursor: null } : undefined;
  const nextGroup = groups[index + 1];
  return nextGroup && { kind: 'products', group: nextGroup.id, cursor: null };
}

type OptionsPageRequest = {
  readonly root: LineOptionsRoot;
  readonly request: FollowUpRequest;
  readonly groups: readonly OfferedGroup[];
  readonly window: OptionsWindow;
  readonly currentVariantId: string | undefined;
  readonly allowedGroupIds: ReadonlySet<string> | undefined;
};

type PageSection = {
  readonly pageResponse: AdminResponse;
  readonly group: OfferedGroup;
  readonly page: WindowRows;
};

/**
 * Reads one page of products or variants; where it has no option, one more.
 * @returns undefined when the walk has passed the option at which it stops
 */
async function readPageSection(
  reading: OptionsPageRequest,
  position: ReadPosition,
  isSecondPage = false,
): Promise<PageSection | FailedPageRead | undefined> {
  const { root, request, groups, window, currentVariantId, allowedGroupIds } = reading;
  if (isPastStop(window, position, groups)) return undefined;
  const groupIndex = groups.findIndex(({ id }) => id === position.group);
  const currentGroup = groups[groupIndex];
  if (currentGroup === undefined) throw createUnknownCursorError();
  const pageRequest = {
    document: root.pageDocument,
    position,
    size: window.size,
    sellingPlanId: currentGroup.plan.id,
  };
  const pageResponse = await requestOptionsPage(request, pageRequest);
  const earlierGroupIds = new Set(groups.slice(0, groupIndex).map(({ id }) => id));
  const visibilityErrors = checkPageVisibility(pageResponse, position, earlierGroupIds);
  if (visibilityErrors !== undefined) return { failed: visibilityErrors };
  const rowsOfPage = toOptionRows(pageResponse.data as VariantOptionsPageResponse, {
    position,
    earlierGroupIds,
    currentVariantId,
    allowedGroupIds,
  });
  const nextPoint = rowsOfPage.nextPoint ?? pointBehindGroup(groups, position);
  const furtherPosition = nextPoint && nextReadPosition(nextPoint, { groups, isBackward: window.isBackward });
  if (rowsOfPage.rows.length === 0 && furtherPosition !== undefined && !isSecondPage)
    return readPageSection(reading, furtherPosition, true);
  return {
    pageResponse,
    group: currentGroup,
    page: selectWindowRows({ ...rowsOfPage, nextPoint }, window),
  };
}

type PricingContext = {
  readonly group: OfferedGroup;
  /** The contract's next order. */
  readonly order: Pick<PlanPriceRequest, 'paidOrderCount' | 'deliveriesPerPayment' | 'currencyCode'>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly connectionByPartAlias: ReadonlyMap<string, string>;
};

/**
 * Returns the edge of an option.
 * @returns undefined when its plan has no price for it
 */
function buildOptionEdge(row: OptionRow, { group, order, data, connectionByPartAlias }: PricingContext) {
  const { variant, point } = row;
  const { pricingPolicies } = group.plan;
  const price = computePlanPrice({ basePrice: variant._svcPrice, policies: pricingPolicies, ...order });
  if (price === undefined) return undefined;
  const connectionOfPart = (alias: string) => connectionByPartAlias.get(alias) ?? VARIANTS_KEY;
  const variants = [...connectionByPartAlias.keys()].map((alias) => [
    alias,
    row.nodeIn(connectionOfPart(alias)),
  ]);
  const optionNode = {
    productVariant: {
      partOf: Object.fromEntries(variants),
      pathOf: (alias: string) => row.pathIn(connectionOfPart(alias)),
    },
    product: createPartSource(variant, row.pathIn(VARIANTS_KEY)),
    sellingPlan: createPartSource(data, []),
    currentPrice: { amount: price.currentPrice, currencyCode: order.currencyCode },
    availableForSale: variant._svcForSale,
  };
  return { cursor: formatOptionCursor(point), node: optionNode };
}
