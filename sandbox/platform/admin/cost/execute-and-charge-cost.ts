/**
 * The step between validation and execution. It computes the document's cost, rejects a cost above the limit, and takes
 * the points from the store's bucket or throttles. After execution it refunds the difference and adds
 * `extensions.cost`.
 */
import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { StoreState } from '../../state/state.ts';
import { behaviourOfStore } from '../../state/unpublished-behaviour.ts';
import type { AdminContext } from '../context.ts';
import type { PointBuckets } from './bucket.ts';
import { type ChargedRequest, computeActualCost, computeRequestedCost } from './cost.ts';

/** The maximum cost of a single query. */
const MAX_QUERY_COST = 1000;

export type CostChargingContext = {
  readonly buckets: PointBuckets;
  /** Receives the cost of a request, for the log of requests. */
  onCost(points: number): void;
};

/** Executes the document after it was charged. */
type ExecuteCharged = () => ExecutionResult | Promise<ExecutionResult>;

/** Charges the document and returns its result, or the error. */
export async function executeAndChargeCost(
  args: ExecutionArgs,
  context: AdminContext & CostChargingContext,
  execute: ExecuteCharged,
): Promise<ExecutionResult> {
  const { buckets } = context;
  const chargedRequest = toChargedRequest(args, context.store);
  if (chargedRequest === null) return execute();
  const requestedCost = computeRequestedCost(chargedRequest);
  context.onCost(requestedCost);
  if (requestedCost > MAX_QUERY_COST) return { errors: [createMaxCostError(requestedCost)] };
  if (!buckets.take(context.store, requestedCost, context.nowMs)) {
    return {
      errors: [createThrottledError()],
      extensions: { cost: createCostExtension(buckets, context, { requested: requestedCost, actual: null }) },
    };
  }
  const executionResult = await execute();
  const actualCost = Math.max(0, computeActualCost(chargedRequest, executionResult.data, requestedCost));
  buckets.refund(context.store, requestedCost - actualCost);
  context.onCost(actualCost);
  return {
    ...executionResult,
    extensions: {
      cost: createCostExtension(buckets, context, { requested: requestedCost, actual: actualCost }),
    },
  };
}

/** Returns null when variables are invalid: execution then reports the error, and nothing is charged. */
function toChargedRequest(args: ExecutionArgs, store: StoreState): ChargedRequest | null {
  const operation: OperationDefinitionNode | null | undefined = getOperationAST(
    args.document,
    args.operationName,
  );
  if (operation == null) return null;
  const { coerced } = getVariableValues(
    args.schema,
    operation.variableDefinitions ?? [],
    args.variableValues ?? {},
  );
  if (coerced === undefined) return null;
  return {
    schema: args.schema,
    document: args.document,
    operation,
    variables: coerced,
    nodesCost: behaviourOfStore(store, 'nodesCost'),
  };
}

function createCostExtension(
  buckets: PointBuckets,
  context: AdminContext,
  { requested, actual }: { requested: number; actual: number | null },
) {
  return {
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: buckets.status(context.store, context.nowMs),
  };
}

function createMaxCostError(cost: number): GraphQLError {
  const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_QUERY_COST}).`;
  return new GraphQLError(message, {
    extensions: { code: 'MAX_COST_EXCEEDED', cost, maxCost: MAX_QUERY_COST },
  });
}

function createThrottledError(): GraphQLError {
  return new GraphQLError('Throttled', { extensions: { code: 'THROTTLED' } });
}
