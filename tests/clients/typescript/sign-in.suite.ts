/** Sign-ins of clients/typescript: what is stored when, addresses that are no answer, apps that are killed. */
import { describe, expect, test } from '@jest/globals';
import { callbackOf, NETWORK_FAULTS, type NetworkFault, REDIRECT_URI } from './world/client-world.ts';
import { ask, codeOf, OK, phone, plan, settle, signedIn, signInPages, world } from './world/fresh-world.ts';

describe('a sign-in', () => {
  test('is stored before the browser opens, and kept for 15 minutes', async () => {
    let storedText = '';
    const tab = phone.open(async () => {
      storedText = [...phone.texts.values()].join();
      return null;
    });
    expect(await settle(tab.client.signIn())).toEqual({ status: 'signedOut', endedByService: false });
    for (const text of ['"v1"', '"n1"', '"s1"']) expect(storedText).toContain(text);
    tab.kill();
    await world.time.advance(14 * 60_000);
    const address = `${REDIRECT_URI}?code=c1&state=s1`;
    expect(await settle(phone.open().client.completeSignIn(address))).toMatchObject({ status: 'signedIn' });
    // React Native delivers the address again at each reload.
    expect(await settle(phone.open().client.completeSignIn(address))).toMatchObject({ status: 'signedIn' });
  });

  test('is over after 15 minutes', async () => {
    await settle(phone.open().client.signIn());
    await world.time.advance(16 * 60_000);
    expect(await codeOf(phone.open().client.completeSignIn(callbackOf('?state=s1')))).toBe(
      'FOREIGN_REDIRECT',
    );
  });

  test('accepts the code of the first browser after a dismissed sign-in was restarted', async () => {
    const { client } = phone.open();
    await settle(client.signIn());
    await settle(client.signIn());
    expect(await settle(client.completeSignIn(callbackOf('=s1')))).toMatchObject({ status: 'signedIn' });
  });

  test('exchanges a code once when its address arrives by two ways', async () => {
    let authUrl = '';
    const { client } = phone.open(async (url) => {
      authUrl = url;
      void client.completeSignIn(callbackOf(url));
      return callbackOf(url);
    });
    let exchanges = 0;
    phone.faults.network = (path) => {
      if (path.endsWith('/exchange')) exchanges++;
      return undefined;
    };
    expect(await settle(client.signIn())).toMatchObject({ status: 'signedIn' });
    expect(await settle(client.completeSignIn(callbackOf(authUrl)))).toMatchObject({ status: 'signedIn' });
    expect(exchanges).toBe(1);
  });

  test.each(NETWORK_FAULTS)(
    'continues at its next start when the app is killed: exchange %s',
    async (fault) => {
      const tab = phone.open(signInPages);
      plan(phone, '/headless-auth/exchange', ...Array<NetworkFault>(5).fill(fault));
      await world.time.advance(0);
      void tab.client.signIn().catch(() => undefined);
      await world.time.advance(2_000);
      tab.kill();
      plan(phone, '');
      const { client } = phone.open();
      expect(await settle(client.resume())).toMatchObject({ status: 'signedIn' });
      expect(await settle(client.request('{ ok }'))).toEqual(OK);
    },
  );

  test('keeps a stored session without a second exchange when the end of its sign-in was not stored', async () => {
    let writes = 0;
    phone.faults.storage = (operation) => (operation === 'remove' && writes++ < 9 ? 'before' : undefined);
    const tab = await signedIn();
    expect(await ask(tab)).toEqual(OK);
    phone.faults.storage = () => undefined;
    const { client } = phone.open();
    expect(await settle(client.resume())).toMatchObject({ status: 'signedIn' });
    expect(await settle(client.request('{ ok }'))).toEqual(OK);
  });

  test('signs in for two concurrent calls, and neither of them fails', async () => {
    const { client } = phone.open(signInPages);
    const both = await settle(Promise.all([client.signIn(), client.signIn()]));
    expect(both.map(({ status }) => status)).toEqual(['signedIn', 'signedIn']);
    expect(await settle(client.request('{ ok }'))).toEqual(OK);
  });

  test('rejects a sign-in during which the customer signs out', async () => {
    const { client } = phone.open(signInPages);
    plan(phone, '/headless-auth/exchange', 'late');
    const signingIn = codeOf(client.signIn());
    await world.time.advance(5_000);
    await settle(client.signOut());
    expect(await signingIn).toBe('SIGNED_OUT');
    await settle(client.resume());
    expect([...phone.texts]).toEqual([]);
  });

  test.each([
    ['of another app', 'shop.1.evil://callback?code=c&state=s1', 'FOREIGN_REDIRECT'],
    ['of another sign-in', `${REDIRECT_URI}?code=c&state=s2`, 'FOREIGN_REDIRECT'],
    ['with a doubled code', `${REDIRECT_URI}?code=c&code=d&state=s1`, 'FOREIGN_REDIRECT'],
    ['with a doubled state', `${REDIRECT_URI}?state=s1&code=c&state=s1`, 'FOREIGN_REDIRECT'],
    ['with a doubled name, encoded', `${REDIRECT_URI}?state=s1&code=c&c%6Fde=d`, 'FOREIGN_REDIRECT'],
    ['with code and error', `${REDIRECT_URI}?state=s1&code=c&error=access_denied`, 'FOREIGN_REDIRECT'],
    ['that cannot be decoded', `${REDIRECT_URI}?state=s1&code=%`, 'FOREIGN_REDIRECT'],
    ['without a query', REDIRECT_URI, 'FOREIGN_REDIRECT'],
    ['that says no', `${REDIRECT_URI}?error=access_denied&state=s1`, 'CANCELLED'],
    ['that tells an error', `${REDIRECT_URI}?error=server_error&state=s1`, 'SIGN_IN_REFUSED'],
  ])('rejects an address %s and stays signed out', async (_, url, code) => {
    const { client } = phone.open(async () => url);
    expect(await codeOf(client.signIn())).toBe(code);
    expect(await settle(client.session())).toMatchObject({ status: 'signedOut' });
  });

  test.each(['%s?code=a%%3D%%3D&state=s1', '%s?code=a==&state=s1#_=_', '%s?iss=x&code=a==&state=s1&later=1'])(
    'reads the whole code from the address %s',
    async (form) => {
      const { client } = phone.open(async () => form.replace('%s', REDIRECT_URI).replace(/%%/g, '%'));
      let sent = '';
      phone.faults.network = (path) => {
        if (path.endsWith('/exchange')) sent = [...phone.texts.values()].join();
        return undefined;
      };
      expect(await settle(client.signIn())).toMatchObject({ status: 'signedIn' });
      expect(sent).toContain('"code":"a=="');
    },
  );
});
