/** An Admin API over a new seed with its own clock, and short functions for requests. */

import { type AdminResponse, createAdminApi } from '../../../../sandbox/platform/admin/endpoint/admin-api.ts';
import { createSeededState } from '../../../../sandbox/platform/state/seed/seed.ts';
import type { PlatformState, StoreState } from '../../../../sandbox/platform/state/state.ts';

export const harbor = 'harbor-coffee.myshopify.com';
export const juniper = 'juniper-tea.myshopify.com';
export const startMs = Date.parse('2026-11-21T08:30:00Z');
export const dayMs = 86_400_000;

export const ada = 'gid://shopify/Customer/7001001';
export const ben = 'gid://shopify/Customer/7001002';
export const carla = 'gid://shopify/Customer/7001003';
export const dan = 'gid://shopify/Customer/7001004';
export const weekly = 'gid://shopify/SubscriptionContract/9101001';
export const monthly = 'gid://shopify/SubscriptionContract/9101002';
export const paused = 'gid://shopify/SubscriptionContract/9101003';
export const failed = 'gid://shopify/SubscriptionContract/9101004';
export const absent = 'gid://shopify/SubscriptionContract/1';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
export type Json = any;

export type Platform = ReturnType<typeof newPlatform>;

/** A platform of its own for one test. */
export function newPlatform(options: { contracts?: number; customers?: number } = {}) {
  const holder: { state: PlatformState; nowMs: number } = {
    state: createSeededState({ nowMs: startMs, contracts: 30, ...options }),
    nowMs: startMs,
  };
  const api = createAdminApi({
    state: () => holder.state,
    clock: { now: () => holder.nowMs },
    origin: () => 'http://127.0.0.1:4000',
  });

  function store(shop = harbor): StoreState {
    const found = holder.state.stores.get(shop);
    if (found === undefined) throw new Error(`no store ${shop}`);
    return found;
  }

  /** Sends a body as it is. */
  function send(
    body: string,
    change: Partial<Parameters<typeof api.handle>[0]> = {},
  ): Promise<AdminResponse> {
    const shop = change.shop ?? harbor;
    const headers = { 'x-shopify-access-token': store(shop).accessToken, 'content-type': 'application/json' };
    return api.handle({ shop, version: '2026-07', headers, body, ...change });
  }

  /** The whole answer of a document. */
  async function ask(query: string, variables: Json = {}, shop = harbor): Promise<Json> {
    const answer = await send(JSON.stringify({ query, variables }), { shop });
    return JSON.parse(answer.body);
  }

  /** The data of a document that must not have errors. */
  async function data(query: string, variables: Json = {}, shop = harbor): Promise<Json> {
    const answer = await ask(query, variables, shop);
    if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
    return answer.data;
  }

  /** The payload of the only mutation in a document. */
  async function run(mutation: string, variables: Json = {}): Promise<Json> {
    return Object.values(await data(`mutation ${mutation}`, variables))[0];
  }

  return { holder, api, store, send, ask, data, run };
}
