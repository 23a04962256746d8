/**
 * Runs the service's functions from their sources in this process, with the emulators of `npm start`, so that every
 * function of a request can be observed.
 */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { HttpResult } from '../../lib/http/exchange.ts';
import { buildLambdaEnvironment } from '../../sandbox/aws/build-lambda-environment.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import { startSecretsManagerEmulator } from '../../sandbox/aws/secrets-manager/secrets-manager.ts';
import { startDynamoDbEmulator } from '../../sandbox/aws/start-dynamodb.ts';
import { createMovableClock } from '../../sandbox/clock/movable-clock.ts';
import { createStackSecrets } from '../../sandbox/local/create-stack-secrets.ts';
import { installDemoStores } from '../../sandbox/local/install-demo-stores.ts';
import { startPlatform } from '../../sandbox/platform/platform.ts';
import { completeSignInPages } from '../../sandbox/sign-in-pages.ts';
import { context, httpEvent } from '../http-event.ts';

const TABLE_NAME = 'walks';
const SECRETS_PREFIX = 'subscriptions/walks';

export type FunctionName = 'customer-graphql' | 'admin-graphql' | 'headless-auth' | 'scheduled-work';
type Handler = (event: unknown, context: unknown) => Promise<HttpResult>;
type Json = { readonly [name: string]: Json } & string;
type Sent = { readonly method?: string; readonly headers?: Record<string, string> };

export type WalkWorld = Awaited<ReturnType<typeof createWalkWorld>>;

/** Starts the emulators and installs the demo stores; the functions are loaded at their first call. */
export async function createWalkWorld() {
  await using parts = new AsyncDisposableStack();
  const clock = createMovableClock();
  const dynamoDb = await startDynamoDbEmulator({ tableName: TABLE_NAME, path: undefined });
  parts.defer(() => dynamoDb.close());
  const secretsManager = await startSecretsManagerEmulator({ path: undefined, now: clock.now });
  parts.defer(() => secretsManager.close());
  const platform = await startPlatform({ port: 0, clock });
  parts.defer(() => platform.close());
  const client = new SecretsManagerClient(emulatorClientSettings(secretsManager.url));
  await createStackSecrets(client, SECRETS_PREFIX);
  client.destroy();
  const places = {
    dynamoDbUrl: dynamoDb.url,
    secretsManagerUrl: secretsManager.url,
    tableName: TABLE_NAME,
    secretsPrefix: SECRETS_PREFIX,
    platformOrigin: `${platform.url}/{shop}`,
  };
  const stores = await installDemoStores({ ...places, stores: platform.stores, savedKeys: {} });
  const store = firstOf(stores);
  const customer = firstOf(platform.customers);
  setEnvironment(places);

  async function handlerOf(name: FunctionName): Promise<Handler> {
    return ((await import(`../../functions/${name}/handler.ts`)) as { handler: Handler }).handler;
  }

  /**
   * Sends JSON to a function and returns the JSON of its response.
   * @throws Error when the response is an error.
   */
  async function send(
    name: FunctionName,
    path: string,
    body: object,
    { method = 'POST', headers }: Sent = {},
  ) {
    const handler = await handlerOf(name);
    const sent = { 'content-type': 'application/json', ...headers };
    const event = httpEvent({ method, path, headers: sent, body: JSON.stringify(body) });
    const { statusCode, body: text = '' } = await handler(event, context);
    const json = JSON.parse(text) as Json;
    if (statusCode !== 200 || json.errors) throw new Error(`${path} answered ${statusCode} ${text}`);
    return json;
  }

  async function signInToCode() {
    const started = await send('headless-auth', '/headless-auth/start', { shop: store.shop });
    const { authUrl = '', verifier, nonce } = started as Record<string, string>;
    const mailbox = `${platform.url}/_control/one-time-code?email=${encodeURIComponent(customer.email)}`;
    const readCode = async () => ((await (await fetch(mailbox)).json()) as { code: string }).code;
    const callback = await completeSignInPages({
      authUrl,
      email: customer.email,
      readCode,
      onPage: () => undefined,
    });
    return { shop: store.shop, code: new URL(callback).searchParams.get('code'), verifier, nonce };
  }

  let session: Promise<string> | undefined;
  async function signIn(): Promise<string> {
    const pair = await send('headless-auth', '/headless-auth/exchange', await signInToCode());
    return `Bearer ${pair.accessToken}`;
  }

  const owned = parts.move();
  return {
    clock,
    places,
    store,
    contracts: platform.contracts,
    customerGid: `gid://platform/Customer/${customer.id}`,
    send,
    signInToCode,
    /** The header of the one session that the customer has. */
    authorization: () => (session ??= signIn()),
    runScheduledWork: async () => (await handlerOf('scheduled-work'))({}, context),
    close: () => owned.disposeAsync(),
  };
}

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('The platform has no store.');
  return first;
}

function setEnvironment(
  places: Readonly<Record<'dynamoDbUrl' | 'secretsManagerUrl' | 'platformOrigin', string>>,
) {
  Object.assign(process.env, {
    TABLE_NAME,
    SECRETS_PREFIX,
    PLATFORM_ORIGIN: places.platformOrigin,
    LOG_LEVEL: 'ERROR',
    // No function's environment, because one process runs all functions.
    ...buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }),
    AWS_ENDPOINT_URL_DYNAMODB: places.dynamoDbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: places.secretsManagerUrl,
  });
}
