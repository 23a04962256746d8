/** The app of examples/web with lost responses, expired tokens and an unreachable service: the customer stays signed in. */
import { expect, test } from '@jest/globals';
import { ask } from '../contract/world/service-client.ts';
import { expectAccessible } from './accessible.ts';
import { browser, stack } from './shared-web-app.ts';
import {
  answerInstead,
  GRAPHQL,
  loseNextAnswer,
  openSignedInPhone,
  patternOf,
  recordRequests,
} from './web-app.ts';
import { card, signedInPhone, stored, UNAVAILABLE } from './web-app-trouble.ts';

/** The account screen has this, and it must be read from the service each time. */
const DEVICE = 'This browser';
const REFRESH = { path: '/headless-auth/refresh' };
const SKIP = { path: GRAPHQL, operation: 'mutation SkipOrder' };
const LIST = { path: GRAPHQL, operation: 'query Home' };

test('a lost answer of refresh gives the same tokens again, and nobody is signed out', async () => {
  const page = await signedInPhone();
  const { bodies } = await loseNextAnswer(page, REFRESH);
  await page.clock.fastForward('59:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(DEVICE).waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
});

test('a lost answer of skip is asked for again, and the order is skipped once', async () => {
  const page = await signedInPhone();
  await card(page).click();
  const skip = page.getByRole('button', { name: /^Skip / }).last();
  const name = (await skip.getAttribute('aria-label')) ?? '';
  const { bodies } = await loseNextAnswer(page, SKIP);
  await skip.click();
  const undo = page.getByRole('button', { name: name.replace('Skip', 'Undo skip') });
  await page.locator('.toast').waitFor();
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
  expect(await page.getByText('Skipped', { exact: true }).count()).toBe(1);
  await undo.click();
  await page.locator('.toast', { hasText: /^You restored / }).waitFor();
});

test('tokens are refreshed before they run out, and only then', async () => {
  const page = await signedInPhone();
  const refreshes = recordRequests(page, REFRESH);
  await page.clock.fastForward('30:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(DEVICE).waitFor();
  expect(refreshes).toHaveLength(0);
  await page.clock.fastForward('29:00');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await card(page).click();
  await page.getByRole('heading', { name: 'Next orders' }).waitFor();
  expect(refreshes).toHaveLength(1);
});

test('two tabs whose token runs out refresh it once', async () => {
  const page = await signedInPhone();
  const other = await page.context().newPage();
  await other.goto(stack.phoneUrl);
  // As the first tab's: a first request that has to be repeated waits by the machine's clock.
  await card(other).waitFor();
  await other.clock.install();
  const refreshes = [recordRequests(page, REFRESH), recordRequests(other, REFRESH)];
  await Promise.all([page, other].map((tab) => tab.clock.fastForward('59:00')));
  await Promise.all([page, other].map((tab) => tab.getByRole('link', { name: 'Account' }).click()));
  await Promise.all([page, other].map((tab) => tab.getByText(DEVICE).waitFor()));
  expect(refreshes.flat()).toHaveLength(1);
});

test('two tabs that both lost the answer of a refresh repeat it, and both go on', async () => {
  const page = await signedInPhone();
  const other = await page.context().newPage();
  await other.goto(stack.phoneUrl);
  await card(other).waitFor();
  const lost = [await loseNextAnswer(page, REFRESH), await loseNextAnswer(other, REFRESH)];
  const before = await stored(page);
  await page.clock.fastForward('59:00');
  await Promise.all([page, other].map((tab) => tab.getByRole('link', { name: 'Account' }).click()));
  await Promise.all([page, other].map((tab) => tab.getByText(DEVICE).waitFor()));
  const sent = lost.flatMap(({ bodies }) => bodies as { refreshToken: string }[]);
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ refreshToken }) => refreshToken))).toEqual(new Set([before.refreshToken]));
  expect((await stored(page)).refreshToken).not.toBe(before.refreshToken);
});

test.each(['reloaded', 'killed and opened again'])(
  'a page that is %s with a refresh in flight goes on with the next pair',
  async (how) => {
    const page = await signedInPhone();
    const before = await stored(page);
    const answered = Promise.withResolvers<void>();
    await page.route(patternOf(REFRESH), async (route) => {
      await route.fetch();
      // The service has rotated the token; the page gets no response.
      answered.resolve();
    });
    await page.clock.fastForward('59:00');
    await page.getByRole('link', { name: 'Account' }).click();
    await answered.promise;
    expect((await stored(page)).refreshToken).toBe(before.refreshToken);
    await page.unroute(patternOf(REFRESH));
    const next = how === 'reloaded' ? page : await page.context().newPage();
    if (next === page) await page.reload();
    else await Promise.all([page.close(), next.goto(`${stack.phoneUrl}/#/account`)]);
    await next.getByText(DEVICE).waitFor();
    expect((await stored(next)).refreshToken).not.toBe(before.refreshToken);
  },
);

test('in aeroplane mode the phone says so and keeps the session; back online it goes on by itself', async () => {
  const page = await signedInPhone();
  const before = await stored(page);
  await page.clock.fastForward('59:00');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('No connection. Trying again…').waitFor();
  const heading = page.getByRole('heading', { name: 'No connection.' }).first();
  while (!(await heading.isVisible())) await page.clock.fastForward(10_000);
  expect(await stored(page)).toEqual(before);
  await page.context().setOffline(false);
  await page.getByText(DEVICE).waitFor();
  expect((await stored(page)).refreshToken).not.toBe(before.refreshToken);
});

test('a payment that waits for the customer’s bank leads there, and says when it was refused', async () => {
  const order = `subscriptionContractId: "gid://platform/SubscriptionContract/9101004", billingCycleSelector: { index: 2 }`;
  const { shop, adminKey: bearer } = stack;
  await stack.control.card({ shop, contractId: 9101004, answers: ['ACTION_REQUIRED', 'DO_NOT_HONOR'] });
  const charge = `subscriptionBillingCycleCharge(${order}, idempotencyKey: "bank")`;
  await ask(stack, 'admin', { bearer, query: `mutation { ${charge} { userErrors { message } } }` });
  const page = await openSignedInPhone(browser, stack, 'ben@example.com');
  await page.getByRole('list').getByRole('link').filter({ hasText: 'Payment failed' }).click();
  const confirm = page.getByRole('button', { name: 'Confirm the payment' });
  await confirm.waitFor();
  await expectAccessible(page);
  const subscription = page.url();
  await confirm.click();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'The payment is refused' }).waitFor();
  await page.goto(subscription);
  await page.getByRole('heading', { name: 'Your last payment did not go through' }).waitFor();
  expect(await confirm.count()).toBe(0);
});

test('while the service is away the phone says so, keeps the session and goes on by itself', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...LIST, ...UNAVAILABLE, times: 2 });
  await page.reload();
  await page.getByText('The service is not responding right now. Trying again…').waitFor();
  await card(page).waitFor();
});

test('a phone that asks too often says so, and goes on by itself', async () => {
  const page = await signedInPhone();
  const body = { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] };
  await answerInstead(page, { ...LIST, status: 429, body, times: 2 });
  await page.reload();
  await page.getByText('There are too many requests right now. Trying again…').waitFor();
  await card(page).waitFor();
});

test('after some tries it says what to do; the customer stays signed in', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...LIST, ...UNAVAILABLE });
  await page.reload();
  const heading = page.getByRole('heading', { name: 'The service is not responding right now.' });
  await page.getByText('Trying again…').waitFor();
  while (!(await heading.isVisible())) {
    // An attempt whose response comes after its time would be reported as a lost connection.
    const attempt = page.waitForResponse(patternOf(LIST), { timeout: 1_000 }).catch(() => undefined);
    await page.clock.fastForward(10_000);
    await attempt;
  }
  expect(
    await page
      .getByText('Nothing has been lost, and you are still signed in. Try again in a moment.')
      .isVisible(),
  ).toBe(true);
  await expectAccessible(page);
  await page.unroute(patternOf(LIST));
  await page.getByRole('button', { name: 'Try again' }).click();
  await card(page).waitFor();
});

test('a refresh that is put off does not sign anybody out', async () => {
  const page = await signedInPhone();
  await answerInstead(page, { ...REFRESH, ...UNAVAILABLE, times: 2 });
  await page.clock.fastForward('59:00');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(DEVICE).waitFor();
});

// The last one: it moves the clock of the whole stack.
test('a token that the service refuses before its time is refreshed once, and the screen goes on', async () => {
  const page = await signedInPhone();
  const refreshes = recordRequests(page, REFRESH);
  await stack.control.clock({ advance: 3700 });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(DEVICE).waitFor();
  expect(refreshes).toHaveLength(1);
});
