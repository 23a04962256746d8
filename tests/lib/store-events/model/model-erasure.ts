/** The platform requests the erasure of a customer during changes, and the processes that run it crash. */
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import type { createMemoryTable } from '../../../memory-table.ts';
import type { Erasure } from './expected/expected-erased.ts';
import type { Death } from './model-script.ts';
import type { createWebhookQueue } from './model-webhook-queue.ts';

/** Ada, whose the contracts are. */
const CUSTOMER = 7_001_001;
/** The number itself: the number of an entry, which begins with a time, may have its digits by chance. */
const NAMED = new RegExp(`(?<!\\d)${CUSTOMER}(?!\\d)`);
const TOPIC = 'customers/redact';

type Deps = {
  readonly base: ReturnType<typeof createMemoryTable>;
  readonly store: () => StoreState;
  readonly now: () => number;
  readonly webhookQueue: ReturnType<typeof createWebhookQueue>;
  readonly pass: (ms: number) => Promise<void>;
  readonly work: (kind: 'store-events', dies: Death) => Promise<unknown>;
};

export function createErasure({ base, store, now, webhookQueue, pass, work }: Deps) {
  return {
    contracts: (): number[] =>
      [...store().contracts.values()]
        .filter(({ content }) => content.customerId === CUSTOMER)
        .map(({ id }) => id),
    /** The time of the erasure. */
    async erase(dies: Death): Promise<Omit<Erasure, 'known'>> {
      const fromMs = now();
      const { shopId, shop } = store();
      const customer = { id: CUSTOMER, email: 'ada@example.com', phone: null };
      const payload = { shop_id: shopId, shop_domain: shop, customer, orders_to_redact: [] };
      webhookQueue.sendSurely({ topic: TOPIC, payload });
      await webhookQueue.deliver();
      await work('store-events', dies);
      for (let turn = 0; turn < 3 || webhookQueue.holds(TOPIC); turn++) {
        await pass(90_000);
        await webhookQueue.deliver();
        await work('store-events', undefined);
      }
      return { fromMs, doneMs: now() };
    },
    /** The items of the table that name the customer. */
    async named(): Promise<string[]> {
      const { items } = await base.scan({ filter: 'attribute_exists(pk)' });
      return items.map((item) => JSON.stringify(item)).filter((text) => NAMED.test(text));
    },
  };
}
