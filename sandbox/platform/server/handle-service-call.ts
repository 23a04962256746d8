/** Logs the requests to the endpoints that the service calls, not a browser, and applies faults to them. */

import { outdateDrafts } from '../admin/resolvers/contracts/contract-changes.ts';
import { applyFault, type FaultableResponse } from '../control/apply-fault.ts';
import type { FaultedCall } from '../control/platform-fault-plan.ts';
import type { RequestRecord } from '../control/request-log.ts';
import type { PlatformRequest } from '../http/platform-request.ts';
import type { PlatformResponse } from '../http/response.ts';
import type { PlatformContext } from './platform-context.ts';

export type ServiceCall = FaultedCall & {
  readonly request: PlatformRequest;
  /** The facts that are known before the request is handled. */
  readonly operation?: Pick<RequestRecord, 'query' | 'variables'>;
};

/** Handles a request of the service by `handle`, which may add facts to the record. */
export async function handleServiceCall(
  context: PlatformContext,
  call: ServiceCall,
  handle: (record: RequestRecord, refusedMutationNumber: number | undefined) => Promise<PlatformResponse>,
): Promise<FaultableResponse> {
  const { kind, shop, request, operation } = call;
  const receivedAt = new Date(context.clock.now()).toISOString();
  const requestRecord = context.requests.begin({
    at: receivedAt,
    shop,
    kind,
    method: request.method,
    path: request.path,
    ...operation,
  });
  const plannedFault = context.faults.take(call);
  if (plannedFault?.throttle) context.adminApi.throttleNext(shop, 1);
  const store = plannedFault?.outdate ? context.state().stores.get(shop) : undefined;
  if (store !== undefined) outdateDrafts(store, context.clock.now());
  const outcome = await applyFault(plannedFault, () => handle(requestRecord, plannedFault?.refuseMutation));
  requestRecord.status = outcome?.status ?? 0;
  return outcome;
}
