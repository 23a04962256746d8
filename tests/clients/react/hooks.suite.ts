/** The hooks in a browser, with tabs, a stored cache, and customers who take turns at one device. */
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { LastPayment } from '../../../clients/typescript/src/client.ts';
import { bundleExample, bundleScreen } from './app-site.ts';
import {
  ADA,
  ADAS_CONTRACT,
  BEN,
  exampleSite,
  openApp,
  openContext,
  site,
  stack,
  storeSession,
} from './shared-app.ts';

const BENS_CONTRACT = '9101004';
/** What the app displays at one time. */
type View = {
  readonly status: string;
  readonly list?: readonly { readonly id: string; readonly lastPaymentStatus: string | null }[];
  readonly orders?: readonly { readonly skipped: boolean }[];
  readonly detail?: object;
  readonly events?: readonly object[];
};
/** The key of TanStack's persister. */
const CACHE = 'REACT_QUERY_OFFLINE_CACHE';

describe('the hooks in a browser', () => {
  let context: BrowserContext;

  beforeAll(async () => {
    const { baseUrl: serviceUrl, shop } = stack;
    site.show(await bundleScreen('react-19'), { serviceUrl, shop });
  });
  beforeEach(async () => {
    context = await openContext();
    await storeSession(context, ADA);
  });

  const openTab = () => openApp(context);
  const openTabs = () => Promise.all([openTab(), openTab(), openTab()] as const);
  const run = <Result = unknown>(page: Page, script: string) => page.evaluate<Result>(script);
  /** Everything that the page has displayed since the number of views. */
  const viewsOf = (page: Page, since = 0) => run<View[]>(page, `window.views.slice(${since})`);
  const countViews = (page: Page) => run<number>(page, 'window.views.length');
  const whenLoaded = (page: Page) =>
    page.waitForFunction(
      "['detail', 'list', 'orders', 'events'].every((part) => window.app?.view[part] !== undefined)",
    );
  const whenStored = (page: Page) =>
    page.waitForFunction(
      `['detail', 'list', 'upcoming', 'events'].every((kind) => localStorage.getItem('${CACHE}')?.includes('"' + kind + '"'))`,
    );
  const whenStatus = (page: Page, status: string) =>
    page.getByRole('status').getByText(status, { exact: true }).waitFor();
  const whenIdle = (page: Page) =>
    page.waitForFunction('app.queryClient.isFetching() === 0 && app.queryClient.isMutating() === 0');
  const firstOrder = (page: Page) => page.getByRole('listitem').first();
  const cachedKeys = (page: Page) =>
    run<unknown[]>(
      page,
      `app.queryClient.getQueryCache().getAll().filter(({ state }) => state.data).map(({ queryKey }) => queryKey)`,
    );
  const storedCache = (page: Page) => run<string>(page, `localStorage.getItem('${CACHE}') ?? ''`);
  const titleOf = (page: Page) => page.getByRole('heading').textContent();

  /** Taps on the first order. */
  const tap = (page: Page, name: 'skip' | 'unskip', more = '') =>
    run(
      page,
      `void app.changes.${name}.mutateAsync({ cycleIndex: app.view.orders[0].cycleIndex, ${more} }).catch(() => undefined)`,
    );

  /** For the tests after this one. */
  async function restoreFirstOrder(page: Page): Promise<void> {
    await whenLoaded(page);
    await tap(page, 'unskip');
    await firstOrder(page).getByText('planned').waitFor();
    await whenIdle(page);
  }

  describe('tabs of one browser', () => {
    test('each tab shows the change of another tab when it gets the focus', async () => {
      const [first, ...others] = await openTabs();
      await Promise.all([first, ...others].map(whenLoaded));
      await tap(first, 'skip');
      await firstOrder(first).getByText('skipped').waitFor();
      await whenIdle(first);
      for (const tab of others) {
        expect(await firstOrder(tab).textContent()).toContain('planned');
        await run(tab, "window.dispatchEvent(new Event('visibilitychange'))");
        await firstOrder(tab).getByText('skipped').waitFor();
      }
      await restoreFirstOrder(first);
    });

    test('each tab deletes everything when one of them signs out', async () => {
      const tabs = await openTabs();
      await Promise.all(tabs.map(whenLoaded));
      await run(tabs[1], 'app.signOut()');
      for (const tab of tabs) {
        await whenStatus(tab, 'signedOut');
        expect(await titleOf(tab)).toBe('');
        expect(await cachedKeys(tab)).toEqual([]);
        const views = (await viewsOf(tab)).filter(({ status }) => status === 'signedOut');
        for (const { detail, list, orders, events } of views)
          expect([detail, list, orders, events]).toEqual([undefined, undefined, undefined, undefined]);
      }
    });

    test('a new tab shows the subscription after the first tab was closed', async () => {
      const first = await openTab();
      await whenLoaded(first);
      const second = await openTab();
      await first.close();
      await whenLoaded(second);
      expect(await titleOf(second)).not.toBe('');
    });
  });

  describe('a sign-out', () => {
    test('has deleted the cache when it resolves', async () => {
      const page = await openTab();
      await whenLoaded(page);
      const keys = 'app.queryClient.getQueryCache().getAll().filter(({ state }) => state.data).length';
      expect(await run(page, `app.signOut().then(() => ${keys})`)).toBe(0);
    });

    test('drops the response of a refetch and of a change that are under way', async () => {
      const page = await openTab();
      await whenLoaded(page);
      await run(
        page,
        `for (const of of ['SubscriptionDetails', 'Subscriptions', 'UpcomingOrders', 'SubscriptionEvents', 'SkipOrder'])
        app.network.fail({ of, kind: 'slow', delayMs: 300 });
      void app.queryClient.invalidateQueries();`,
      );
      await tap(page, 'skip');
      await firstOrder(page).getByText('skipped').waitFor();
      await run(page, 'app.signOut()');
      await whenStatus(page, 'signedOut');
      const since = await countViews(page);
      await page.waitForFunction('app.network.pending() === 0');
      await whenIdle(page);
      await page.waitForFunction(`!localStorage.getItem('${CACHE}')?.includes('SubscriptionContract')`);
      expect(await cachedKeys(page)).toEqual([]);
      for (const { detail, list } of await viewsOf(page, since))
        expect([detail, list]).toEqual([undefined, undefined]);
      await storeSession(context, ADA);
      await restoreFirstOrder(page);
    });

    test('drops a change that waits for another one, so that it is never sent', async () => {
      const page = await openTab();
      await whenLoaded(page);
      await run(page, "app.network.fail({ of: 'SkipOrder', kind: 'slow', delayMs: 300 })");
      await tap(page, 'skip');
      await tap(page, 'unskip');
      await page.waitForFunction("app.network.requests.includes('SkipOrder')");
      await run(page, 'app.signOut()');
      await whenStatus(page, 'signedOut');
      await storeSession(context, BEN);
      await whenStatus(page, 'signedIn');
      await page.waitForFunction('app.network.pending() === 0');
      expect(await run(page, "app.network.requests.filter((name) => name === 'SkipOrder').length")).toBe(1);
      expect(await run(page, 'app.queryClient.getMutationCache().getAll().length')).toBe(0);
      await storeSession(context, ADA);
      await restoreFirstOrder(page);
    });
  });

  test('the end of a session by the service deletes the cache as a sign-out does, in every tab', async () => {
    const tabs = await openTabs();
    await Promise.all(tabs.map(whenLoaded));
    // From then on the service refuses the tokens of the session.
    await run(
      tabs[0],
      'app.client.account.sessions().then(({ nodes }) => app.client.account.revokeSession({ sessionId: nodes.find(({ isCurrent }) => isCurrent).id }))',
    );
    await run(tabs[0], 'void app.queryClient.invalidateQueries()');
    for (const tab of tabs) {
      await whenStatus(tab, 'signedOut');
      expect(await cachedKeys(tab)).toEqual([]);
      expect(await run(tab, 'app.client.session()')).toMatchObject({ status: 'signedOut' });
    }
  });

  /** Nothing of Ada: her list, her subscription, her orders, or their ids. */
  function expectNothingOfAda(views: readonly View[]): void {
    const ofBen = views.filter(({ status }) => status === 'signedIn');
    expect(ofBen.length).toBeGreaterThan(0);
    for (const { detail, orders, events, list = [] } of ofBen) {
      expect([detail, orders, events]).toEqual([undefined, undefined, undefined]);
      expect(list.filter(({ id }) => !id.endsWith(BENS_CONTRACT))).toEqual([]);
    }
  }

  describe('the next customer', () => {
    test('sees nothing of the former one, in no tab, although a refetch and a change were under way', async () => {
      const tabs = await openTabs();
      await Promise.all(tabs.map(whenLoaded));
      for (const tab of tabs)
        await run(
          tab,
          `for (const of of ['SubscriptionDetails', 'Subscriptions', 'UpcomingOrders'])
          app.network.fail({ of, kind: 'slow', delayMs: 500 });
        void app.queryClient.invalidateQueries();`,
        );
      await run(tabs[0], 'app.signOut()');
      await Promise.all(tabs.map((tab) => whenStatus(tab, 'signedOut')));
      const since = await Promise.all(tabs.map(countViews));
      await storeSession(context, BEN);
      for (const [index, tab] of tabs.entries()) {
        await tab.waitForFunction(`window.app.view.list?.length > 0`);
        await tab.waitForFunction('app.network.pending() === 0');
        expectNothingOfAda(await viewsOf(tab, since[index]));
      }
    });

    test('sees nothing of the former one when the sign-in replaces the session without a sign-out', async () => {
      const page = await openTab();
      await whenLoaded(page);
      await run(
        page,
        "app.network.fail({ of: 'SubscriptionDetails', kind: 'slow', delayMs: 300 }); void app.queryClient.invalidateQueries()",
      );
      await storeSession(context, BEN);
      await page.waitForFunction(`window.app.view.list?.every(({ id }) => id.endsWith('${BENS_CONTRACT}'))`);
      const since = (await countViews(page)) - 1;
      await page.waitForFunction('app.network.pending() === 0');
      expectNothingOfAda(await viewsOf(page, since));
    });

    test('sees nothing from the stored cache of the former one, and the stored cache is cleaned', async () => {
      const page = await openTab();
      await whenLoaded(page);
      await whenStored(page);
      const ofAda = await storedCache(page);
      await page.close();
      // The tab was closed before the sign-out could clear the stored cache.
      await storeSession(context, BEN);
      const empty = await context.newPage();
      await empty.goto(`${site.origin}/empty`);
      await run(empty, `localStorage.setItem('${CACHE}', ${JSON.stringify(ofAda)})`);
      await empty.close();
      const next = await openTab();
      await next.waitForFunction(`window.app?.view.list?.length > 0`);
      await whenIdle(next);
      expectNothingOfAda(await viewsOf(next));
      await next.waitForFunction(`!localStorage.getItem('${CACHE}').includes('${ADAS_CONTRACT}')`);
    });
  });

  describe('without a connection', () => {
    test('a new tab shows the stored subscription, and reads it again afterwards', async () => {
      const page = await openTab();
      await whenLoaded(page);
      const title = await titleOf(page);
      await whenStored(page);
      await page.close();
      await context.route(`${stack.baseUrl}/**`, (route) => route.abort('connectionrefused'));
      const offline = await openTab();
      await whenLoaded(offline);
      expect(await titleOf(offline)).toBe(title);
      expect(await run(offline, "app.network.requests.includes('SubscriptionDetails')")).toBe(true);
      await context.unrouteAll();
      await whenIdle(offline);
      expect(await run(offline, 'app.view.error')).toBeUndefined();
    });
  });

  describe('an error', () => {
    test('is displayed after one request of a read, because only the client retries', async () => {
      const page = await openApp(context, BENS_CONTRACT);
      await page.getByRole('alert').getByText('FORBIDDEN').waitFor();
      await whenIdle(page);
      const reads = "app.network.requests.filter((name) => name === 'SubscriptionDetails').length";
      expect(await run(page, reads)).toBe(1);
    });

    test('takes a rejected change back on the screen', async () => {
      const page = await openTab();
      await whenLoaded(page);
      const since = await countViews(page);
      await tap(page, 'skip', "expectedDate: '2030-01-01T00:00:00Z'");
      await page.waitForFunction('app.changes.skip.isError');
      await firstOrder(page).getByText('planned').waitFor();
      expect(await run(page, 'app.changes.skip.error.userErrors[0].code')).toBe('CYCLE_DATE_MISMATCH');
      const skippedViews = (await viewsOf(page, since)).map(({ orders }) => orders?.[0]?.skipped);
      const differences = skippedViews.filter((skipped, place) => skipped !== skippedViews[place - 1]);
      expect(`${differences}`).toMatch(/^(false,)?true,false$/);
      await whenIdle(page);
    });
  });

  test('the account’s hooks add an address and start a payment method update, and a sign-out deletes both', async () => {
    const page = await openTab();
    await whenLoaded(page);
    const address = "{ address1: '1 Main Street', city: 'Bangor', zip: '04401', countryCode: 'US' }";
    const added = await run(page, `app.account.addAddress.mutateAsync({ address: ${address} })`);
    expect(added).toMatchObject({ address: { address1: '1 Main Street', countryCodeV2: 'US' } });
    const paymentMethodId = 'app.view.detail.customerPaymentMethod.id';
    const started = await run<{ updateUrl: string | null; emailSent: boolean }>(
      page,
      `app.account.startPaymentMethodUpdate.mutateAsync({ paymentMethodId: ${paymentMethodId} })`,
    );
    expect([started.updateUrl !== null, started.emailSent].filter(Boolean)).toHaveLength(1);
    await run(page, 'app.signOut()');
    expect(await run(page, 'app.queryClient.getMutationCache().getAll().length')).toBe(0);
  });

  /** Chooses Ben's second card. */
  const choosePayingCard = (page: Page) =>
    run(
      page,
      `app.changes.updatePaymentMethod.mutateAsync({
      paymentMethodId: app.account.paymentMethods.data.find(({ instrument }) => instrument.lastDigits === '1881').id })`,
    );

  test('the account’s lists and the last payment show a decline and another card, and get a new address', async () => {
    await storeSession(context, BEN);
    const page = await context.newPage();
    await page.goto(`${site.origin}/?account#${BENS_CONTRACT}`);
    await page.waitForFunction(
      "['addresses', 'paymentMethods', 'lastPayment'].every((part) => window.app?.account[part].data) && app.view.detail",
    );
    const { errorCode, outcome, ...payment } = await run<LastPayment>(page, 'app.account.lastPayment.data');
    expect([outcome, errorCode]).toEqual(['DECLINED', 'CARD_DECLINED']);
    // The address of a confirmation must not get into a stored cache.
    expect(payment).not.toHaveProperty('nextActionUrl');
    await choosePayingCard(page);
    await page.waitForFunction("app.view.detail.customerPaymentMethod.instrument.lastDigits === '1881'");
    expect(await run(page, 'app.account.addresses.data.length')).toBe(1);
    await run(
      page,
      "void app.account.addAddress.mutate({ address: { address1: '2 Pine Street', countryCode: 'US' } })",
    );
    await page.waitForFunction(
      "app.account.addresses.data.some(({ address1 }) => address1 === '2 Pine Street')",
    );
  });

  test('a payment that is read as paid, and an added address, reach the parts of the screen that show them', async () => {
    await storeSession(context, BEN);
    const page = await context.newPage();
    await page.goto(`${site.origin}/?account#${BENS_CONTRACT}`);
    await page.waitForFunction(
      "app?.account.lastPayment.data?.outcome === 'DECLINED' && app.account.paymentMethods.data && app.view.list && app.view.events && app.view.detail?.lastPaymentStatus === 'FAILED'",
    );
    await choosePayingCard(page);
    await whenIdle(page);
    await chargeBen();
    await page.waitForFunction(
      "app.account.lastPayment.refetch().then(({ data }) => data?.outcome === 'PAID')",
      undefined,
      { polling: 200 },
    );
    await page.waitForFunction(
      "app.view.detail.lastPaymentStatus === 'SUCCEEDED' && app.view.list[0].lastPaymentStatus === 'SUCCEEDED'",
    );
    await whenIdle(page);
    const last = await run<string>(page, 'app.view.events[0].id');
    await run(
      page,
      "app.account.addAddress.mutateAsync({ address: { address1: '3 Elm Street', countryCode: 'US' } })",
    );
    const newest = 'app.view.events[0]';
    await page.waitForFunction(`${newest}.id !== '${last}' && ${newest}.message.includes('address')`);
  });

  /** Charges Ben's declined order again, as the store's job does. */
  async function chargeBen(): Promise<void> {
    const { baseUrl, adminKey } = stack;
    const contract = `gid://platform/SubscriptionContract/${BENS_CONTRACT}`;
    const query = `mutation { subscriptionBillingCycleCharge(subscriptionContractId: "${contract}",
    billingCycleSelector: { index: 2 }, idempotencyKey: "again") { userErrors { message } } }`;
    const response = await fetch(`${baseUrl}/api/admin/unstable/graphql.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await response.json()).toMatchObject({
      data: { subscriptionBillingCycleCharge: { userErrors: [] } },
    });
  }

  describe('the app of the README', () => {
    test.each(['react', 'react-19'] as const)(
      'signs in, skips an order, takes the skip back, and signs out, with %s',
      async (react) => {
        const { baseUrl: serviceUrl, shop, control } = stack;
        const readme = readFileSync('clients/react/README.md', 'utf8');
        const blocks = [...readme.matchAll(/^```tsx (app|screen)\n([\s\S]*?)^```$/gm)];
        const script = await bundleExample(react, {
          files: Object.fromEntries(blocks.map(([, name, text = '']) => [`${name}.tsx`, text])),
          actual: { serviceUrl, shop, page: `${exampleSite.origin}/account` },
        });
        exampleSite.show(script, { serviceUrl, shop });
        const own = await openContext();
        const page = await own.newPage();
        await page.goto(`${exampleSite.origin}/account`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.locator('input[name=email]').fill(ADA);
        await page.locator('input[name=email]').press('Enter');
        await page.locator('input[name=code]').fill(await control.oneTimeCode(ADA));
        await page.locator('input[name=code]').press('Enter');
        await page.getByRole('button', { name: ': ACTIVE' }).first().click();
        const undo = page.getByRole('button', { name: 'Undo the skip' });
        const skip = page.getByRole('button', { name: 'Skip', exact: true });
        const whenMade = () =>
          page.waitForResponse((response) => `${response.request().postData()}`.includes('SkipOrder'));
        await Promise.all([whenMade(), skip.first().click()]);
        await undo.waitFor();
        expect(await undo.count()).toBe(1);
        await Promise.all([whenMade(), undo.click()]);
        await undo.waitFor({ state: 'detached' });
        expect(await page.getByRole('alert').count()).toBe(0);
        await page.getByRole('button', { name: 'Back' }).click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
      },
    );
  });
});
