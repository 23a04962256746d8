/** What `store install` and `store update` do about a store's webhooks: its app's client secret, and how they come. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { isClientSecret } from '../../../lib/storage/client-secrets.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { failureText } from '../../../lib/stores/checks/failure-text.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { keepClientSecret } from '../../../lib/stores/webhooks/keep-client-secret.ts';
import {
  recordWebhookWay,
  registerWebhooks,
  unregisterWebhooks,
} from '../../../lib/stores/webhooks/register-webhooks.ts';
import { type Run, textOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import { readSecretText } from '../../read-credentials.ts';
import { webhooksUri } from './store-webhooks.ts';

export const webhookOptions: Readonly<Record<string, string>> = {
  '--client-secret <file>': "the app's client secret, which signs webhooks; - reads standard input",
  '--webhooks <way>': "api: register them here; toml: the app's TOML names them (store webhooks --toml)",
};

export type WebhookOptions = {
  readonly clientSecret: string | undefined;
  /** Undefined: nothing is registered, and nothing taken back. */
  readonly way: 'api' | 'toml' | undefined;
};

/** An operator waits so long for it. */
const MAX_MS = 60_000;

/** The wish of a command. `known`: a client secret that other credentials hold. OperatorError. */
export async function readWebhookOptions(run: Run, known?: string): Promise<WebhookOptions> {
  const source = textOption(run.options, 'clientSecret');
  if (source === '-' && run.options.credentials === '-')
    throw new OperatorError(
      'Give one of --credentials and --client-secret in a file: standard input is one.',
      2,
    );
  const given = source === undefined ? undefined : await readSecretText(source, run.terminal);
  if (given !== undefined && !isClientSecret(given))
    throw new OperatorError('This is no client secret: it has 32 characters or more, and no blank.', 2);
  // Whether that of an app is good the platform says.
  const clientSecret = given ?? (isClientSecret(known) ? known : undefined);
  const way = textOption(run.options, 'webhooks');
  if (way === undefined || way === 'api' || way === 'toml') return { clientSecret, way };
  throw new OperatorError('--webhooks takes api or toml.', 2);
}

/** The names of what would change. */
export function requestedChanges({ clientSecret, way }: WebhookOptions): string[] {
  return [
    ...(clientSecret === undefined ? [] : ['clientSecret']),
    ...(way === undefined ? [] : ['webhooks']),
  ];
}

/**
 * Does it, and tells what is lacking afterwards. Without a way named, those of a store that is installed, or has a new client
 * secret, come as before, else by the API. Without a secret none do: nobody could tell them from forged ones. The platform's failures are
 * findings: the store is as it was, and the command can be repeated.
 */
export async function changeWebhooks(
  run: Run,
  store: StoreRecord,
  { clientSecret, way: requestedWay, isInstall = false }: WebhookOptions & { readonly isInstall?: boolean },
): Promise<StoreFinding[]> {
  const { operator } = run;
  const { shopId } = store;
  if (clientSecret !== undefined) await keepClientSecret(operator, { shopId, clientSecret });
  const stored = (await operator.stores.find(shopId)) ?? store;
  if (stored.webhooksVersionId === undefined)
    return requestedWay === undefined
      ? []
      : [missingWebhooks('no client secret', 'Run store update --client-secret FILE.')];
  const isDue = operator.target.baseUrl !== undefined && (isInstall || clientSecret !== undefined);
  const way = requestedWay ?? (isDue ? (stored.webhookWay?.by ?? 'api') : undefined);
  return way === undefined ? [] : comeBy(run, stored, way);
}

/** The store's webhooks come this way from now on; nothing is left at an address of before. */
async function comeBy(run: Run, store: StoreRecord, way: 'api' | 'toml'): Promise<StoreFinding[]> {
  const { operator } = run;
  operator.progress(way === 'api' ? 'Registering webhooks' : 'Taking back registered webhooks');
  const uri = webhooksUri(run);
  const place = { store, uri, endAtMs: operator.now() + MAX_MS };
  const before = store.webhookWay?.uri ?? uri;
  try {
    if (way === 'toml' || before !== uri) await unregisterWebhooks(operator, { ...place, uri: before });
    await recordWebhookWay(operator.table, store, { by: way, uri });
    const refused = way === 'api' ? (await registerWebhooks(operator, place)).refused : [];
    await createWorkQueue({ ...operator, newId: randomUUID }).enqueue('store-events', store.shopId);
    return refused.map(({ topic, reason }) => missingWebhooks(`${topic}: ${reason}`, 'See store check.'));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [missingWebhooks(failureText(error), 'Run store update --webhooks again.')];
  }
}

function missingWebhooks(found: string, fix: string): StoreFinding {
  return { name: 'Webhooks', state: 'missing', found, fix };
}
