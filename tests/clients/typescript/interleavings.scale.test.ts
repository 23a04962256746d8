/**
 * Random interleavings of two tabs of one device that share a storage: lost responses, a storage that fails at any
 * step, killed tabs, a concurrent sign-out, a wrong clock, with and without locks. The model: a customer stays signed
 * in until the sign-out.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import {
  callbackOf,
  createClientWorld,
  NETWORK_FAULTS,
  type NetworkFault,
  STORAGE_FAULTS,
  type StorageFault,
} from './world/client-world.ts';
import { randomOf } from './world/random.ts';

const HOUR_MS = 3_600_000;

const step = fc.record({
  kind: fc.constantFrom('ask', 'ask', 'ask', 'ask', 'kill', 'session', 'signIn'),
  tab: fc.integer({ min: 0, max: 1 }),
  times: fc.integer({ min: 1, max: 3 }),
  waitMs: fc.constantFrom(
    0,
    1,
    120,
    900,
    5_100,
    10_100,
    26_000,
    61_000,
    2 * HOUR_MS,
    2 * HOUR_MS,
    30 * HOUR_MS,
  ),
});
const often = <Fault>(...faults: readonly Fault[]) =>
  fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(...faults)), {
    maxLength: 20,
  });
const plans = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 14 }),
  network: often<NetworkFault>(...NETWORK_FAULTS),
  storage: fc.oneof(fc.constant<StorageFault[]>([]), often<StorageFault>(...STORAGE_FAULTS)),
  /** The step before which the customer signs out. */
  signOutAt: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined }),
  storageMs: fc.constantFrom(0, 0, 3),
  skewMs: fc.constantFrom(0, HOUR_MS, -HOUR_MS),
  hasLocks: fc.boolean(),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
});

test('two tabs, whatever happens: signed out is who has signed out, and nobody else', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps, network, storage, signOutAt, seed, storageMs, ...device }) => {
      const { time, createPhone, service } = await createClientWorld(randomOf(seed));
      const phone = createPhone(device);
      const open = () => {
        const tab = phone.open(async (url) => callbackOf(url));
        tab.client.onSession(({ status }) => void seen.add(status));
        return tab;
      };
      const seen = new Set<string>();
      const first = phone.open(async (url) => callbackOf(url));
      await time.settle(first.client.signIn());
      first.kill();
      const tabs = [open(), open()];
      await time.advance(1_000);

      const codes: string[] = [];
      const note = (promise: Promise<unknown>) =>
        void promise.then(
          () => codes.push('ok'),
          ({ code }) => codes.push(String(code)),
        );
      let isSignedOut = false;
      phone.faults.network = () => network.shift();
      phone.faults.storage = () => storage.shift();
      phone.faults.storageMs = storageMs;
      for (const [index, { kind, tab, times, waitMs }] of steps.entries()) {
        const { client, kill } = tabs[tab] ?? first;
        if (index === signOutAt)
          void client.signOut().then(
            () => (isSignedOut = true),
            () => undefined,
          );
        if (kind === 'ask') for (let i = 0; i < times; i++) note(client.request('{ ok }'));
        if (kind === 'session') note(client.session());
        // A customer who signs out does not sign in again in the same run.
        if (kind === 'signIn' && signOutAt === undefined) note(client.signIn());
        if (kind === 'kill') {
          kill();
          tabs[tab] = open();
        }
        await time.advance(waitMs);
      }
      network.length = 0;
      storage.length = 0;
      await time.advance(120_000);

      const { client } = tabs[1] ?? first;
      const last = await time.settle(client.request('{ ok }')).then(
        () => 'ok',
        ({ code }) => String(code),
      );
      await time.settle(client.resume());
      const { status } = await time.settle(client.session());
      if (isSignedOut)
        expect([last, status, [...phone.texts.keys()]]).toEqual(['SIGNED_OUT', 'signedOut', []]);
      const hasRequested = signOutAt !== undefined && signOutAt < steps.length;
      if (!hasRequested) {
        expect([last, status]).toEqual(['ok', 'signedIn']);
        expect([...codes, ...seen]).not.toEqual(expect.arrayContaining(['SIGNED_OUT']));
        expect([...seen]).not.toContain('signedOut');
      }
      for (const code of codes)
        expect(['ok', 'NETWORK', 'STORAGE', 'UNKNOWN', ...(hasRequested ? ['SIGNED_OUT'] : [])]).toContain(
          code,
        );
      expect(phone.refreshes.maximum).toBeLessThanOrEqual(1);
      for (const pairs of Map.groupBy(phone.written, ({ customerId }) => customerId).values()) {
        const claims = pairs.map((pair) => service.claimsOf(pair));
        const places = claims.map(({ generation, handOut }) => generation * 1000 + handOut);
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }
    }),
    propertyRuns(1_000),
  );
});
