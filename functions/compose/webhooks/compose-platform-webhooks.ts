/** The real parts of the function that takes the platform's webhooks are put together here. */
import type { Environment } from '../../../lib/config/environment.ts';
import { currentTraceId } from '../../../lib/config/trace-id.ts';
import { createLogger, type Logger } from '../../../lib/observability/logger.ts';

type PlatformWebhooksDeps = { readonly now: () => number; readonly logger: Logger };

/** The parts that one container works with. */
export function composePlatformWebhooks({ secretsPrefix, logLevel }: Environment): PlatformWebhooksDeps {
  const now = Date.now;
  const logger = createLogger({
    ...{ functionName: 'platform-webhooks', level: logLevel, traceId: currentTraceId },
    metrics: { namespace: secretsPrefix, now },
  });
  return { now, logger };
}
