/** Sends an upstream document with the values of the variables that it declares. */

import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { MAX_DUE_SEARCH_MS } from '../../lib/subscriptions/order-content.ts';
import { actingCustomerGid } from '../compile/ownership/global-ids.ts';
import { CUSTOMER_ID_VARIABLE } from '../compile/ownership/write-ownership-query.ts';
import { NOW_VARIABLE, OVERDUE_FROM_VARIABLE } from '../compile/selection/overdue-cycles.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import type { RunContext, UpstreamRequest, VariableSources } from '../plan/run-context.ts';
import type { UpstreamDocument } from '../plan/upstream-document.ts';

/** The variable of the end of the shown billing cycles. */
export const HORIZON_VARIABLE = `${SERVICE_ALIAS}Horizon`;
/**
 * The prefix of a variable for the date from which a contract's next order is read: now, unless the contract is
 * paused.
 */
export const CHARGED_FROM_VARIABLE_PREFIX = `${SERVICE_ALIAS}ChargedFrom`;
/** The prefix of a variable for the date from which a list of upcoming orders is read: now, unless an order is overdue. */
export const LIST_FROM_VARIABLE_PREFIX = `${SERVICE_ALIAS}ListFrom`;
export const HORIZON_DAYS = 365;

const DAY_MS = 86_400_000;

/**
 * Returns the value of an internal variable that depends on the clock or the acting customer.
 * @returns undefined for any other variable
 */
function resolveRequestValue({ now, identity }: RunContext, name: string): string | undefined {
  const isFromNow =
    name.startsWith(CHARGED_FROM_VARIABLE_PREFIX) || name.startsWith(LIST_FROM_VARIABLE_PREFIX);
  switch (isFromNow ? NOW_VARIABLE : name) {
    case NOW_VARIABLE:
      return new Date(now()).toISOString();
    case OVERDUE_FROM_VARIABLE:
      return new Date(now() - MAX_DUE_SEARCH_MS).toISOString();
    case HORIZON_VARIABLE:
      return new Date(now() + HORIZON_DAYS * DAY_MS).toISOString();
    case CUSTOMER_ID_VARIABLE:
      return actingCustomerGid(identity);
    default:
      return undefined;
  }
}

/** Returns the values of the variables that an upstream document declares. */
export function selectUpstreamVariables(
  context: RunContext,
  { clientVariableNames, internalVariableNames }: UpstreamDocument,
  { variables, internalVariables }: VariableSources,
): Record<string, unknown> {
  const sentVariables: Record<string, unknown> = {};
  for (const name of clientVariableNames)
    if (variables[name] !== undefined) sentVariables[name] = variables[name];
  for (const name of internalVariableNames) {
    const variableValue =
      internalVariables[name] === undefined ? resolveRequestValue(context, name) : internalVariables[name];
    if (variableValue !== undefined) sentVariables[name] = variableValue;
  }
  return sentVariables;
}

/** Sends an upstream document with the variables that it declares. */
export function sendUpstream(context: RunContext, request: UpstreamRequest): Promise<AdminResponse> {
  const { planId, upstream, variables, mutates, acceptsDataText = false } = request;
  const pageSizes = upstream.pageSizeVariableNames.map(
    (name) => variables[name] ?? request.internalVariables[name] ?? '',
  );
  return context.send({
    store: context.store,
    document: upstream.text,
    variables: selectUpstreamVariables(context, upstream, request),
    mutates,
    callerNamespaces: upstream.mayHaveClientValues ? context.identity.namespaces : undefined,
    acceptsDataText,
    deadlineAtMs: context.deadlineAtMs,
    costKey: `${planId} ${pageSizes.join(' ')}`,
  });
}
