/** Registers the merchant's server of the local stack as the first store's webhook endpoint, as a merchant would. */
import { randomBytes, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createTokenKeyReader } from '../../../lib/credentials/token-keys.ts';
import { parseShopId } from '../../../lib/domain/shop-id.ts';
import { createSdkSecretsClient } from '../../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { readLastStreamRecord } from '../../../lib/storage/stream/read-stream.ts';
import { sealEndpointSecret, WEBHOOK_KEY_RING_NAME } from '../../../lib/webhooks/endpoint-secrets.ts';
import { createEndpointRepository, type EndpointId } from '../../../lib/webhooks/endpoints.ts';
import type { EndpointUrl } from '../../../lib/webhooks/guard-address.ts';
import { createWebhookSecret } from '../../../lib/webhooks/webhook-secret.ts';
import { emulatorClientSettings } from '../../aws/local-client-settings.ts';

type InstallEndpointOptions = {
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
  readonly shopId: number;
  readonly url: string;
};

const ENDPOINT_DESCRIPTION = 'The server of npm start';

/** Creates the endpoint, or updates its address if an earlier run has created it. Returns its secret. */
export async function installDemoEndpoint(options: InstallEndpointOptions): Promise<string> {
  const { secretsPrefix, tableName } = options;
  const shopId = parseShopId(options.shopId);
  if (shopId === undefined) throw new Error('The platform has a store that the service cannot take.');
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(options.dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(options.secretsManagerUrl));
  const [table, now] = [createSdkTableClient({ client: dynamoDb, tableName }), Date.now];
  const secretsClient = createSdkSecretsClient({ client: secretsManager });
  const logger = { error: () => undefined };
  const tokenKeys = createTokenKeyReader({
    secrets: secretsClient,
    secretsPrefix,
    ringName: WEBHOOK_KEY_RING_NAME,
    now,
    logger,
  });
  const createRandomBytes = (bytes: number) => randomBytes(bytes);
  const secret = createWebhookSecret(createRandomBytes);
  const sealSecret = (sealContext: Parameters<typeof sealEndpointSecret>[1]) =>
    sealEndpointSecret({ tokenKeys, random: createRandomBytes, now }, sealContext, secret);
  const endpoints = createEndpointRepository({ table, now, newId: randomUUID });
  const url = options.url as EndpointUrl;
  const storedEndpoint = (await endpoints.list(shopId)).find(
    ({ description }) => description === ENDPOINT_DESCRIPTION,
  );
  if (storedEndpoint !== undefined)
    await endpoints.configure(storedEndpoint, { url, secrets: [await sealSecret(storedEndpoint)] });
  else {
    const id = randomUUID().replaceAll('-', '') as EndpointId;
    const startsAt = ((await readLastStreamRecord({ table }, shopId))?.number ?? -1) + 1;
    const endpointFields = { id, shopId, url, description: ENDPOINT_DESCRIPTION, types: null, startsAt };
    await endpoints.create({ ...endpointFields, sealSecret });
  }
  dynamoDb.destroy();
  secretsManager.destroy();
  return secret;
}
