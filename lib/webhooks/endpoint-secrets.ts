/**
 * The secrets of an endpoint. They are stored in its item, sealed with a key ring of their own, so that the functions which
 * configure endpoints have no keys for customers' tokens.
 */
import { openSealedBox, type SealDeps, sealText } from '../credentials/sealed-box.ts';
import type { TokenKeys } from '../credentials/token-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type EndpointRecord, type EndpointSlot, endpointKey, type SealedSecret } from './endpoints.ts';
import { parseWebhookSecret, type WebhookSecret } from './webhook-secret.ts';

/** The name of the endpoints' key ring among the environment's secrets. */
export const WEBHOOK_KEY_RING_NAME = 'webhook-keys';

/**
 * How long a replaced secret still signs together with the new one.
 * @internal A test moves the clock over it.
 */
export const REPLACED_SECRET_LIFETIME_MS = 86_400_000;

type Deps = SealDeps & { readonly now: () => number };

/**
 * Seals a secret for the endpoint in a slot.
 * @throws TEMPORARILY_UNAVAILABLE when the key ring cannot be read
 */
export async function sealEndpointSecret(
  deps: Deps,
  slot: EndpointSlot,
  secret: WebhookSecret,
): Promise<SealedSecret> {
  return { box: await sealText(deps, endpointSealContext(slot), secret), createdAtMs: deps.now() };
}

/** Returns the endpoint's secrets after a rotation: the new secret, and the previous one, which still signs for a day. */
export function withNewEndpointSecret(
  { secrets: [newestSecret] }: Pick<EndpointRecord, 'secrets'>,
  secret: SealedSecret,
): SealedSecret[] {
  if (newestSecret === undefined) return [secret];
  return [secret, { ...newestSecret, notAfterMs: secret.createdAtMs + REPLACED_SECRET_LIFETIME_MS }];
}

/**
 * Returns the currently valid secrets, the newest first.
 * @throws TEMPORARILY_UNAVAILABLE when none can be opened
 */
export async function openEndpointSecrets(
  { tokenKeys, now }: { readonly tokenKeys: TokenKeys; readonly now: () => number },
  endpoint: EndpointRecord,
): Promise<[WebhookSecret, ...WebhookSecret[]]> {
  const openedSecrets: WebhookSecret[] = [];
  for (const { box, notAfterMs } of endpoint.secrets) {
    if (notAfterMs !== undefined && notAfterMs <= now()) continue;
    const openedText = await openSealedBox(tokenKeys, endpointSealContext(endpoint), box);
    const secret = openedText === undefined ? undefined : parseWebhookSecret(openedText);
    if (secret !== undefined) openedSecrets.push(secret);
  }
  const [newestSecret, ...olderSecrets] = openedSecrets;
  if (newestSecret !== undefined) return [newestSecret, ...olderSecrets];
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'no secret of the endpoint opens' });
}

/** The context includes the endpoint's id, so a new endpoint in the same slot cannot open the old one's secrets. */
function endpointSealContext(slot: EndpointSlot) {
  return { shopId: slot.shopId, ...endpointKey(slot), attribute: `secrets/${slot.id}` };
}
