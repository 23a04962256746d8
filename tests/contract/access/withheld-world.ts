/**
 * A store of the emulated platform that can withhold scopes and protected data, and be reset. An operation runs with
 * all access, which records the needed access; then it runs again without each of them.
 */

import type { ErrorCode } from '../../../lib/errors/catalogue.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { restoreState, serializeState } from '../../../sandbox/platform/snapshot.ts';
import {
  createAccessWithout,
  createFullAccess,
  type ProtectedDataKind,
  type WithheldAccess,
} from '../../../sandbox/platform/state/store-access.ts';
import {
  store as installed,
  loadWebhooksNowhere,
  type Recorded,
  runPlan,
} from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { type Acting, createOperationWorld, type OperationWorld } from '../world/operation-world.ts';

/** All access that a store can withhold, with the platform's rule that write access includes read access. */
const ALL_WITHHELD: readonly WithheldAccess[] = [
  { scopes: ['read_customers', 'write_customers'] },
  { scopes: ['write_customers'] },
  { scopes: ['read_customer_payment_methods', 'write_customer_payment_methods'] },
  { scopes: ['write_customer_payment_methods'] },
  { scopes: ['read_own_subscription_contracts', 'write_own_subscription_contracts'] },
  { scopes: ['write_own_subscription_contracts'] },
  { scopes: ['read_products', 'write_products'] },
  { scopes: ['write_products'] },
  { scopes: ['read_orders', 'write_orders', 'read_all_orders'] },
  { scopes: ['write_orders'] },
  { scopes: ['read_all_orders'] },
  { scopes: ['read_locations'] },
  { scopes: ['unauthenticated_read_product_listings'] },
  { data: ['customer'] },
  { data: ['name'] },
  { data: ['address'] },
  { data: ['email'] },
  { data: ['phone'] },
];

/** Returns the name of a missing access in a test's failure. */
export const nameOf = ({ scopes = [], data = [] }: WithheldAccess) => [...scopes, ...data].join('+');

export type Request = {
  readonly as: Acting;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
};

type Path = readonly (string | number)[];

export type Answer = {
  /** The codes of the errors in order, or of the error that failed the whole request. */
  readonly codes: readonly (ErrorCode | string | undefined)[];
  /** 200, unless the request failed as a whole. */
  readonly status: number;
  readonly isRetryable: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  readonly data: any;
  /** The paths of the errors in a response with data. */
  readonly paths: readonly Path[];
  /** Everything that the caller gets. */
  readonly text: string;
  readonly recorded: readonly Recorded[];
  /** To the platform. */
  readonly requests: number;
};

export type WithheldWorld = ReturnType<typeof createWithheldWorld>;

/** The store offers what it can offer, so that only missing access stops a change. */
const settings: StoreRecord = { ...installed, sendNow: 'MOVE' };

/** The first store of the seed, set up by `prepare`. */
export function createWithheldWorld(prepare: (world: OperationWorld) => void = () => undefined) {
  const world = createOperationWorld();
  const { holder, store } = world.platform;
  // The other stores would only be copied with each snapshot.
  for (const shop of holder.state.stores.keys()) if (shop !== store().shop) holder.state.stores.delete(shop);
  // All requests run at one instant; an ordinary store would throttle them.
  store().throttle = { maximumAvailable: 1_000_000, restoreRate: 100_000 };
  prepare(world);

  /** Returns the store's data without its access and without uncommitted drafts, which have no effect. */
  function facts(): string {
    const { access: _access, nextId: _nextId, drafts: _drafts, ...rest } = store();
    return JSON.stringify({ ...holder.state, stores: [rest] }, (_key, value) =>
      value instanceof Map ? [...value] : value,
    );
  }

  /** Runs a request. `beforeRequest` receives the number of each platform request before it is sent, from 1 on. */
  async function run(
    { as, query, variables = {} }: Request,
    beforeRequest: (number: number) => void = () => undefined,
  ): Promise<Answer> {
    const recorded: Recorded[] = [];
    let requests = 0;
    const standIn = (operation: unknown) => {
      beforeRequest(++requests);
      return world.client(operation as AdminOperation);
    };
    const given = { as, query, variables, standIn, recorded };
    const common = { ...given, table: createMemoryTable(), loadWebhooks: loadWebhooksNowhere };
    try {
      const { result } = await runPlan({ ...common, store: settings, now: () => holder.nowMs, wait });
      const codes = (result.errors ?? []).map(({ extensions }) => extensions?.code as string | undefined);
      const { data, errors } = result;
      const text = JSON.stringify({ data, errors });
      const paths = (errors ?? []).flatMap(({ path }) => (path === undefined ? [] : [path]));
      return { codes, status: 200, isRetryable: false, data, paths, text, recorded, requests };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, status, publicMessage, extensions, retryAfterSeconds } = error;
      const text = JSON.stringify({ publicMessage, extensions });
      const isRetryable = retryAfterSeconds !== undefined;
      return { codes: [code], status, isRetryable, data: null, paths: [], text, recorded, requests };
    }
  }

  const wait = async (ms: number) => {
    holder.nowMs += ms;
  };

  /** Returns the result with all access, and the accesses that it needs. */
  async function withNeeds<Result>(
    perform: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly needed: readonly WithheldAccess[] }> {
    const pendingRequest = new Set<string>();
    const { scopes, protectedData } = createFullAccess();
    store().access = {
      scopes: noting(scopes, pendingRequest),
      protectedData: noting(protectedData, pendingRequest),
    };
    const result = await perform();
    store().access = createFullAccess();
    const isRequested = (one: string) => pendingRequest.has(one);
    const needed = ALL_WITHHELD.filter(({ scopes: some = [], data = [] }) =>
      [...some, ...data].some(isRequested),
    );
    return { result, needed };
  }

  /** Returns a function that runs another one, and then resets the store to its present state. */
  function undoing() {
    const { nowMs } = holder;
    const state = serializeState(holder.state);
    return async <Result>(perform: () => Promise<Result>): Promise<Result> => {
      try {
        return await perform();
      } finally {
        holder.state = restoreState(state);
        holder.nowMs = nowMs;
      }
    };
  }

  return {
    ...world,
    run,
    facts,
    withNeeds,
    undoing,
    withhold: (withheld: WithheldAccess) => {
      store().access = createAccessWithout(withheld);
    },
  };
}

function noting<One extends string | ProtectedDataKind>(
  all: readonly One[],
  pendingRequest: Set<string>,
): One[] {
  const list = [...all];
  list.includes = (one) => {
    pendingRequest.add(one);
    return all.includes(one);
  };
  return list;
}
