/** Sends the second request of `subscriptionIntervalInfo`, and builds the payload from both responses. */
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminResponse } from '../../../lib/platform/admin-api/admin-response.ts';
import { isForSale } from '../../../lib/subscriptions/selling-plans/is-for-sale.ts';
import { areConditionsMet } from '../../compile/selection/flatten-selection.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import type { FlattenedField } from '../../plan/client-document.ts';
import type { ReadArguments } from '../../plan/response-shape.ts';
import type { ResponsePath } from '../../plan/result-error.ts';
import type { LocatedError, RootValue } from '../../plan/root-response.ts';
import type { UpstreamDocument } from '../../plan/upstream-document.ts';
import { sendInBatches } from '../../run/send-in-batches.ts';
import type { FollowUpRequest } from '../follow-sequentially.ts';
import { type ConnectionFields, mergeConnections, type SourceConnection } from './merged-connection.ts';

/** A `sellingPlanGroups` field of the client: one response key, with all its occurrences. */
export type PlanGroupsField = {
  readonly key: string;
  /** The fields with this key in the client's document. */
  readonly occurrences: readonly FlattenedField[];
  readonly args: ReadArguments;
  readonly fields: ConnectionFields;
};

export type IntervalInfoRoot = {
  readonly key: string;
  /** The response key of the contract's lines in the first response. */
  readonly alias: string;
  /** The client's response keys of `contract`, by the alias of the platform's root that reads the contract. */
  readonly clientKeyByContractAlias: ReadonlyMap<string, string>;
  readonly typenameKeys: readonly string[];
  readonly groupFields: readonly PlanGroupsField[];
  /** The second document, or undefined when no groups are selected. */
  readonly upstream: UpstreamDocument | undefined;
};

type JsonObject = Readonly<Record<string, unknown>>;
type ContractLines = { readonly nodes: readonly { readonly productId: string | null }[] };
type GroupConnection = JsonObject & {
  readonly _svcIds: readonly { readonly id: string }[];
  readonly _svcPage: { readonly hasNextPage: boolean };
};

/**
 * The number of groups that is requested for a product. Most products are in few groups; if one is in more, all of
 * them are requested again.
 */
const GROUPS_PER_PRODUCT = 20;
const MAX_GROUPS_PER_PRODUCT = 250;
const PRODUCTS_ALIAS = `${SERVICE_ALIAS}Products`;
/** The key of a product's status, which is selected while a customer is acting. */
export const INTERVAL_PRODUCT_STATUS_KEY = `${SERVICE_ALIAS}Status`;

/** Returns the root's value, built from both responses. */
export async function followIntervalInfo(
  request: FollowUpRequest,
  root: IntervalInfoRoot,
): Promise<RootValue> {
  const { data } = request.platformResponse;
  const firstResponse = data?.[root.alias] as
    | (JsonObject & { readonly _svcLines: ContractLines })
    | null
    | undefined;
  if (!firstResponse) return { value: null, errors: request.errors };
  const infoValue: Record<string, unknown> = {};
  for (const [contractAlias, key] of root.clientKeyByContractAlias) {
    if (data !== null && Object.hasOwn(data, contractAlias)) infoValue[key] = data[contractAlias];
  }
  for (const key of root.typenameKeys) if (Object.hasOwn(firstResponse, key)) infoValue[key] = PAYLOAD_TYPE;
  const groupsResponse = await requestGroups(root, request, productIdsOfLines(firstResponse._svcLines));
  const errors = [...request.errors, ...groupsResponse.errors];
  return {
    value: groupsResponse.value === undefined ? null : { ...infoValue, ...groupsResponse.value },
    errors,
  };
}

const PAYLOAD_TYPE = 'SubscriptionIntervalInfoPayload';

function productIdsOfLines({ nodes }: ContractLines): string[] {
  return [...new Set(nodes.flatMap(({ productId }) => productId ?? []))];
}

/**
 * The groups by response key. Undefined when they are missing: they are non-null, so there is no payload without them.
 */
type GroupsByKey = { readonly value: JsonObject | undefined; readonly errors: readonly LocatedError[] };

async function requestGroups(
  root: IntervalInfoRoot,
  request: FollowUpRequest,
  products: string[],
): Promise<GroupsByKey> {
  const { variables } = request;
  const visibleFields = root.groupFields.filter(({ occurrences }) =>
    occurrences.some(({ when }) => areConditionsMet(when, variables)),
  );
  if (root.upstream === undefined || visibleFields.length === 0) return { value: {}, errors: [] };
  const platformResponse =
    products.length === 0
      ? EMPTY_PRODUCTS_RESPONSE
      : await requestProductsInBatches(root.upstream, request, products);
  const infoValue: Record<string, unknown> = {};
  const errors: LocatedError[] = [];
  for (const groupField of visibleFields) {
    const mergedGroups = mergeGroups(root, groupField, { platformResponse, request });
    errors.push(...mergedGroups.errors);
    if (mergedGroups.value === undefined) return { value: undefined, errors };
    infoValue[groupField.key] = mergedGroups.value;
  }
  return { value: infoValue, errors };
}

const EMPTY_PRODUCTS_RESPONSE: AdminResponse = { data: {}, errors: [], cost: undefined };

async function requestProductsInBatches(
  upstream: UpstreamDocument,
  request: FollowUpRequest,
  products: readonly string[],
) {
  const { context, planId, variables, internalVariables } = request;
  const sendRequest = (groupCount: number) =>
    sendInBatches(context, {
      planId: `${planId} ${groupCount}`,
      upstream,
      variables,
      internalVariables: { ...internalVariables, [`${SERVICE_ALIAS}Groups`]: groupCount },
      mutates: false,
      name: PRODUCTS_ALIAS,
      ids: products,
    });
  const platformResponse = await sendRequest(GROUPS_PER_PRODUCT);
  return isTruncated(platformResponse) ? sendRequest(MAX_GROUPS_PER_PRODUCT) : platformResponse;
}

function listReturnedProducts({
  data,
}: AdminResponse): readonly (Readonly<Record<string, GroupConnection>> | null)[] {
  const products = data?.[PRODUCTS_ALIAS];
  return Array.isArray(products) ? products : [];
}

/** Whether a product is in more groups than were requested. */
function isTruncated(platformResponse: AdminResponse): boolean {
  const groupConnections = listReturnedProducts(platformResponse).flatMap((product) =>
    Object.values(product ?? {}),
  );
  return groupConnections.some((one) => one?._svcPage?.hasNextPage === true);
}

type ProductsResponse = { readonly platformResponse: AdminResponse; readonly request: FollowUpRequest };

function mergeGroups(
  { key: rootKey }: IntervalInfoRoot,
  { key, args, fields }: PlanGroupsField,
  { platformResponse, request }: ProductsResponse,
): GroupsByKey {
  const { variables } = request;
  const fieldPath: ResponsePath = [rootKey, key];
  const sourceConnections = listReturnedProducts(platformResponse).flatMap(
    (product, index): SourceConnection[] => {
      const connection = product?.[key];
      const productStatus: unknown = product?.[INTERVAL_PRODUCT_STATUS_KEY];
      if (connection === undefined || (productStatus !== undefined && !isForSale(productStatus))) return [];
      return [
        { path: [PRODUCTS_ALIAS, index, key], connection, ids: connection._svcIds.map(({ id }) => id) },
      ];
    },
  );
  const productErrors = platformResponse.errors.filter(({ path }) => isProductLost(platformResponse, path));
  if (platformResponse.data === null || productErrors.length > 0) {
    const errors = platformResponse.data === null ? platformResponse.errors : productErrors;
    return { value: undefined, errors: locateErrorsBelow(fieldPath, errors) };
  }
  try {
    const typeName = 'SellingPlanGroupConnection';
    const mergedConnection = mergeConnections(sourceConnections, {
      typeName,
      fields,
      args: args(variables),
      variables,
    });
    const errors = platformResponse.errors.flatMap((error): LocatedError[] => {
      const { path = [] } = error;
      const graft = mergedConnection.grafts.find(({ from }) =>
        from.every((step, depth) => path[depth] === step),
      );
      return graft === undefined
        ? []
        : [{ error, path: [...fieldPath, ...graft.to, ...path.slice(graft.from.length)] }];
    });
    return { value: mergedConnection.value, errors };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { value: undefined, errors: [{ error, path: fieldPath }] };
  }
}

/**
 * Returns the errors that removed whole products, with paths below the merged connection. Nothing was merged, so an index in a
 * path is that of the product's own list. An error that several products share is returned once.
 */
function locateErrorsBelow(fieldPath: ResponsePath, errors: AdminResponse['errors']): LocatedError[] {
  const key = fieldPath.at(-1);
  const locatedErrors = errors.map((error) => {
    const [, , field, ...pathBelow] = error.path ?? [];
    return { error, path: field === key ? [...fieldPath, ...pathBelow] : fieldPath };
  });
  const identifyError = ({ error, path }: LocatedError) => JSON.stringify([error.message, path]);
  return [...new Map(locatedErrors.map((one) => [identifyError(one), one])).values()];
}

/** Whether an error has removed a whole product, so that its groups are missing. */
function isProductLost(platformResponse: AdminResponse, path: ResponsePath | undefined): boolean {
  const [, index] = path ?? [];
  return typeof index !== 'number' || (listReturnedProducts(platformResponse)[index] ?? null) === null;
}
