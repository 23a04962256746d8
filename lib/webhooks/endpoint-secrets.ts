/**
 * An endpoint's secrets are stored in its item, sealed with a separate key ring: the functions that configure
 * endpoints cannot issue customers' tokens.
 */
import { openSealedBox, type SealDeps, sealText } from '../credentials/sealed-box.ts';
import type { TokenKeys } from '../credentials/token-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type EndpointRecord, type EndpointSlot, endpointKey, type SealedSecret } from './endpoints.ts';
import { parseWebhookSecret, type WebhookSecret } from './webhook-secret.ts';

/** The ring's name among the environment's secrets. */
export const WEBHOOK_KEY_RING_NAME = 'webhook-keys';

/**
 * How long a replaced secret still signs together with the new one.
 * @internal A test moves the clock over it.
 */
export const REPLACED_SECRET_LIFETIME_MS = 86_400_000;

type Deps = SealDeps & { readonly now: () => number };

/**
 * Seals the secret for the endpoint.
 * @throws TEMPORARILY_UNAVAILABLE without the ring
 */
export async function sealEndpointSecret(
  deps: Deps,
  slot: EndpointSlot,
  secret: WebhookSecret,
): Promise<SealedSecret> {
  return { box: await sealText(deps, endpointSealContext(slot), secret), createdAtMs: deps.now() };
}

/** Returns the endpoint's secrets with a new one: the previous one still signs for a day. */
export function withNewEndpointSecret(
  { secrets: [newest] }: Pick<EndpointRecord, 'secrets'>,
  secret: SealedSecret,
): SealedSecret[] {
  if (newest === undefined) return [secret];
  return [secret, { ...newest, notAfterMs: secret.createdAtMs + REPLACED_SECRET_LIFETIME_MS }];
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
    const text = await openSealedBox(tokenKeys, endpointSealContext(endpoint), box);
    const secret = text === undefined ? undefined : parseWebhookSecret(text);
    if (secret !== undefined) openedSecrets.push(secret);
  }
  const [newest, ...others] = openedSecrets;
  if (newest !== undefined) return [newest, ...others];
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'no secret of the endpoint opens' });
}

/** The context includes the endpoint's id, so a new endpoint in the same slot cannot open the old one's secrets. */
function endpointSealContext(slot: EndpointSlot) {
  return { shopId: slot.shopId, ...endpointKey(slot), attribute: `secrets/${slot.id}` };
}
