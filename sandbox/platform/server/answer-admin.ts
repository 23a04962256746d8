/** Passes a request to the Admin API, after the check of the app's tokens and the faults by root field. */
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { FaultableAnswer } from '../control/apply-fault.ts';
import { appGrantOf, isLiveAccessToken } from '../grants/app-grants.ts';
import { methodNotAllowed } from '../http/answer.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import type { StoreState } from '../state/state.ts';
import { answerServiceCall } from './answer-service-call.ts';
import type { PlatformContext } from './platform-context.ts';

type AdminTarget = { readonly store: StoreState; readonly version: string };

export async function answerAdmin(
  context: PlatformContext,
  request: PlatformRequest,
  { store, version }: AdminTarget,
): Promise<FaultableAnswer> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const operation = readOperation(request.body);
  const { names: operations, isChange } = readDocument(operation.query);
  const call = { kind: 'admin' as const, shop: store.shop, operations, request, operation };
  return answerServiceCall(context, call, async (record, refusedMutation) => {
    const headers = { ...headersOf(request), ...acceptedToken(context, request, store) };
    const sent = { shop: store.shop, version, headers, body: request.body };
    const answer = await context.adminApi.handle({
      ...sent,
      ...(refusedMutation !== undefined && { refusedMutation }),
    });
    Object.assign(record, answer.record);
    context.stateChanged();
    if (isChange) context.webhooks.notice(store.shop);
    else context.webhooks.noticeCharges(store.shop);
    return answer;
  });
}

/** The Admin API accepts one token for each store; any valid token of the app is replaced by it. */
function acceptedToken(context: PlatformContext, request: PlatformRequest, store: StoreState) {
  const token = request.headers['x-shopify-access-token'];
  const presented = typeof token === 'string' ? token : undefined;
  const isLive = isLiveAccessToken(appGrantOf(context.grants, store), presented, context.clock.now());
  return { 'x-shopify-access-token': isLive ? store.accessToken : undefined };
}

function headersOf({ headers }: PlatformRequest): Record<string, string | undefined> {
  const names = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(names);
}

function readOperation(body: string): { query?: string; variables?: unknown } {
  try {
    const { query, variables } = JSON.parse(body);
    return typeof query === 'string' ? { query, variables } : {};
  } catch {
    return {};
  }
}

type ReadOperation = { readonly names: readonly string[]; readonly isChange: boolean };

/**
 * Returns the names of operations and their root fields, or none when the text is not GraphQL; and whether an operation
 * is a mutation.
 */
function readDocument(query: string | undefined): ReadOperation {
  const operations = operationsOf(query);
  const names = operations.flatMap(({ name, selectionSet }) => {
    const fields = selectionSet.selections.flatMap((selection) =>
      selection.kind === 'Field' ? [selection.name.value] : [],
    );
    return name === undefined ? fields : [name.value, ...fields];
  });
  return { names, isChange: operations.some(({ operation }) => operation === 'mutation') };
}

function operationsOf(query = ''): OperationDefinitionNode[] {
  try {
    return parse(query).definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return [];
  }
}
