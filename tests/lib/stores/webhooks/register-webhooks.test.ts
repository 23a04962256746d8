import { expect, test } from '@jest/globals';
import { createSendWithinBudget } from '../../../../lib/platform/admin-api/send-within-budget.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import type { CheckStoreDeps } from '../../../../lib/stores/checks/check-store-deps.ts';
import { checkWebhooks } from '../../../../lib/stores/checks/check-webhooks.ts';
import { registerWebhooks, unregisterWebhooks } from '../../../../lib/stores/webhooks/register-webhooks.ts';
import { TOPICS_TO_REGISTER, topicEnumName } from '../../../../lib/webhooks/in/webhook-registration.ts';
import { createFullAccess } from '../../../../sandbox/platform/state/store-access.ts';
import type { WebhookSubscriptionRecord } from '../../../../sandbox/platform/state/webhook-records.ts';
import { createOperationWorld } from '../../../contract/world/operation-world.ts';
import { store as harbor } from '../../../graphql/world/harness.ts';

const URI = 'https://service.example/platform/webhooks';
const ALL = TOPICS_TO_REGISTER.map(topicEnumName).sort();

function createWorld() {
  const world = createOperationWorld();
  const now = () => world.platform.holder.nowMs;
  const sendWithinBudget = createSendWithinBudget({ send: world.client, now, wait: async () => undefined });
  const place = { store: harbor, uri: URI, endAtMs: now() + 60_000 };
  const there = () => [...(world.platform.store().webhookSubscriptions?.values() ?? [])];
  const check = async (facts: Partial<StoreRecord>) => {
    const store = { ...harbor, webhooksVersionId: 'v1', ...facts };
    const findings = await checkWebhooks(
      { sendAdmin: world.client, now } as unknown as CheckStoreDeps,
      store,
    );
    return findings.map(({ name, state, found }) => `${name}: ${state}, ${found}`);
  };
  return {
    ...world,
    there,
    check,
    topics: () =>
      there()
        .map(({ topic }) => topic)
        .sort(),
    register: () => registerWebhooks({ sendWithinBudget }, place),
    unregister: () => unregisterWebhooks({ sendWithinBudget }, place),
    put: (facts: Partial<WebhookSubscriptionRecord>) => {
      const [first] = there();
      if (first === undefined) throw new Error('nothing is registered');
      const id = 999_000_000;
      world.platform.store().webhookSubscriptions?.set(id, { ...first, id, ...facts });
    },
  };
}

test('every topic is registered once, however often, and what the platform deleted is made again', async () => {
  const { register, topics, there, platform } = createWorld();
  expect(await register()).toEqual({ registeredTopics: TOPICS_TO_REGISTER, refused: [] });
  expect(await register()).toEqual({ registeredTopics: [], refused: [] });
  expect(topics()).toEqual(ALL);
  const [one, other] = there();
  for (const gone of [one, other]) platform.store().webhookSubscriptions?.delete(gone?.id ?? 0);
  expect((await register()).registeredTopics).toHaveLength(2);
  expect(topics()).toEqual(ALL);
  expect(new Set(there().map(({ uri, format, filter }) => `${uri} ${format} ${filter}`))).toEqual(
    new Set([`${URI} JSON null`]),
  );
});

test('one that brings only a part is made anew, and what goes elsewhere stays as it is', async () => {
  const { register, unregister, topics, there, put, check } = createWorld();
  await register();
  const filtered = there().find(({ topic }) => topic === 'SUBSCRIPTION_CONTRACTS_UPDATE');
  Object.assign(filtered ?? {}, { includeFields: ['id'] });
  put({ topic: 'SHOP_UPDATE', uri: 'https://elsewhere.example/hook' });
  const way = { webhookWay: { by: 'api', uri: URI } } as const;
  expect(await check(way)).toEqual([
    'Webhooks: missing, not registered: subscription_contracts/update (they need read_own_subscription_contracts)',
    expect.stringContaining('Compliance webhooks: optional, none: '),
    'Webhooks elsewhere: optional, 1 of the same app go to other addresses: elsewhere.example',
  ]);
  expect((await register()).registeredTopics).toEqual(['subscription_contracts/update']);
  expect((await check(way))[0]).toBe(`Webhooks: ok, ${ALL.length} topics, by the API`);
  expect(await unregister()).toBe(ALL.length);
  expect(topics()).toEqual(['SHOP_UPDATE']);
});

test('a topic without its scope is told, and all others are registered', async () => {
  const { register, topics, platform } = createWorld();
  const store = platform.store();
  const { access = createFullAccess() } = store;
  const scopes = access.scopes.filter((scope) => !scope.endsWith('_customer_payment_methods'));
  store.access = { ...access, scopes };
  const { refused } = await register();
  expect(refused.map(({ topic }) => topic)).toEqual([
    'customer_payment_methods/create',
    'customer_payment_methods/update',
    'customer_payment_methods/revoke',
  ]);
  expect(topics()).toHaveLength(ALL.length - 3);
});

test('a broken connection leaves what was made, and the next try makes the rest', async () => {
  const { register, topics, fail } = createWorld();
  fail({ kind: 'lost after', at: 'webhookSubscriptionCreate', times: 1 });
  await register().catch(() => undefined);
  await register();
  expect(topics()).toEqual(ALL);
});

test('both ways at once are a finding, and so is neither; without a secret there is nothing to find', async () => {
  const { register, check } = createWorld();
  const toml = { webhookWay: { by: 'toml', uri: URI } } as const;
  expect(await check(toml)).toEqual([expect.stringContaining('Webhooks: unseen, ')]);
  await register();
  expect(await check(toml)).toEqual([
    `Webhooks: missing, ${ALL.length} topics are also registered by the API: every webhook comes twice`,
  ]);
  expect(await check({})).toEqual(['Webhooks: missing, none is registered']);
  expect(await check({ webhooksVersionId: undefined } as unknown as Partial<StoreRecord>)).toEqual([]);
});
