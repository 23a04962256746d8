/**
 * Customers' requests for their data, which come from the platform or the merchant. An operator exports the data and
 * gives it to the store's owner. The law allows 30 days.
 */
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { Logger } from '../observability/logger.ts';
import type { ComplianceRequests, DataRequestRecord } from '../storage/privacy/compliance-requests.ts';
import { readDueTasks, type ScheduledTasks } from '../storage/scheduled-tasks.ts';

type Deps = {
  readonly complianceRequests: ComplianceRequests;
  readonly scheduledTasks: ScheduledTasks;
  readonly now: () => number;
};
type NewDataRequest = Pick<DataRequestRecord, 'kind' | 'id' | 'askedBy'> & {
  readonly shopId: ShopId;
  readonly customerId?: CustomerId;
};

const DAY_MS = 86_400_000;
const DATA_REQUEST_DEADLINE_MS = 30 * DAY_MS;
const DATA_REQUEST_ALARM_AFTER_MS = 20 * DAY_MS;
const MAX_DATA_REQUESTS_PER_RUN = 1_000;

/**
 * Opens a request. Does not change a request that is already open.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function openDataRequest(deps: Deps, newRequest: NewDataRequest): Promise<DataRequestRecord> {
  const { shopId, id } = newRequest;
  const receivedAtMs = deps.now();
  const dataRequest = { ...newRequest, receivedAtMs, dueAtMs: receivedAtMs + DATA_REQUEST_DEADLINE_MS };
  const alarmAtMs = receivedAtMs + DATA_REQUEST_ALARM_AFTER_MS;
  await deps.scheduledTasks.put({ kind: 'data-request', shopId, dueAtMs: alarmAtMs, name: id, payload: {} });
  if ((await deps.complianceRequests.putDataRequest(dataRequest)) === 'done') return dataRequest;
  return (await deps.complianceRequests.findDataRequest(shopId, id)) ?? dataRequest;
}

/**
 * Raises an alarm for each request that has been open for 20 days, and again each day. Returns the number of these
 * requests.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function raiseAlarmsForOldDataRequests(
  deps: Deps & { readonly logger: Pick<Logger, 'error'> },
): Promise<number> {
  const { complianceRequests, scheduledTasks, logger, now } = deps;
  let alarmCount = 0;
  for (const dueTask of await readDueTasks(scheduledTasks, {
    kind: 'data-request',
    nowMs: now(),
    maxCount: MAX_DATA_REQUESTS_PER_RUN,
  })) {
    const { shopId, name: dataRequestId } = dueTask;
    const request = await complianceRequests.findDataRequest(shopId, dataRequestId);
    // The request may have been closed and opened again. Then the later opening has its own scheduled task.
    if (request !== undefined && request.receivedAtMs + DATA_REQUEST_ALARM_AFTER_MS <= now()) {
      const daysLeft = Math.floor((request.dueAtMs - now()) / DAY_MS);
      logger.error('data_request.deadline_approached', {
        alarm: 'data_request',
        shopId,
        dataRequestId,
        daysLeft,
      });
      await scheduledTasks.put({ ...dueTask, dueAtMs: now() + DAY_MS });
      alarmCount++;
    }
    await scheduledTasks.remove(dueTask);
  }
  return alarmCount;
}
