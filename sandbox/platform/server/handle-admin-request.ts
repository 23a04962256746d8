/** Passes a request to the Admin API, after the check of the app's tokens and the faults by root field. */
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { FaultableResponse } from '../control/apply-fault.ts';
import { grantOfStore, isValidAccessToken } from '../grants/app-grants.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import { createMethodNotAllowedResponse } from '../http/response.ts';
import type { StoreState } from '../state/state.ts';
import { handleServiceCall } from './handle-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

type AdminRequestTarget = { readonly store: StoreState; readonly version: string };

export async function handleAdminRequest(
  context: PlatformContext,
  request: PlatformRequest,
  { store, version }: AdminRequestTarget,
): Promise<FaultableResponse> {
  if (request.method !== 'POST') return createMethodNotAllowedResponse('POST');
  const operation = parseGraphqlBody(request.body);
  const { names: operations, isChange } = summarizeDocument(operation.query);
  const serviceCall = { kind: 'admin' as const, shop: store.shop, operations, request, operation };
  return handleServiceCall(context, serviceCall, async (record, refusedMutationNumber) => {
    const headers = { ...flattenHeaders(request), ...replaceByAcceptedToken(context, request, store) };
    const adminRequest = { shop: store.shop, version, headers, body: request.body };
    const adminResponse = await context.adminApi.handle({
      ...adminRequest,
      ...(refusedMutationNumber !== undefined && { refusedMutationNumber }),
    });
    Object.assign(record, adminResponse.record);
    context.stateChanged();
    if (isChange) context.webhooks.enqueueChanges(store.shop);
    else context.webhooks.enqueueChargeChanges(store.shop);
    return adminResponse;
  });
}

/** The Admin API accepts one token for each store; any valid token of the app is replaced by it. */
function replaceByAcceptedToken(context: PlatformContext, request: PlatformRequest, store: StoreState) {
  const token = request.headers['x-shopify-access-token'];
  const presentedToken = typeof token === 'string' ? token : undefined;
  const isTokenValid = isValidAccessToken(
    grantOfStore(context.grants, store),
    presentedToken,
    context.clock.now(),
  );
  return { 'x-shopify-access-token': isTokenValid ? store.accessToken : undefined };
}

function flattenHeaders({ headers }: PlatformRequest): Record<string, string | undefined> {
  const headerEntries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(headerEntries);
}

function parseGraphqlBody(body: string): { query?: string; variables?: unknown } {
  try {
    const { query, variables } = JSON.parse(body);
    return typeof query === 'string' ? { query, variables } : {};
  } catch {
    return {};
  }
}

type OperationSummary = { readonly names: readonly string[]; readonly isChange: boolean };

/**
 * Returns the names of operations and their root fields, or none when the text is not GraphQL; and whether an operation
 * is a mutation.
 */
function summarizeDocument(query: string | undefined): OperationSummary {
  const operations = listOperations(query);
  const operationNames = operations.flatMap(({ name, selectionSet }) => {
    const rootFields = selectionSet.selections.flatMap((selection) =>
      selection.kind === 'Field' ? [selection.name.value] : [],
    );
    return name === undefined ? rootFields : [name.value, ...rootFields];
  });
  return { names: operationNames, isChange: operations.some(({ operation }) => operation === 'mutation') };
}

function listOperations(query = ''): OperationDefinitionNode[] {
  try {
    return parse(query).definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return [];
  }
}
