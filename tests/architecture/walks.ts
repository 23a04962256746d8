/** The requests whose paths are measured: each prepares its data and sends one request. */
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseShopId } from '../../lib/domain/shop-id.ts';
import { type OneTimeLinkSecret, oneTimeLinkProofOf } from '../../lib/domain/tokens/one-time-link-secret.ts';
import { createOneTimeLinkRepository } from '../../lib/storage/one-time-links.ts';
import { createSdkSecretsClient } from '../../lib/storage/sdk-client/sdk-secrets.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import { createStoreRepository } from '../../lib/storage/stores.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { issueAdminKey } from '../../lib/stores/admin-keys/issue-admin-key.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import { installShiftedDate, setClockOffset } from '../../sandbox/clock/shifted-date.mjs';
import type { WalkWorld } from './walk-world.ts';

type Request = () => Promise<unknown>;
/** Prepares one request; called again for the next. */
type Walk = (world: WalkWorld) => Promise<Request>;

const GRAPHQL = '/api/storefront/unstable/graphql.json';
const HOUR_MS = 3_600_000;
const QUERY = `query ($id: ID!) { customer(id: $id) { subscriptionContracts(first: 3) {
  nodes { id status nextBillingDate lines(first: 3) { nodes { id title quantity } } }
} } }`;
const SKIP = `mutation ($id: ID!, $skip: Boolean!) {
  subscriptionBillingCycleSkip(contractId: $id, billingCycleIndex: 15, skip: $skip) {
    billingCycle { cycleIndex skipped } userErrors { message }
  }
}`;
const PAUSE = `mutation ($id: ID!, $until: DateTime!) {
  subscriptionContractPause(subscriptionContractId: $id, until: $until) { userErrors { message } }
}`;

async function ask(world: WalkWorld, query: string, variables: object): Promise<Request> {
  const headers = { authorization: await world.authorization() };
  return async () => {
    const answer = await world.send('customer-graphql', GRAPHQL, { query, variables }, { headers });
    if (/"userErrors":\[\{/.test(JSON.stringify(answer))) throw new Error(JSON.stringify(answer));
  };
}

/** Skips and restores an order alternately: each is a change. */
const skipOrUndo = (() => {
  let skip = false;
  return (world: WalkWorld) => {
    skip = !skip;
    return ask(world, SKIP, { id: world.contracts[0], skip });
  };
})();

/** Moves the clock past a pause's end; all later requests have that time. */
const resumeLater = (() => {
  let hours = 0;
  return async (world: WalkWorld): Promise<Request> => {
    installShiftedDate();
    world.clock.onMove(({ offsetMs }) => setClockOffset(offsetMs));
    const until = new Date(world.clock.now() + HOUR_MS).toISOString();
    await (await ask(world, PAUSE, { id: world.contracts[hours++], until }))();
    await world.clock.advance((2 * HOUR_MS) / 1000);
    return world.runScheduledWork;
  };
})();

async function issueKey({ places, store }: WalkWorld) {
  const dynamoDb = new DynamoDBClient(emulatorClientSettings(places.dynamoDbUrl));
  const secretsManager = new SecretsManagerClient(emulatorClientSettings(places.secretsManagerUrl));
  const { tableName, secretsPrefix } = places;
  const table = createSdkTableClient({ client: dynamoDb, tableName });
  const secrets = createSdkSecretsClient({ client: secretsManager });
  const shopId = parseShopId(store.shopId);
  if (shopId === undefined) throw new Error('The store has no id.');
  const deps = {
    table,
    secrets,
    secretsPrefix,
    stores: createStoreRepository({ table }),
    links: createOneTimeLinkRepository({ table }),
    readVersion: createVersionReader({ secrets, secretsPrefix }),
    logger: { info: () => undefined },
    now: Date.now,
    random: (bytes: number) => randomBytes(bytes),
  };
  const issued = await issueAdminKey(deps, { shopId, label: 'walk', intendedUse: 'walk', createdBy: 'walk' });
  dynamoDb.destroy();
  secretsManager.destroy();
  return issued;
}

export const WALKS = {
  "a customer's query": (world) => ask(world, QUERY, { id: world.customerGid }),
  'the exchange of a code': async (world) => {
    const body = await world.signInToCode();
    return () => world.send('headless-auth', '/headless-auth/exchange', body);
  },
  'an own mutation': skipOrUndo,
  'a key claim': async (world) => {
    const { linkId, fragment } = await issueKey(world);
    const claimId = randomBytes(16).toString('base64url');
    const body = {
      claimId,
      proof: oneTimeLinkProofOf(fragment as OneTimeLinkSecret),
      domain: world.store.shop,
    };
    return () => world.send('admin-graphql', `/admin-keys/claim/${linkId}`, body);
  },
  // Last, for it moves the clock.
  'a scheduled resume': resumeLater,
} as const satisfies Record<string, Walk>;

export type WalkName = keyof typeof WALKS;
