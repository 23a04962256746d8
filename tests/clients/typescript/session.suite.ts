/** The session of clients/typescript, before the service's real use cases: what signs a customer out, and what never does. */
import { describe, expect, test } from '@jest/globals';
import type { Session } from '../../../clients/typescript/src/client.ts';
import {
  NETWORK_FAULTS,
  type NetworkFault,
  STORAGE_FAULTS,
  type StorageFault,
  type Tab,
} from './world/client-world.ts';
import {
  ask,
  codeOf,
  HOUR_MS,
  OK,
  phone,
  plan,
  settle,
  signedIn,
  signInPages,
  world,
} from './world/fresh-world.ts';

const REFRESH = '/headless-auth/refresh';
const ENDED = { status: 'signedOut', endedByService: true };

describe('a session stays', () => {
  test.each(NETWORK_FAULTS)('whatever becomes of a refresh: %s', async (fault) => {
    const tab = await signedIn();
    await world.time.advance(2 * HOUR_MS);
    plan(phone, REFRESH, ...Array<NetworkFault>(5).fill(fault));
    const code = await codeOf(tab.client.request('{ ok }'));
    expect(['ok', 'NETWORK', 'UNKNOWN']).toContain(code);
    expect(await settle(tab.client.session())).toMatchObject({ status: 'signedIn' });
    plan(phone, '');
    expect(await ask(tab)).toEqual(OK);
  });

  test.each(STORAGE_FAULTS.flatMap((fault) => [1, 2, 3, 4].map((step) => [fault, step] as const)))(
    'with a storage that fails in a refresh: %s, step %d',
    async (fault, step) => {
      const tab = await signedIn();
      await world.time.advance(2 * HOUR_MS);
      let calls = 0;
      phone.faults.storage = () => (++calls === step ? fault : undefined);
      expect(['ok', 'STORAGE']).toContain(await codeOf(tab.client.request('{ ok }')));
      phone.faults.storage = () => undefined;
      expect(await settle(tab.client.session())).toMatchObject({ status: 'signedIn' });
      await world.time.advance(2 * HOUR_MS);
      expect(await ask(tab)).toEqual(OK);
    },
  );

  test('with a storage that is full: nothing is used that is not stored', async () => {
    const tab = await signedIn();
    await world.time.advance(2 * HOUR_MS);
    phone.faults.storage = (operation) => (operation === 'set' ? 'before' : undefined);
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('STORAGE');
    await world.time.advance(HOUR_MS);
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('STORAGE');
    phone.faults.storage = () => undefined;
    expect(await ask(tab)).toEqual(OK);
  });

  test.each([HOUR_MS, -HOUR_MS, 400 * 24 * HOUR_MS])('with a clock that is %d ms wrong', async (skewMs) => {
    const phone = world.createPhone({ skewMs });
    const tab = await signedIn(phone);
    for (let minutes = 0; minutes < 300; minutes += 5) {
      expect(await ask(tab)).toEqual(OK);
      await world.time.advance(5 * 60_000);
    }
    // At its worst a token serves for 8 minutes.
    expect(phone.refreshes.all).toBeLessThan(45);
  });

  test.each(['late', 'none'] as const)(
    'when somebody signs in anew beside a refresh (%s)',
    async (answer) => {
      const [tab, other] = [await signedIn(), phone.open(signInPages)];
      const before = phone.written.length;
      await world.time.advance((answer === 'late' ? 2 : 400 * 24) * HOUR_MS);
      plan(phone, REFRESH, 'late');
      const pending = tab.client.request('{ ok }');
      await world.time.advance(1_000);
      const session = await settle(other.client.signIn());
      expect(await settle(pending)).toEqual(OK);
      expect(phone.written.slice(before).map(({ customerId }) => customerId)).toEqual([2]);
      expect(await settle(tab.client.session())).toEqual(session);
    },
  );

  test('with a tab beside it that holds the lock and does nothing', async () => {
    const phone = world.createPhone({ hasLocks: true });
    const [tab, other] = [await signedIn(phone), phone.open()];
    await world.time.advance(2 * HOUR_MS);
    plan(phone, REFRESH, 'hangs');
    tab.client.request('{ ok }').catch(() => undefined);
    await world.time.advance(1_000);
    const startedMs = world.time.now();
    expect(await ask(other)).toEqual(OK);
    expect(world.time.now() - startedMs).toBeLessThan(8_000);
  });

  test('when another tab has refreshed meanwhile, and this one hears that its token is none', async () => {
    const [tab, other] = [await signedIn(), phone.open()];
    await world.time.advance(2 * HOUR_MS);
    plan(phone, REFRESH, 'hangs');
    const pending = tab.client.request('{ ok }');
    await world.time.advance(1_000);
    for (let hours = 0; hours < 3; hours++) {
      expect(await settle(other.client.request('{ ok }'))).toEqual(OK);
      phone.faults.network = () => undefined;
      await world.time.advance(8_000);
    }
    expect(await settle(pending)).toEqual(OK);
  });

  test('many who ask at once refresh once', async () => {
    const tab = await signedIn();
    await world.time.advance(2 * HOUR_MS);
    const pending = Array.from({ length: 20 }, () => tab.client.request('{ ok }'));
    expect(await settle(Promise.all(pending))).toEqual(pending.map(() => OK));
    expect(phone.refreshes).toMatchObject({ all: 1, maximum: 1 });
  });
});

describe('a session ends', () => {
  test('when the service has ended it', async () => {
    const tab = await signedIn();
    const seen: Session[] = [];
    tab.client.onSession((session) => seen.push(session));
    await world.time.advance(400 * 24 * HOUR_MS);
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('SIGNED_OUT');
    expect(seen.map(({ status }) => status)).toEqual(['signedIn', 'signedOut']);
    expect(seen[1]).toEqual(ENDED);
    expect([...phone.texts]).toEqual([[expect.stringMatching(/\.session$/), '{"endedByService":true}']]);
  });

  test('is reported in the same way by the event and by session(), in every tab and after a restart', async () => {
    const [tab, other, third] = [await signedIn(), phone.open(), phone.open()];
    const seen: Session[] = [];
    for (const { client } of [tab, other]) client.onSession((session) => seen.push(session));
    await world.time.advance(400 * 24 * HOUR_MS);
    // Both tabs learn of it from the service, at the same time.
    const codes = [tab, other].map(({ client }) => codeOf(client.request('{ ok }')));
    expect(await Promise.all(codes)).toEqual(['SIGNED_OUT', 'SIGNED_OUT']);
    expect(seen.filter(({ status }) => status === 'signedOut')).toEqual([ENDED, ENDED]);
    tab.kill();
    for (const each of [other, third, phone.open()]) {
      expect(await codeOf(each.client.request('{ ok }'))).toBe('SIGNED_OUT');
      expect(await settle(each.client.session())).toEqual(ENDED);
    }
  });

  test.each([
    [
      'signs out',
      async ({ client }: Tab): Promise<unknown> => client.signOut(),
      { status: 'signedOut', endedByService: false },
    ],
    ['signs in', async ({ client }: Tab): Promise<unknown> => client.signIn(), { status: 'signedIn' }],
  ])('is no longer reported as ended when the customer %s', async (_name, act, expected) => {
    const tab = await signedIn();
    await world.time.advance(400 * 24 * HOUR_MS);
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('SIGNED_OUT');
    await settle(act(tab));
    for (const each of [tab, phone.open()])
      expect(await settle(each.client.session())).toMatchObject(expected);
  });

  test('is over when the service has ended it and the storage is full', async () => {
    const tab = await signedIn();
    await world.time.advance(400 * 24 * HOUR_MS);
    phone.faults.storage = (operation) => (operation === 'set' ? 'before' : undefined);
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('SIGNED_OUT');
    expect([...phone.texts]).toEqual([]);
  });

  test('when the storage is empty, as after a restore', async () => {
    const tab = await signedIn();
    phone.texts.clear();
    expect(await codeOf(tab.client.request('{ ok }'))).toBe('SIGNED_OUT');
    expect(await settle(tab.client.signIn())).toMatchObject({ status: 'signedIn' });
  });

  test('when the customer signs out at any moment of a refresh', async () => {
    phone.faults.storageMs = 1_000;
    for (let afterMs = 0; afterMs < 8_000; afterMs += 250) {
      const tab = await signedIn();
      await world.time.advance(2 * HOUR_MS);
      const pending = codeOf(tab.client.request('{ ok }'));
      await world.time.advance(afterMs);
      await settle(tab.client.signOut());
      expect(['ok', 'SIGNED_OUT']).toContain(await pending);
      await world.time.advance(60_000);
      expect([...phone.texts]).toEqual([]);
    }
  });

  test.each(NETWORK_FAULTS)(
    'when the customer signs out, whatever the service hears of it: %s',
    async (fault) => {
      const tab = await signedIn();
      const [pair] = phone.written;
      await world.time.advance(2 * HOUR_MS);
      plan(phone, REFRESH, 'late');
      const pending = codeOf(tab.client.request('{ ok }'));
      await world.time.advance(5_000);
      phone.faults.network = () => fault;
      await settle(tab.client.signOut());
      expect(await pending).toBe('SIGNED_OUT');
      await world.time.advance(200_000);
      tab.kill();
      phone.faults.network = () => undefined;
      expect(await settle(phone.open().client.resume())).toMatchObject({ status: 'signedOut' });
      expect([...phone.texts]).toEqual([]);
      await expect(world.service.refresh(pair as never)).rejects.toMatchObject({
        code: 'INVALID_REFRESH_TOKEN',
      });
    },
  );

  test('only if the storage does it in time: what was told as failed is not done later', async () => {
    const tab = await signedIn();
    const faults: StorageFault[] = ['slow'];
    phone.faults.storage = () => faults.shift();
    const reading = codeOf(tab.client.session());
    expect(await codeOf(tab.client.signOut())).toBe('STORAGE');
    expect(await reading).toBe('STORAGE');
    await world.time.advance(60_000);
    expect(await settle(tab.client.session())).toMatchObject({ status: 'signedIn' });
  });

  test('with a storage that is full', async () => {
    const tab = await signedIn();
    const [pair] = phone.written;
    phone.faults.storage = (operation) => (operation === 'set' ? 'before' : undefined);
    await settle(tab.client.signOut());
    await world.time.advance(1_000);
    expect([...phone.texts]).toEqual([]);
    await expect(world.service.use(pair as never)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('onSession', () => {
  test('tells the current state first, then each change, and waits for nobody', async () => {
    const tab = phone.open(signInPages);
    const seen: string[] = [];
    tab.client.onSession(() => {
      throw new Error('A listener that fails');
    });
    tab.client.onSession(async ({ status }) => {
      seen.push(status);
      // In the middle of the change, without a deadlock.
      if (status === 'signedIn') await tab.client.signOut();
      throw new Error('A listener that fails later');
    });
    await world.time.advance(100);
    await settle(tab.client.signIn());
    await world.time.advance(1_000);
    expect(seen).toEqual(['signedOut', 'signedIn', 'signedOut']);
    expect([...phone.texts]).toEqual([]);
  });

  test('tells each change after it is stored, and nothing after its end', async () => {
    const tab = phone.open(signInPages);
    const stored: (string | undefined)[] = [];
    const end = tab.client.onSession(
      () => void stored.push([...phone.texts.keys()].join().match(/session/)?.[0]),
    );
    await world.time.advance(100);
    await settle(tab.client.signIn());
    end();
    await settle(tab.client.signOut());
    expect(stored).toEqual([undefined, 'session']);
  });

  test('a storage that does not tell is neither', async () => {
    const tab = await signedIn();
    phone.faults.storage = () => 'before';
    const seen: string[] = [];
    tab.client.onSession(({ status }) => seen.push(status));
    await world.time.advance(100);
    expect(await codeOf(tab.client.session())).toBe('STORAGE');
    phone.faults.storage = () => undefined;
    await ask(tab);
    expect(seen).toEqual(['unknown', 'signedIn']);
  });
});
