/** `subscriptionLineOptions` takes a second and a third request; the page is made of them. */

import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { PlatformError } from '../../../lib/platform/admin-api/admin-answer.ts';
import { DEFAULT_PAGE } from '../../../lib/platform/admin-api/page-size.ts';
import { ordersMade } from '../../../lib/subscriptions/orders-made.ts';
import { type PlanPriceRequest, planPrice } from '../../../lib/subscriptions/selling-plans/plan-price.ts';
import { deliveriesPerPayment } from '../../../lib/subscriptions/selling-plans/rhythm.ts';
import type { PlacedError } from '../../answer/answer-builder.ts';
import { partsOn } from '../../answer/project-service-value.ts';
import { OURS } from '../../compile/selection/ours.ts';
import type { ReadArguments } from '../../compile/selection/read-arguments.ts';
import type { UpstreamDocument } from '../../compile/selection/upstream-writer.ts';
import { sendUpstream } from '../../run/run-context.ts';
import type { FollowRequest } from '../../run/start-root.ts';
import type { FoundValue, SelectedValue } from '../answer-service-value.ts';
import { checkPage } from './check-page.ts';
import {
  cyclesIn,
  type OfferedGroup,
  type OptionsContract,
  offeredGroups,
  readGroups,
} from './offered-groups.ts';
import { type OptionRow, type OptionRows, type OptionsAnswer, rowsOf, VARIANTS } from './option-rows.ts';
import { type Position, readCursor, toCursor, unknownCursor } from './position.ts';

export type LineOptionsRoot = SelectedValue & {
  readonly key: string;
  /** The response key of the contract in the first answer; `_shop` and `_cycle` stand beside it. */
  readonly alias: string;
  readonly args: ReadArguments;
  readonly lineVariable: string;
  readonly page: UpstreamDocument;
  /** The connection that holds each part that is a variant, by the part's alias. */
  readonly connections: ReadonlyMap<string, string>;
};

type First = {
  readonly contract: OptionsContract;
  /**
   * Deliveries that one payment is for; undefined: no order is to come, or it is no whole number, so no price can be
   * told.
   */
  readonly deliveries: number | undefined;
  readonly isShopsCurrency: boolean;
  readonly lineId: string | undefined;
};

/** The products, and variants of each, that are asked for at a time: a page is short rather than dear. */
const PRODUCTS = 10;
const VARIANTS_EACH = 10;

/** The root's page, made of the first answer and of those of two more requests. */
export async function followLineOptions(request: FollowRequest, root: LineOptionsRoot): Promise<FoundValue> {
  const failed = (errors: readonly PlacedError['error'][]): FoundValue => ({
    value: null,
    errors: errors.map((error) => ({ error, path: [root.key] })),
  });
  try {
    const first = readFirst(root, request);
    if (first === undefined) return failed(request.errors.map(({ error }) => error));
    const page = await readPage(root, request, first);
    return 'failed' in page ? failed(page.failed) : page;
  } catch (error) {
    if (!isInvalid(error)) throw error;
    return failed([error]);
  }
}

/** The facts of the first answer; undefined: there is no such contract or line, or the platform did not tell. */
function readFirst({ alias, lineVariable }: LineOptionsRoot, request: FollowRequest): First | undefined {
  const { answer, errors, ours } = request;
  const data = answer.data ?? {};
  const contract = data[alias] as OptionsContract | null | undefined;
  const cycle = data[`${alias}_cycle`] as { cycleIndex: number } | null | undefined;
  const shop = data[`${alias}_shop`] as { currencyCode: string } | null | undefined;
  const lineId = typeof ours[lineVariable] === 'string' ? ours[lineVariable] : undefined;
  if (!contract || errors.length > 0) return undefined;
  if (lineId !== undefined && !contract.lines.nodes.some(({ id }) => id === lineId)) return undefined;
  const deliveries = cycle ? deliveriesPerPayment(contract) : undefined;
  return { contract, deliveries, lineId, isShopsCurrency: shop?.currencyCode === contract.currencyCode };
}

type Failed = { readonly failed: readonly PlatformError[] };

async function readPage(
  root: LineOptionsRoot,
  request: FollowRequest,
  first: First,
): Promise<FoundValue | Failed> {
  const { first: size, after } = sizeOf(root.args(request.variables));
  const { contract, deliveries, isShopsCurrency, lineId } = first;
  // Prices of the catalogue are in the shop's currency.
  if (!isShopsCurrency || deliveries === undefined)
    return { value: connectionOf([], undefined, after), errors: [] };
  const line = contract.lines.nodes.find(({ id }) => id === lineId);
  const answer = await readGroups(request, contract, line);
  if (answer.data === null || answer.errors.length > 0) return { failed: answer.errors };
  const groups = offeredGroups(answer, contract, line);
  const position = startAt(groups, after);
  if (position === undefined) return { value: connectionOf([], undefined, after), errors: [] };
  const index = groups.findIndex(({ id }) => id === position.group);
  const group = groups[index];
  if (group === undefined) throw unknownCursor();
  const third = await ask(root, request, { position, size, sellingPlanId: group.plan.id });
  const earlier = new Set(groups.slice(0, index).map(({ id }) => id));
  const failed = checkPage(third, position, earlier);
  if (failed !== undefined) return { failed };
  const data = third.data as OptionsAnswer & Readonly<Record<string, unknown>>;
  const found = rowsOf(data, { position, earlier, except: line?.variantId ?? undefined });
  const { rows, next } = cut(found, { size, position, following: groups[index + 1]?.id });
  const made = ordersMade({ originOrder: contract.originOrder, cycles: cyclesIn(answer) });
  const { currencyCode } = contract;
  const order = { ordersMade: made, deliveriesPerPayment: deliveries, currencyCode };
  const priced = { group, order, data, connections: root.connections };
  const options = rows.flatMap((row) => optionOf(row, priced) ?? []);
  return {
    value: connectionOf(options, next, after),
    errors: third.errors.map((error) => ({ error, path: error.path ?? [] })),
  };
}

function sizeOf({ first, after }: ReturnType<ReadArguments>) {
  const size = typeof first === 'number' ? first : DEFAULT_PAGE;
  if (size < 0) throw invalid('first is at least 0.');
  return { first: size, after: typeof after === 'string' ? after : undefined };
}

function invalid(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

function isInvalid(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'GRAPHQL_VALIDATION_FAILED';
}

/** The place where the page begins; undefined: there is nothing to list. */
function startAt(groups: readonly OfferedGroup[], after: string | undefined): Position | undefined {
  if (after !== undefined) return readCursor(after);
  const [first] = groups;
  return first && { kind: 'products', group: first.id, after: null };
}

type Asked = { readonly position: Position; readonly size: number; readonly sellingPlanId: string };

async function ask(root: LineOptionsRoot, request: FollowRequest, { position, size, sellingPlanId }: Asked) {
  const { kind, group, after } = position;
  const own = {
    Group: group,
    Product: kind === 'product' ? position.product : group.replace('SellingPlanGroup', 'Product'),
    Plan: sellingPlanId,
    After: after,
    Size: Math.max(size, 1),
    ProductSize: Math.min(Math.max(size, 1), PRODUCTS),
    VariantSize: Math.min(Math.max(size, 1), VARIANTS_EACH),
    OfProducts: kind === 'products',
    OfProduct: kind === 'product',
    OfVariants: kind === 'variants',
  };
  const ours = Object.fromEntries(Object.entries(own).map(([name, value]) => [`${OURS}${name}`, value]));
  const sending = sendUpstream(request.context, {
    planId: `${request.planId} ${kind} ${size}`,
    upstream: root.page,
    variables: request.variables,
    ours: { ...request.ours, ...ours },
    mutates: false,
  });
  return await sending.catch((error: unknown) => {
    // The platform names the value that it refuses, here one of a cursor.
    throw after !== null && isInvalid(error) ? unknownCursor() : error;
  });
}

type Cut = { readonly size: number; readonly position: Position; readonly following: string | undefined };

/** As many rows as are wanted, and the place where the next page begins; undefined: there is none. */
function cut({ rows, next }: OptionRows, { size, position, following }: Cut): OptionRows {
  const shown = rows.slice(0, size);
  if (rows.length > size) return { rows: shown, next: shown.at(-1)?.next ?? position };
  const behind =
    following === undefined ? undefined : ({ kind: 'products', group: following, after: null } as const);
  return { rows: shown, next: next ?? behind };
}

type Priced = {
  readonly group: OfferedGroup;
  /** The contract's next order. */
  readonly order: Pick<PlanPriceRequest, 'ordersMade' | 'deliveriesPerPayment' | 'currencyCode'>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly connections: ReadonlyMap<string, string>;
};

/** The edge of an option; undefined: no price can be told under its plan. */
function optionOf(row: OptionRow, { group, order, data, connections }: Priced) {
  const { variant, next } = row;
  const { pricingPolicies: policies } = group.plan;
  const price = planPrice({ basePrice: variant._svcPrice, policies, ...order });
  if (price === undefined) return undefined;
  const connectionOfPart = (alias: string) => connections.get(alias) ?? VARIANTS;
  const variants = [...connections.keys()].map((alias) => [alias, row.nodeIn(connectionOfPart(alias))]);
  const node = {
    productVariant: {
      partOf: Object.fromEntries(variants),
      pathOf: (alias: string) => row.pathIn(connectionOfPart(alias)),
    },
    product: partsOn(variant, row.pathIn(VARIANTS)),
    sellingPlan: partsOn(data, []),
    currentPrice: { amount: price.currentPrice, currencyCode: order.currencyCode },
    availableForSale: variant._svcForSale,
  };
  return { cursor: toCursor(next), node };
}

type Edge = NonNullable<ReturnType<typeof optionOf>>;

/** The cursor at the end leads on even if this page is empty. */
function connectionOf(edges: readonly Edge[], next: Position | undefined, after: string | undefined) {
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: next !== undefined,
      hasPreviousPage: after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: next === undefined ? (edges.at(-1)?.cursor ?? null) : toCursor(next),
    },
  };
}
