/**
 * An endpoint's secrets lie in its item, sealed under a ring of keys that is used for nothing else: whoever configures
 * endpoints can make no tokens of customers.
 */
import { open, type SealDeps, seal } from '../credentials/seal.ts';
import type { TokenKeys } from '../credentials/token-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type EndpointPlace, type EndpointRecord, endpointKey, type SealedSecret } from './endpoints.ts';
import { parseWebhookSecret, type WebhookSecret } from './webhook-secret.ts';

/** The name of the ring among the environment's secrets. */
export const WEBHOOK_KEYS = 'webhook-keys';

/**
 * A secret that was replaced signs for so long beside the new one.
 * @internal A test moves the clock over it.
 */
export const OVERLAP_MS = 86_400_000;

type Deps = SealDeps & { readonly now: () => number };

/** The secret in a box for the endpoint. TEMPORARILY_UNAVAILABLE without the ring. */
export async function sealSecret(
  deps: Deps,
  place: EndpointPlace,
  secret: WebhookSecret,
): Promise<SealedSecret> {
  return { box: await seal(deps, boxPlace(place), secret), createdAtMs: deps.now() };
}

/** The secrets once there is a new one: what signed until now goes on for a day. */
export function withNewSecret(
  { secrets: [newest] }: Pick<EndpointRecord, 'secrets'>,
  secret: SealedSecret,
): SealedSecret[] {
  if (newest === undefined) return [secret];
  return [secret, { ...newest, notAfterMs: secret.createdAtMs + OVERLAP_MS }];
}

/** The secrets that sign now, the newest first. TEMPORARILY_UNAVAILABLE: none of them opens. */
export async function openSecrets(
  { tokenKeys, now }: { readonly tokenKeys: TokenKeys; readonly now: () => number },
  endpoint: EndpointRecord,
): Promise<[WebhookSecret, ...WebhookSecret[]]> {
  const opened: WebhookSecret[] = [];
  for (const { box, notAfterMs } of endpoint.secrets) {
    if (notAfterMs !== undefined && notAfterMs <= now()) continue;
    const text = await open(tokenKeys, boxPlace(endpoint), box);
    const secret = text === undefined ? undefined : parseWebhookSecret(text);
    if (secret !== undefined) opened.push(secret);
  }
  const [newest, ...others] = opened;
  if (newest !== undefined) return [newest, ...others];
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'no secret of the endpoint opens' });
}

/** An endpoint that takes the place of one that is gone opens none of its boxes. */
function boxPlace(place: EndpointPlace) {
  return { shopId: place.shopId, ...endpointKey(place), attribute: `secrets/${place.id}` };
}
