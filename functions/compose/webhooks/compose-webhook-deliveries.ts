/** The real parts of the worker that delivers to merchants' endpoints are put together here. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { currentTraceId } from '../../../lib/config/trace-id.ts';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';
import { createWakeMarks, type WakeMarks } from '../../../lib/storage/wakes/wake-marks.ts';
import { composeSdkStorage } from '../compose-sdk-storage.ts';
import type { Storage } from '../compose-storage.ts';

type DeliveryDeps = Storage & {
  readonly now: () => number;
  readonly logger: Logger;
  readonly wakeMarks: WakeMarks;
};

/** The parts that one container works with. */
export function composeWebhookDeliveries(environment: Environment): DeliveryDeps {
  const now = Date.now;
  const storage = composeSdkStorage(environment);
  const logger = createLogger({
    ...{ functionName: 'webhook-deliveries', level: environment.logLevel, traceId: currentTraceId },
    metrics: { namespace: environment.secretsPrefix, now },
  });
  return { ...storage, now, logger, wakeMarks: createWakeMarks({ ...storage, now, newId: randomUUID }) };
}
