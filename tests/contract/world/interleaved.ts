/**
 * Interleaves the requests of contract tests. The tests of a file run concurrently, each for its own store and customer.
 * Each request to the platform and each response waits until a random order lets it continue.
 */
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { isFullSize } from '../../full-size.ts';
import { store } from '../../graphql/world/harness.ts';

/** Whether this file interleaves its tests. */
export const isInterleaved = process.env.INTERLEAVED_TESTS === 'yes';

const SEED = isFullSize ? Number(process.env.SEED) : 20_261_121;
const CUSTOMER = /(?<=\/Customer\/)\d+/g;

type Case = { readonly title: string; readonly run: () => Promise<void> };
const cases: Case[] = [];
const progress = { running: 0, maximum: 0 };
const waiting: (() => void)[] = [];
let random = SEED;
let tenants = 0;

/** Adds a contract test that is run with others. */
export function collectCase(one: Case): void {
  cases.push(one);
}

/**
 * Runs all collected tests, `concurrency` at a time. Returns the failures and the largest number of requests that were in
 * progress together.
 */
export async function runCases(concurrency: number) {
  const failures: string[] = [];
  const left = cases.values();
  const work = async () => {
    for (const { title, run } of left) await run().catch((error) => failures.push(`${title}: ${error}`));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { count: cases.length, failures, maximumInProgress: progress.maximum };
}

/** Resolves after a random number of other waiting requests. */
export function waitForTurn(): Promise<void> {
  if (!isInterleaved) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.push(resolve);
    setImmediate(() => {
      // A linear congruential generator.
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      waiting.splice(random % waiting.length, 1)[0]?.();
    });
  });
}

/** Counts a request while it is in progress. */
export async function countProgress<Result>(request: () => Promise<Result>): Promise<Result> {
  progress.running++;
  progress.maximum = Math.max(progress.maximum, progress.running);
  return request().finally(() => progress.running--);
}

export type Tenant = {
  readonly store: StoreRecord;
  /** What makes any record of a store that of the tenant's store. */
  readonly address: Pick<StoreRecord, 'shopId' | 'domain'>;
  readonly accessToken: string;
  /** Converts a customer of the seeded store. */
  readonly customerId: (seeded: CustomerId) => CustomerId;
  /** Converts the global ids of the seeded customers in a text, and back. */
  readonly toOwn: (text: string) => string;
  readonly toSeeded: (text: string) => string;
};

/** Creates a tenant: the seeded store and its customers, under ids of its own if tests are interleaved. */
export function createTenant(): Tenant {
  const number = isInterleaved ? ++tenants : 0;
  const offset = number * 10_000_000;
  const own = { shopId: store.shopId + number, domain: `shop-${number}.myshopify.com` } as StoreRecord;
  const { shopId, domain } = isInterleaved ? own : store;
  const move = (by: number) => (text: string) =>
    by === 0 ? text : text.replace(CUSTOMER, (id) => `${Number(id) + by}`);
  return {
    store: isInterleaved ? { ...store, ...own } : store,
    address: { shopId, domain },
    accessToken: `token-${number}`,
    customerId: (seeded) => (seeded + offset) as CustomerId,
    toOwn: move(offset),
    toSeeded: move(-offset),
  };
}
