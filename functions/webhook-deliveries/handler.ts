/**
 * The worker that delivers webhooks to merchants' endpoints. It runs every minute, and within seconds of a change (see
 * run-deliveries.ts).
 */
import { readEnvironment } from '../../lib/config/environment.ts';
import { composeWebhookDeliveries } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { runDeliveries } from './run-deliveries.ts';

const deps = composeWebhookDeliveries(readEnvironment());

export const handler = (event: unknown): Promise<void> =>
  runDeliveries(deps, event).finally(deps.closeConnections);
