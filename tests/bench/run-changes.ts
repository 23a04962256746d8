/**
 * A change and a refresh, as they are deployed, now and before: on a local stack with its emulated platform, table and
 * secrets, each container a process of its own.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionName } from '../../infra/definition/function-definitions.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { createSdkTableClient } from '../../lib/storage/sdk-client/sdk-table.ts';
import { storeItemKey, storePartItemKey } from '../../lib/storage/stores.ts';
import { buildLambdaEnvironment } from '../../sandbox/aws/build-lambda-environment.ts';
import { emulatorClientSettings } from '../../sandbox/aws/local-client-settings.ts';
import {
  CUSTOMER_PATH,
  CYCLES_QUERY,
  SKIP_MUTATION,
  SUBSCRIPTIONS_QUERY,
} from '../../sandbox/demo/operations.ts';
import { buildFunctionEnvironment } from '../../sandbox/local/start-functions.ts';
import { buildFunctions } from '../../tools/build/build-functions.ts';
import { askOnce, signIn, type Tokens } from '../contract/world/service-client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { buildEarlier } from './builds/earlier-build.ts';
import { apiEvent } from './fixtures.ts';
import { type Container, type Contender, runContainers } from './run-containers.ts';

type Compared = { readonly now: readonly Container[]; readonly before: readonly Container[] };
/** Undefined where the clone does not have the commit to compare with. */
export type Changes = { readonly skip: Compared; readonly refresh: Compared } | undefined;

type Sizes = {
  readonly containers: number;
  readonly maximum: number;
  readonly print: (text: string) => void;
};
type Work = Omit<Contender, 'bundle' | 'env'> & { readonly functionName: FunctionName };

const DAY_MS = 86_400_000;

/** Starts all processes, measures, and stops them. */
export async function runChanges(sizes: Sizes): Promise<Changes> {
  sizes.print('building the functions of the commit before');
  const before = buildEarlier();
  if (before === undefined) return undefined;
  const stack = await startTestStack();
  try {
    await enlargeBucket(stack);
    await layGrantAsBefore(stack);
    const now = await buildFunctions();
    const tokens = await signIn(stack, stack.customers[0]?.email ?? '');
    const compare = (work: Work) => {
      const { functionName, ...contender } = work;
      const env = environment(stack, functionName);
      const of = (bundle: string): Contender => ({ ...contender, env, bundle });
      const contenders = {
        now: of(now.functions[functionName].path),
        before: of(before.pathOf(functionName)),
      };
      return runContainers({ ...sizes, contenders, until: 'to200' });
    };
    return {
      skip: await compare(await skips(stack, tokens)),
      refresh: await compare(refreshes(stack, tokens)),
    };
  } finally {
    await stack.stop();
    before.remove();
  }
}

/** Sets a bucket so large that no request waits. */
async function enlargeBucket({ platformUrl, shop }: TestStack): Promise<void> {
  const throttle = { maximumAvailable: 2e9, restoreRate: 1e8 };
  const response = await fetch(`${platformUrl}/_control/settings`, {
    method: 'POST',
    body: JSON.stringify({ shop, throttle }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** The earlier commit reads the grant's version from the store item. Today's functions accept it there too. */
async function layGrantAsBefore({ dynamoDbUrl, tableName, shopId }: TestStack): Promise<void> {
  const client = new DynamoDBClient(emulatorClientSettings(dynamoDbUrl));
  const table = createSdkTableClient({ client, tableName });
  const grant = await table.get(storePartItemKey(shopId as ShopId, 'grant'));
  await table.update({
    key: storeItemKey(shopId as ShopId),
    update: 'SET platformVersionId = :version',
    values: { ':version': grant?.platformVersionId },
  });
  client.destroy();
}

function environment(stack: TestStack, name: FunctionName): NodeJS.ProcessEnv {
  return {
    ...buildLambdaEnvironment({ name, memoryMb: 512 }),
    ...buildFunctionEnvironment(name, stack),
    PATH: process.env.PATH,
  };
}

/** A customer skips and restores an order alternately. */
async function skips(stack: TestStack, { accessToken: bearer, customerId }: Tokens): Promise<Work> {
  const query = async (text: string, variables: object) => {
    const answer = await askOnce(stack, 'customer', { bearer, query: text, variables: { ...variables } });
    if (answer.status !== 200) throw new Error(answer.text);
    return (answer.body as { data: never }).data;
  };
  type Listed = { customer: { subscriptionContracts: { nodes: { id: string; status: string }[] } } };
  const listed: Listed = await query(SUBSCRIPTIONS_QUERY, { id: `gid://platform/Customer/${customerId}` });
  const id = listed.customer.subscriptionContracts.nodes.find(({ status }) => status === 'ACTIVE')?.id;
  const [from, to] = [0, 365].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  type Cycles = { subscriptionBillingCycles: { nodes: { cycleIndex: number; skipped: boolean }[] } };
  const cycles: Cycles = await query(CYCLES_QUERY, { id, from, to });
  const index = cycles.subscriptionBillingCycles.nodes.find(({ skipped }) => !skipped)?.cycleIndex;
  // The same is sent again and again, and earlier builds know no keys.
  const withoutKey = SKIP_MUTATION.replace('$key: String!, ', '').replace(' @idempotent(key: $key)', '');
  const events = [true, false].map((skip) =>
    apiEvent({
      path: CUSTOMER_PATH,
      token: bearer,
      body: { query: withoutKey, variables: { id, index, skip } },
    }),
  );
  return { functionName: 'customer-graphql', events, expected: '"userErrors":[]' };
}

/** An app refreshes its tokens, each time with the newest. */
function refreshes({ shop }: TestStack, { customerId, refreshToken }: Tokens): Work {
  return {
    functionName: 'headless-auth',
    events: [apiEvent({ path: '/headless-auth/refresh', body: { shop, customerId } })],
    expected: '"refreshToken"',
    carries: { field: 'refreshToken', retained: { value: refreshToken } },
  };
}
