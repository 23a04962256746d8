/** Sends the second request of `subscriptionIntervalInfo`, and builds the payload from both responses. */
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminAnswer } from '../../../lib/platform/admin-api/admin-answer.ts';
import { isForSale } from '../../../lib/subscriptions/selling-plans/is-for-sale.ts';
import { areConditionsMet } from '../../compile/selection/flatten-selection.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import type { ReadArguments } from '../../plan/answer-shape.ts';
import type { FlattenedField } from '../../plan/client-document.ts';
import type { ResponsePath } from '../../plan/result-error.ts';
import type { LocatedError, RootValue } from '../../plan/root-answer.ts';
import type { UpstreamDocument } from '../../plan/upstream-document.ts';
import { sendInBatches } from '../../run/send-in-batches.ts';
import type { FollowUpRequest } from '../follow-sequentially.ts';
import { type ConnectionFields, mergeConnections, type SourceConnection } from './merged-connection.ts';

/** One response key that selects groups. */
export type PlanGroupsField = {
  readonly key: string;
  readonly places: readonly FlattenedField[];
  readonly args: ReadArguments;
  readonly fields: ConnectionFields;
};

export type IntervalInfoRoot = {
  readonly key: string;
  /** The response key of the contract's lines in the first response. */
  readonly alias: string;
  /** Roots of the first response with the contract, and the keys that they answer. */
  readonly contracts: ReadonlyMap<string, string>;
  readonly typenames: readonly string[];
  readonly groups: readonly PlanGroupsField[];
  /** The second document, or undefined when no groups are selected. */
  readonly upstream: UpstreamDocument | undefined;
};

type Json = Readonly<Record<string, unknown>>;
type Lines = { readonly nodes: readonly { readonly productId: string | null }[] };
type Connection = Json & {
  readonly _svcIds: readonly { readonly id: string }[];
  readonly _svcPage: { readonly hasNextPage: boolean };
};

/**
 * The number of groups that is requested for a product. Most products are in few groups; if one is in more, all of
 * them are requested again.
 */
const GROUPS = 20;
const ALL_GROUPS = 250;
const PRODUCTS = `${SERVICE_ALIAS}Products`;
/** The key of a product's status, which is selected while a customer is acting. */
export const INTERVAL_PRODUCT_STATUS_KEY = `${SERVICE_ALIAS}Status`;

/** Returns the root's value, built from both responses. */
export async function followIntervalInfo(
  request: FollowUpRequest,
  root: IntervalInfoRoot,
): Promise<RootValue> {
  const { data } = request.answer;
  const first = data?.[root.alias] as (Json & { readonly _svcLines: Lines }) | null | undefined;
  if (!first) return { value: null, errors: request.errors };
  const value: Record<string, unknown> = {};
  for (const [own, key] of root.contracts) {
    if (data !== null && Object.hasOwn(data, own)) value[key] = data[own];
  }
  for (const key of root.typenames) if (Object.hasOwn(first, key)) value[key] = PAYLOAD;
  const groups = await groupsIn(root, request, productsOf(first._svcLines));
  const errors = [...request.errors, ...groups.errors];
  return { value: groups.value === undefined ? null : { ...value, ...groups.value }, errors };
}

const PAYLOAD = 'SubscriptionIntervalInfoPayload';

function productsOf({ nodes }: Lines): string[] {
  return [...new Set(nodes.flatMap(({ productId }) => productId ?? []))];
}

/**
 * The groups by response key. Undefined when they are missing: they are non-null, so there is no payload without them.
 */
type Groups = { readonly value: Json | undefined; readonly errors: readonly LocatedError[] };

async function groupsIn(
  root: IntervalInfoRoot,
  request: FollowUpRequest,
  products: string[],
): Promise<Groups> {
  const { variables } = request;
  const visible = root.groups.filter(({ places }) =>
    places.some(({ when }) => areConditionsMet(when, variables)),
  );
  if (root.upstream === undefined || visible.length === 0) return { value: {}, errors: [] };
  const answer = products.length === 0 ? NOTHING : await askForAll(root.upstream, request, products);
  const value: Record<string, unknown> = {};
  const errors: LocatedError[] = [];
  for (const group of visible) {
    const merged = mergeGroups(root, group, { answer, request });
    errors.push(...merged.errors);
    if (merged.value === undefined) return { value: undefined, errors };
    value[group.key] = merged.value;
  }
  return { value, errors };
}

const NOTHING: AdminAnswer = { data: {}, errors: [], cost: undefined };

async function askForAll(upstream: UpstreamDocument, request: FollowUpRequest, products: readonly string[]) {
  const { context, planId, variables, internalVariables } = request;
  const ask = (size: number) =>
    sendInBatches(context, {
      planId: `${planId} ${size}`,
      upstream,
      variables,
      internalVariables: { ...internalVariables, [`${SERVICE_ALIAS}Groups`]: size },
      mutates: false,
      name: PRODUCTS,
      ids: products,
    });
  const answer = await ask(GROUPS);
  return isCut(answer) ? ask(ALL_GROUPS) : answer;
}

function productsIn({ data }: AdminAnswer): readonly (Readonly<Record<string, Connection>> | null)[] {
  const products = data?.[PRODUCTS];
  return Array.isArray(products) ? products : [];
}

/** Whether a product is in more groups than were requested. */
function isCut(answer: AdminAnswer): boolean {
  const connections = productsIn(answer).flatMap((product) => Object.values(product ?? {}));
  return connections.some((one) => one?._svcPage?.hasNextPage === true);
}

type Answered = { readonly answer: AdminAnswer; readonly request: FollowUpRequest };

function mergeGroups(
  { key: rootKey }: IntervalInfoRoot,
  { key, args, fields }: PlanGroupsField,
  { answer, request }: Answered,
): Groups {
  const { variables } = request;
  const at: ResponsePath = [rootKey, key];
  const sources = productsIn(answer).flatMap((product, index): SourceConnection[] => {
    const answered = product?.[key];
    const status: unknown = product?.[INTERVAL_PRODUCT_STATUS_KEY];
    if (answered === undefined || (status !== undefined && !isForSale(status))) return [];
    return [{ path: [PRODUCTS, index, key], answered, ids: answered._svcIds.map(({ id }) => id) }];
  });
  const lost = answer.errors.filter(({ path }) => isLost(answer, path));
  if (answer.data === null || lost.length > 0) {
    const errors = answer.data === null ? answer.errors : lost;
    return { value: undefined, errors: placedBelow(at, errors) };
  }
  try {
    const typeName = 'SellingPlanGroupConnection';
    const merged = mergeConnections(sources, { typeName, fields, args: args(variables), variables });
    const errors = answer.errors.flatMap((error): LocatedError[] => {
      const { path = [] } = error;
      const place = merged.places.find(({ from }) => from.every((step, depth) => path[depth] === step));
      return place === undefined
        ? []
        : [{ error, path: [...at, ...place.to, ...path.slice(place.from.length)] }];
    });
    return { value: merged.value, errors };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { value: undefined, errors: [{ error, path: at }] };
  }
}

/**
 * Places errors of products that are lost below the connection. Its list was never merged, so an index is that of the product's
 * own list; the same error of several products is there once.
 */
function placedBelow(at: ResponsePath, errors: AdminAnswer['errors']): LocatedError[] {
  const key = at.at(-1);
  const placed = errors.map((error) => {
    const [, , field, ...below] = error.path ?? [];
    return { error, path: field === key ? [...at, ...below] : at };
  });
  const identity = ({ error, path }: LocatedError) => JSON.stringify([error.message, path]);
  return [...new Map(placed.map((one) => [identity(one), one])).values()];
}

/** Whether an error has removed a whole product, so that its groups are missing. */
function isLost(answer: AdminAnswer, path: ResponsePath | undefined): boolean {
  const [, index] = path ?? [];
  return typeof index !== 'number' || (productsIn(answer)[index] ?? null) === null;
}
