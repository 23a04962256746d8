/**
 * The worker that delivers webhooks to merchants' endpoints. It runs every minute, and within seconds of a change (see
 * run-deliveries.ts).
 */
import { readEnvironment } from '../../lib/config/environment.ts';
import { composeWebhookDeliveries } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { withRequestContext } from '../compose/with-request-context.ts';
import { runDeliveries } from './run-deliveries.ts';

const deps = composeWebhookDeliveries(readEnvironment());

export const handler = withRequestContext(deps, (event: unknown) =>
  runDeliveries(deps, event).finally(deps.closeConnections),
);
