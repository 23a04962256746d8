/** A world and a phone for each test of the suites, and what their steps share. */
import { beforeEach, expect } from '@jest/globals';
import {
  type ClientWorld,
  callbackOf,
  createClientWorld,
  type NetworkFault,
  type Phone,
  type Tab,
} from './client-world.ts';

export const HOUR_MS = 3_600_000;
export const OK = { data: { ok: true }, errors: [] };

export let world: ClientWorld;
export let phone: Phone;
beforeEach(async () => {
  world = await createClientWorld();
  phone = world.createPhone();
});

export const signInPages = async (authUrl: string) => callbackOf(authUrl);
export const settle = <Result>(promise: Promise<Result>) => world.time.settle(promise);
export const ask = ({ client }: Tab) => settle(client.request('{ ok }'));

/** `ok`, or the code that is thrown. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return settle(promise).then(
    () => 'ok',
    (error) => error.code,
  );
}

export async function signedIn(on: Phone = phone): Promise<Tab> {
  const tab = on.open(signInPages);
  expect(await settle(tab.client.signIn())).toMatchObject({ status: 'signedIn' });
  return tab;
}

/** Applies each fault to one request after another; later requests succeed. */
export function plan(on: Phone, path: string, ...faults: NetworkFault[]): void {
  on.faults.network = (pending) => (pending === path ? faults.shift() : undefined);
}
