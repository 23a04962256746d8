/** Composes the management of merchants' webhook endpoints, for the admin endpoint. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookContext } from '../../graphql/plan/run-context.ts';
import { isLoopbackHost } from '../../lib/config/browser-origin.ts';
import type { Environment } from '../../lib/config/environment.ts';
import { createTokenKeyReader } from '../../lib/credentials/token-keys.ts';
import { WEBHOOK_KEY_RING_NAME } from '../../lib/webhooks/endpoint-secrets.ts';
import { type AddressGuardDeps, resolveHostName } from '../../lib/webhooks/guard-address.ts';
import { createWebhookSender } from '../../lib/webhooks/send-webhook.ts';
import type { StoreAccess } from './compose-store-access.ts';

/**
 * Creates the dependencies. The encryption keys for endpoint secrets are read with the first change that needs them.
 */
export function composeWebhookContext(
  { secretsPrefix, platformOrigin }: Pick<Environment, 'secretsPrefix' | 'platformOrigin'>,
  { secrets, now, logger }: Pick<StoreAccess, 'secrets' | 'now' | 'logger'>,
): WebhookContext {
  const { hostname } = new URL(platformOrigin.replaceAll('{shop}', 'shop'));
  const addressGuard: AddressGuardDeps = {
    resolve: resolveHostName,
    allowsLoopback: isLoopbackHost(hostname),
  };
  return {
    tokenKeys: createTokenKeyReader({ secrets, secretsPrefix, ringName: WEBHOOK_KEY_RING_NAME, now, logger }),
    random: (bytes) => randomBytes(bytes),
    newId: randomUUID,
    guard: addressGuard,
    async send(request, timeoutMs) {
      // Close the connection after each request, because Lambda freezes the container after its response.
      const sender = createWebhookSender({ ...addressGuard, timeoutMs });
      try {
        return await sender.send(request);
      } finally {
        sender.close();
      }
    },
  };
}
