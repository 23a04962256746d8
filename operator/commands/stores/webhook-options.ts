/**
 * The webhook options of `store install` and `store update`: the app's client secret, and how webhooks are registered.
 */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { isClientSecret } from '../../../lib/storage/client-secrets.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { errorTextOfFinding } from '../../../lib/stores/checks/error-text-of-finding.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import {
  recordWebhookRegistrationMethod,
  registerWebhooks,
  unregisterWebhooks,
} from '../../../lib/stores/webhooks/register-webhooks.ts';
import { storeClientSecret } from '../../../lib/stores/webhooks/store-client-secret.ts';
import { type CommandRun, findTextOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import { readSecretText } from '../../read-credentials.ts';
import { formatWebhooksUri } from './store-webhooks.ts';

export const WEBHOOK_OPTIONS: Readonly<Record<string, string>> = {
  '--client-secret <file>': "the app's client secret, which signs webhooks; - reads standard input",
  '--webhooks <way>':
    "api: register them with the API; toml: the app's TOML registers them (store webhooks --toml)",
};

export type WebhookOptions = {
  readonly clientSecret: string | undefined;
  /** How webhooks are registered; undefined to leave the registrations as they are. */
  readonly way: 'api' | 'toml' | undefined;
};

/** The longest time that an operator waits for the registration. */
const MAX_REGISTRATION_WAIT_MS = 60_000;

/**
 * Reads the webhook options. `clientSecretOfCredentials` is used if no option gives a client secret.
 * @throws OperatorError when an option is invalid
 */
export async function parseWebhookOptions(
  run: CommandRun,
  clientSecretOfCredentials?: string,
): Promise<WebhookOptions> {
  const secretSource = findTextOption(run.options, 'clientSecret');
  if (secretSource === '-' && run.options.credentials === '-')
    throw new OperatorError(
      'Only one of --credentials and --client-secret can read standard input. Give the other in a file.',
      2,
    );
  const secretText =
    secretSource === undefined ? undefined : await readSecretText(secretSource, run.terminal);
  if (secretText !== undefined && !isClientSecret(secretText))
    throw new OperatorError(
      'This is not a client secret, which has at least 32 characters and no spaces.',
      2,
    );
  // Only the platform can verify a secret from an app's credentials.
  const clientSecret =
    secretText ?? (isClientSecret(clientSecretOfCredentials) ? clientSecretOfCredentials : undefined);
  const way = findTextOption(run.options, 'webhooks');
  if (way === undefined || way === 'api' || way === 'toml') return { clientSecret, way };
  throw new OperatorError('--webhooks must be api or toml.', 2);
}

/** Returns the names of the settings that would change. */
export function listRequestedSettings({ clientSecret, way }: WebhookOptions): string[] {
  return [
    ...(clientSecret === undefined ? [] : ['clientSecret']),
    ...(way === undefined ? [] : ['webhooks']),
  ];
}

/**
 * Changes the webhooks and returns findings for failed steps. By default, a store that is installed or has a new client
 * secret keeps its way of registration, otherwise the API is used. Without a client secret nothing is registered,
 * because forged webhooks could not be detected. A failure of the platform is a finding: the store is unchanged, and
 * the operator can repeat the command.
 */
export async function changeWebhooks(
  run: CommandRun,
  store: StoreRecord,
  { clientSecret, way: requestedWay, isInstall = false }: WebhookOptions & { readonly isInstall?: boolean },
): Promise<StoreFinding[]> {
  const { operator } = run;
  const { shopId } = store;
  if (clientSecret !== undefined) await storeClientSecret(operator, { shopId, clientSecret });
  const storedStore = (await operator.stores.find(shopId)) ?? store;
  if (storedStore.webhooksVersionId === undefined)
    return requestedWay === undefined
      ? []
      : [createMissingWebhooksFinding('no client secret', 'Run store update --client-secret FILE.')];
  const isDue = operator.target.baseUrl !== undefined && (isInstall || clientSecret !== undefined);
  const way = requestedWay ?? (isDue ? (storedStore.webhookWay?.by ?? 'api') : undefined);
  return way === undefined ? [] : registerWebhooksInWay(run, storedStore, way);
}

/** Registers the store's webhooks in the given way, and removes registrations at earlier addresses. */
async function registerWebhooksInWay(
  run: CommandRun,
  store: StoreRecord,
  way: 'api' | 'toml',
): Promise<StoreFinding[]> {
  const { operator } = run;
  operator.progress(way === 'api' ? 'Registering webhooks' : 'Removing registered webhooks');
  const uri = formatWebhooksUri(run);
  const registrationTarget = { store, uri, endAtMs: operator.now() + MAX_REGISTRATION_WAIT_MS };
  const uriBefore = store.webhookWay?.uri ?? uri;
  try {
    if (way === 'toml' || uriBefore !== uri)
      await unregisterWebhooks(operator, { ...registrationTarget, uri: uriBefore });
    await recordWebhookRegistrationMethod(operator.table, store, { by: way, uri });
    const refusedRegistrations =
      way === 'api' ? (await registerWebhooks(operator, registrationTarget)).refused : [];
    await createWorkQueue({ ...operator, newId: randomUUID }).enqueue('store-events', store.shopId);
    return refusedRegistrations.map(({ topic, reason }) =>
      createMissingWebhooksFinding(`${topic}: ${reason}`, 'See store check.'),
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [createMissingWebhooksFinding(errorTextOfFinding(error), 'Run store update --webhooks again.')];
  }
}

function createMissingWebhooksFinding(found: string, fix: string): StoreFinding {
  return { name: 'Webhooks', state: 'missing', found, fix };
}
