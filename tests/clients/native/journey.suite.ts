/**
 * Runs the customer's journey with the Kotlin or the Swift client against the service: a customer stays signed in until
 * the sign-out, despite lost responses and killed processes.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSeededRandom } from '../../../sandbox/seeded-random.ts';
import { completeSignInPages } from '../../../sandbox/sign-in-pages.ts';
import { startTestStack, type TestStack } from '../../stack.ts';
import { type FlakyNetwork, type NetworkFault, startFlakyNetwork } from '../flaky-network.ts';
import { type BuiltPhone, type Client, type Phone, type PhoneOptions, startPhone } from './phone.ts';

const EMAIL = 'ada@example.com';
const QUERY = 'query { serviceInfo { storeTimeZone } }';
const SIGNED_IN = { status: 'signedIn', customerId: expect.any(Number) };
const SIGNED_OUT = { status: 'signedOut', endedByService: false };
const HOUR_MS = 3_600_000;
const REFRESH = '/refresh';

/** Skips the tests, and says why, where this machine cannot compile the client. */
export function describeJourney(language: string, built: BuiltPhone | { readonly missing: string }): void {
  // Written directly, because jest does not print the output of skipped files.
  if ('missing' in built) process.stderr.write(`\nThe ${language} client did NOT run: ${built.missing}.\n`);
  const describeBuilt = ('missing' in built ? describe.skip : describe) as typeof describe;
  describeBuilt(`the ${language} client`, () => {
    let stack: TestStack;
    let network: FlakyNetwork;
    let folder: string;
    let phone: Phone;
    let client: Client;
    let browse: PhoneOptions['browse'];
    /** The offsets of both clocks, in milliseconds. */
    let serviceAheadMs = 0;
    let aheadMs = 0;

    const signInPages: PhoneOptions['browse'] = ({ authUrl }) =>
      completeSignInPages({
        authUrl,
        email: EMAIL,
        readCode: () => stack.control.oneTimeCode(EMAIL),
        onPage: () => undefined,
      });
    const switchOn = async () => {
      phone = startPhone({ ...(built as BuiltPhone), folder, browse: (request) => browse(request) });
      await phone.setClock(aheadMs);
      client = await addClient('first');
    };
    const addClient = (name: string) => phone.client(name, { serviceUrl: network.url, shop: stack.shop });
    /** The phone's clock goes on, so the pair is too old for it. */
    const laterOn = (ms = HOUR_MS) => {
      aheadMs += ms;
      return phone.setClock(aheadMs);
    };
    const serviceLaterOn = (ms: number) => {
      serviceAheadMs += ms;
      return stack.control.clock({ advance: ms / 1000 });
    };
    const refreshes = () => network.passed(REFRESH);

    beforeAll(async () => {
      stack = await startTestStack();
    });
    afterAll(() => stack?.stop());
    beforeEach(async () => {
      network = await startFlakyNetwork({ url: stack.baseUrl, now: () => Date.now() + serviceAheadMs });
      folder = mkdtempSync(join(tmpdir(), 'phone-'));
      browse = signInPages;
      aheadMs = serviceAheadMs;
      await switchOn();
    });
    afterEach(async () => {
      await phone?.kill();
      await network?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('signs in, asks, refreshes once for many, signs out', async () => {
      expect(await client.session()).toEqual(SIGNED_OUT);
      expect(await client.signIn()).toEqual(SIGNED_IN);
      await laterOn();
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.request(QUERY)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toEqual({
        data: { serviceInfo: { storeTimeZone: expect.any(String) } },
        errors: [],
      });
      expect(refreshes().filter(({ status }) => status === 200)).toHaveLength(1);
      await client.signOut();
      expect(await client.session()).toEqual(SIGNED_OUT);
      await expect(client.request(QUERY)).rejects.toMatchObject({
        code: 'SIGNED_OUT',
        message: 'Nobody is signed in: call signIn().',
      });
      await client.resume();
      expect(readdirSync(folder)).toEqual([]);
      expect(await phone.sessionsOf('first', 3)).toEqual([SIGNED_OUT, SIGNED_IN, SIGNED_OUT]);
    });

    test('a token that the service refuses is refreshed, whatever the clock says', async () => {
      await client.signIn();
      await serviceLaterOn(2 * HOUR_MS);
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
      expect(refreshes().length).toBeGreaterThan(0);
    });

    test.each([3, -3])('a clock that is %d hours wrong costs nothing', async (hours) => {
      await laterOn(hours * HOUR_MS);
      await client.signIn();
      await laterOn(HOUR_MS / 2);
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
      expect(refreshes()).toEqual([]);
      await laterOn(HOUR_MS / 2);
      await client.request(QUERY);
      await client.request(QUERY);
      expect(refreshes().filter(({ status }) => status === 200)).toHaveLength(1);
    });

    test.each<NetworkFault>(['lost', 'offline', 'portal', 'redirected', 'throttled'])(
      'goes on after a refresh that meets "%s"',
      async (fault) => {
        await client.signIn();
        await laterOn();
        network.next(REFRESH, fault, fault);
        expect(await client.request(QUERY)).toMatchObject({ errors: [] });
        const [first, second, third] = phone.waitsMs.slice(-2).concat(refreshes().length);
        expect([within(first, 750, 1250), within(second, 1500, 2500), third]).toEqual([true, true, 3]);
        const [body, ...retried] = refreshes().map((request) => JSON.parse(request.body));
        expect(retried).toEqual([body, body]);
        expect(await client.session()).toEqual(SIGNED_IN);
      },
    );

    test('offline: an error, still signed in, and all goes on afterwards', async () => {
      await client.signIn();
      await laterOn();
      await phone.waitForMs(0);
      network.always('offline');
      await expect(client.request(QUERY)).rejects.toMatchObject({ code: 'NETWORK' });
      expect(await client.session()).toEqual(SIGNED_IN);
      network.always('portal');
      await expect(client.request(QUERY)).rejects.toMatchObject({ code: 'NETWORK' });
      network.always(undefined);
      await phone.waitForMs(1_000);
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
    });

    test('killed while it refreshes: it goes on with the same tokens', async () => {
      await client.signIn();
      await laterOn();
      network.next(REFRESH, 'held');
      const pending = expect(client.request(QUERY)).rejects.toMatchObject({ code: 'KILLED' });
      await network.whenWithheld();
      await phone.kill();
      await pending;
      network.release();
      await switchOn();
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
      expect(refreshes().map(({ status }) => status)).toEqual([200, 200]);
      expect(await client.session()).toEqual(SIGNED_IN);
    });

    test('killed behind the browser: the address is taken after a cold start, and only once', async () => {
      const opened = Promise.withResolvers<string>();
      browse = async (request) => {
        opened.resolve((await signInPages(request)) ?? '');
        return new Promise(() => undefined);
      };
      const signingIn = expect(client.signIn()).rejects.toMatchObject({ code: 'KILLED' });
      const address = await opened.promise;
      await phone.kill();
      await signingIn;
      await switchOn();
      const completed = [client.completeSignIn(address), client.completeSignIn(address)];
      expect(await Promise.all(completed)).toEqual([SIGNED_IN, SIGNED_IN]);
      expect(await client.completeSignIn(address)).toEqual(SIGNED_IN);
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
    });

    test('killed while it exchanges the code: resume ends the sign-in', async () => {
      network.next('/exchange', 'held');
      const signingIn = expect(client.signIn()).rejects.toMatchObject({ code: 'KILLED' });
      await network.whenWithheld();
      await phone.kill();
      await signingIn;
      network.release();
      await switchOn();
      expect(await client.resume()).toEqual(SIGNED_IN);
      expect(await client.request(QUERY)).toMatchObject({ errors: [] });
    });

    test('a browser that closes cancels nothing, for 15 minutes', async () => {
      let address = '';
      browse = async (request) => {
        address = (await signInPages(request)) ?? '';
        return null;
      };
      expect(await client.signIn()).toEqual(SIGNED_OUT);
      expect(await client.completeSignIn(address)).toEqual(SIGNED_IN);
      await client.signOut();
      expect(await client.signIn()).toEqual(SIGNED_OUT);
      await laterOn(16 * 60_000);
      await expect(client.completeSignIn(address)).rejects.toMatchObject({ code: 'FOREIGN_REDIRECT' });
    });

    test('takes no code from another address, with another state, or with a doubled one', async () => {
      let address = '';
      browse = async (request) => {
        address = (await signInPages(request)) ?? '';
        return null;
      };
      await client.signIn();
      const state = new URL(address).searchParams.get('state');
      const foreign = [
        address.replace(/^[^?]+/, 'shop.1.evil://callback'),
        address.replace(/state=[^&]*/, 'state=another'),
        `${address}&state=${state}`,
        `${address}&code=another`,
        `${address}&error=access_denied`,
        address.replace(/code=[^&]*/, 'code='),
        address.replace(/state=[^&]*/, 'state=%'),
        address.split('?')[0] ?? '',
      ];
      for (const url of foreign)
        await expect(client.completeSignIn(url)).rejects.toMatchObject({ code: 'FOREIGN_REDIRECT' });
      // None of them has ended it.
      expect(await client.completeSignIn(`${address}#`)).toEqual(SIGNED_IN);
    });

    test('a sign-in that the customer refuses is CANCELLED, and over', async () => {
      const refused = async (error: string) => {
        browse = async ({ authUrl }) => {
          const { searchParams } = new URL(authUrl);
          return `${searchParams.get('redirect_uri')}?error=${error}&state=${searchParams.get('state')}`;
        };
        return client.signIn();
      };
      await expect(refused('access_denied')).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(refused('server_error')).rejects.toMatchObject({ code: 'SIGN_IN_REFUSED' });
      expect(readdirSync(folder)).toEqual([]);
    });

    test('a code that the service does not take begins the sign-in once more', async () => {
      let opened = 0;
      browse = async (request) => {
        const address = (await signInPages(request)) ?? '';
        return ++opened === 1 ? address.replace(/code=[^&]*/, 'code=never-given') : address;
      };
      expect(await client.signIn()).toEqual(SIGNED_IN);
      expect(opened).toBe(2);
    });

    test('two clients in one storage refresh at once, and both go on', async () => {
      const second = await addClient('second');
      await client.signIn();
      for (let round = 0; round < 3; round++) {
        await laterOn();
        const both = await Promise.all([client.request(QUERY), second.request(QUERY)]);
        expect(both).toEqual([
          { data: expect.anything(), errors: [] },
          { data: expect.anything(), errors: [] },
        ]);
      }
      expect([await client.session(), await second.session()]).toEqual([SIGNED_IN, SIGNED_IN]);
    });

    test.each([['get'], ['set'], ['remove', 'set']] as const)(
      'a storage whose %s fails signs nobody out',
      async (...at) => {
        await client.signIn();
        await laterOn();
        await phone.breakStorage(...at);
        await expect(client.request(QUERY)).rejects.toMatchObject({ code: 'STORAGE' });
        await phone.breakStorage();
        expect(await client.session()).toEqual(SIGNED_IN);
        expect(await client.request(QUERY)).toMatchObject({ errors: [] });
        expect((await phone.sessionsOf('first', 2)).at(-1)).toEqual(SIGNED_IN);
      },
    );

    test('a sign-out wins over a refresh under way, and is told to the service later', async () => {
      await client.signIn();
      await laterOn();
      network.next(REFRESH, 'held');
      const pending = expect(client.request(QUERY)).rejects.toMatchObject({ code: 'SIGNED_OUT' });
      await network.whenWithheld();
      network.next('/revoke', ...Array<NetworkFault>(5).fill('offline'));
      await client.signOut();
      network.release();
      await pending;
      expect(await client.session()).toEqual(SIGNED_OUT);
      // The first call joins the attempt that the sign-out started, which has no connection.
      await client.resume();
      await client.resume();
      expect(readdirSync(folder)).toEqual([]);
      expect(network.passed('/revoke').at(-1)).toMatchObject({ status: 200 });
    });

    test('a sign-in that the service has ended is told once, without an error of a refresh', async () => {
      await client.signIn();
      const other = await addClient('other');
      await serviceLaterOn(91 * 24 * HOUR_MS);
      await laterOn();
      await expect(client.request(QUERY)).rejects.toMatchObject({ code: 'SIGNED_OUT' });
      await expect(other.request(QUERY)).rejects.toMatchObject({ code: 'SIGNED_OUT' });
      expect(await phone.sessionsOf('first', 3)).toEqual([
        SIGNED_OUT,
        SIGNED_IN,
        { status: 'signedOut', endedByService: true },
      ]);
      for (const each of [client, other, await addClient('third')])
        expect(await each.session()).toEqual({ status: 'signedOut', endedByService: true });
      await client.signOut();
      expect(await other.session()).toEqual(SIGNED_OUT);
    });

    test('a change is sent again under one key of its own; without a key it is not', async () => {
      await client.signIn();
      const list = await client.request(CONTRACTS, { customer: await customerOf(client) });
      const [contract] = (list.data as ContractList).customer.subscriptionContracts.nodes;
      const variables = { contract: contract?.id, index: contract?.nextOrder.cycleIndex };
      network.next('.json', 'lost', 'offline');
      expect(await client.request(SKIP, variables)).toMatchObject({ errors: [] });
      const keys = network.passed('.json').map(({ body }) => JSON.parse(body).variables.key);
      expect([keys.slice(1).length, new Set(keys.slice(1)).size]).toEqual([3, 1]);
      network.next('.json', 'lost');
      const uncertain = client.request(
        SKIP.replace('@idempotent(key: $key)', '').replace(', $key: String!', ''),
        variables,
      );
      await expect(uncertain).rejects.toMatchObject({ code: 'NETWORK' });
      expect(network.passed('.json')).toHaveLength(5);
    });

    test('100 refreshes with mishaps of every kind, and the phone killed now and then: never signed out', async () => {
      await client.signIn();
      const random = createSeededRandom(20_261_122);
      const allFaults: NetworkFault[] = ['lost', 'offline', 'portal', 'throttled'];
      await phone.waitForMs(0);
      for (let round = 0; round < 100; round++) {
        const some = allFaults.filter(() => random() < 0.4);
        network.next(random() < 0.8 ? REFRESH : '.json', ...some);
        await laterOn();
        const pending = client.request(QUERY).catch((error) => error);
        if (random() < 0.1) {
          await phone.kill();
          await pending;
          await switchOn();
          await phone.waitForMs(0);
        }
        const outcome = await pending;
        if (outcome.code !== undefined) expect(['NETWORK', 'KILLED', 'UNKNOWN']).toContain(outcome.code);
        expect(await client.session()).toEqual(SIGNED_IN);
      }
    });
  });
}

const within = (value: number | undefined, from: number, to: number) =>
  value !== undefined && value >= from && value <= to;

async function customerOf(client: Client): Promise<string> {
  const session = await client.session();
  return session.status === 'signedIn' ? `gid://platform/Customer/${session.customerId}` : '';
}

type ContractList = {
  customer: {
    subscriptionContracts: { nodes: { id: string; nextOrder: { cycleIndex: number } }[] };
  };
};
const CONTRACTS = `query Contracts($customer: ID!) {
  customer(id: $customer) {
    subscriptionContracts(first: 1) { nodes { id nextOrder { cycleIndex } } }
  }
}`;
const SKIP = `mutation Skip($contract: ID!, $index: Int!, $key: String!) {
  subscriptionBillingCycleSkip(contractId: $contract, billingCycleIndex: $index) @idempotent(key: $key) {
    billingCycle { skipped }
    userErrors { message code }
  }
}`;
