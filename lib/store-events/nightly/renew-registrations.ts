/** The platform deletes what was registered by the API after eight failures: once a night it is made again. */
import { ServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { registerWebhooks } from '../../stores/webhooks/register-webhooks.ts';
import type { ReadDeps, ReadRun } from '../contracts/look-at-contracts.ts';

type Deps = Pick<ReadDeps, 'sendWithinBudget'> & { readonly logger: Pick<Logger, 'warn'> };

/** Registers what is missing of a store whose webhooks are registered by the API. A refusal of the platform is logged. */
export async function renewRegistrations(deps: Deps, { store, endAtMs }: ReadRun): Promise<void> {
  const { shopId, webhookWay } = store;
  if (webhookWay?.by !== 'api') return;
  try {
    const { made } = await registerWebhooks(deps, { store, uri: webhookWay.uri, endAtMs });
    if (made.length > 0) deps.logger.warn('webhooks were registered again', { shopId, count: made.length });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'TEMPORARILY_UNAVAILABLE') throw error;
    deps.logger.warn('webhooks cannot be registered', { shopId, code: error.code });
  }
}
