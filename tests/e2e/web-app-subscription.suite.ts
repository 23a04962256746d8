/** Everything a customer can change of a subscription, in the app of examples/web: one customer, one phone, one change after another. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { ask } from '../contract/world/service-client.ts';
import { expectAccessible } from './accessible.ts';
import { adasPhone, browser, stack } from './shared-web-app.ts';
import { answerInstead, GRAPHQL, openSignedInPhone, patternOf, recordRequests } from './web-app.ts';

let page: Page;

beforeEach(async () => {
  page = await adasPhone();
  // The monthly one, with two lines.
  await openSubscription(9101002);
});

const hashOf = (id: number) =>
  `#/subscriptions/${encodeURIComponent(`gid://platform/SubscriptionContract/${id}`)}`;

async function openSubscription(id: number): Promise<void> {
  await page.evaluate(`location.hash = '${hashOf(id)}'`);
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await section('History').getByText('Loading').waitFor({ state: 'detached' });
}

const DAY_MS = 86_400_000;

function section(name: string): Locator {
  return page.getByRole('region', { name });
}

function sheet(): Locator {
  return page.getByRole('dialog').last();
}

const priceIn = (text: string | null) => /\$[\d.]+\d/.exec(text ?? '')?.[0] ?? 'no price';

/** The newest entry of the history. */
const newest = () => section('History').getByRole('listitem').first();

/**
 * Makes a change: the toast says what was done, and the history has the same text as its newest entry. If an error is
 * displayed instead, the test fails with it.
 * @returns the text
 */
async function change(make: () => Promise<void>): Promise<string> {
  const [before = ''] = await section('History').getByRole('listitem').allTextContents();
  await make();
  const refusal = page.locator('dialog [role=alert] h2');
  const changed = before === '' ? newest() : newest().filter({ hasNotText: before });
  await changed.or(refusal).first().waitFor();
  expect(await refusal.allTextContents()).toEqual([]);
  const text = (await page.locator('.toast span span').textContent()) ?? '';
  await newest().getByText(text).waitFor();
  return text;
}

const STORE_ZONE = 'America/New_York';

function dayOf(timeMs: number, timeZone = STORE_ZONE): string {
  return new Date(timeMs).toLocaleDateString('en-CA', { timeZone });
}

test('a price that is not certain is named so, and prices of a store that charges by itself are called today’s', async () => {
  page = await openSignedInPhone(browser, stack, 'ada@example.com');
  await openSubscription(9101002);
  await section('Next orders').getByText('Prices are today’s.').waitFor();
  await page.route(patternOf({ path: GRAPHQL }), async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"total":\{[^}]*\}/g, '"total":null');
    return route.fulfill({ response, body });
  });
  await page.reload();
  await section('Next orders').getByText('· price not certain yet').first().waitFor();
  await section('In each order').getByText('Not certain yet').waitFor();
  expect(await page.getByText('Prices are today’s.').count()).toBe(0);
});

test('the list and the page agree on what comes next, and name the store’s days wherever the browser is', async () => {
  const planned = await section('Next orders').locator('.next time').getAttribute('datetime');
  const plannedMs = Date.parse(planned ?? '');
  const isOnOtherDay = (zone: string) => dayOf(plannedMs, zone) !== dayOf(plannedMs);
  const timezoneId = ['Pacific/Kiritimati', 'Pacific/Midway'].find(isOnOtherDay) ?? 'no zone';
  page = await openSignedInPhone(browser, stack, 'ada@example.com', { timezoneId });
  const card = page.locator(`a[href="${hashOf(9101002)}"]`);
  const inStore = (options: Intl.DateTimeFormatOptions) =>
    new Date(plannedMs).toLocaleDateString('en', { ...options, timeZone: STORE_ZONE });
  const day = inStore({ weekday: 'short', day: 'numeric', month: 'long' });
  const text = (await card.textContent()) ?? '';
  expect(text).toContain(`Next order: ${day}`);
  const price = /\$[\d.]+/.exec(text)?.[0] ?? '?';
  await card.click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const total = section('In each order').getByRole('listitem').filter({ hasText: 'Total' });
  expect(await total.textContent()).toContain(price);
  const skipped = await change(() =>
    section('Next orders')
      .getByRole('button', { name: `Skip ${day}` })
      .click(),
  );
  expect(skipped).toContain(inStore({ dateStyle: 'long' }));
  expect(await change(() => page.locator('.toast').getByRole('button', { name: 'Undo' }).click())).toMatch(
    /^You restored /,
  );
});

test('a refused change says why in the sheet, and changes nothing', async () => {
  const line = section('In each order').getByRole('listitem').first();
  const before = await line.textContent();
  await line.getByRole('button', { name: /^Change / }).click();
  await sheet().getByRole('radio').first().waitFor();
  await expectAccessible(page);
  const userErrors = [{ field: ['update', '0', 'quantity'], message: 'There are only 3 left.' }];
  const payload = { subscription: null, event: null, deliveryOptions: [], userErrors };
  const body = { data: { subscriptionContractLinesUpdate: payload } };
  await answerInstead(page, {
    path: GRAPHQL,
    operation: 'mutation UpdateLines',
    status: 200,
    body,
    times: 1,
  });
  await sheet().getByLabel('Quantity').fill('4');
  await sheet().getByRole('button', { name: 'Save' }).click();
  await sheet().getByRole('alert').getByText('There are only 3 left.').waitFor();
  await expectAccessible(page);
  await sheet().getByRole('button', { name: 'Close' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await line.textContent()).toBe(before);
});

test('changes a quantity at the price that was shown, and the total follows', async () => {
  const contents = section('In each order');
  const total = contents.getByRole('listitem').filter({ hasText: 'Total' });
  const before = (await total.textContent()) ?? '';
  await contents
    .getByRole('button', { name: /^Change / })
    .first()
    .click();
  const cost = sheet().getByText('The next order will cost');
  await sheet().getByLabel('Quantity').fill('12');
  const costOfTwelve = (await cost.textContent()) ?? '';
  await sheet().getByLabel('Quantity').fill('3');
  const price = priceIn(await cost.filter({ hasNotText: costOfTwelve }).textContent());
  await expectAccessible(page);
  expect(await change(() => sheet().getByRole('button', { name: 'Save' }).click())).toMatch(/^You changed /);
  expect(await contents.getByRole('listitem').first().textContent()).toContain('3 ×');
  expect(await total.textContent()).not.toBe(before);
  expect(await total.textContent()).toContain(price);
});

test('asks for the price of the number that was typed, not of each digit, and of a product that is added', async () => {
  page = await openSignedInPhone(browser, stack, 'ada@example.com');
  await page.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
  await page.clock.install();
  await openSubscription(9101002);
  const previews = recordRequests(page, { path: GRAPHQL, operation: 'mutation PreviewLines' });
  await section('In each order').getByRole('button', { name: 'Add a product' }).click();
  await sheet().getByRole('radio').first().check();
  const cost = sheet().getByText('The next order will cost');
  await cost.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await sheet().getByLabel('Quantity').fill('');
  await sheet().getByLabel('Quantity').pressSequentially('125');
  await cost.waitFor({ state: 'detached' });
  expect(previews).toHaveLength(1);
  await page.clock.runFor(2_000);
  await page.clock.resume();
  await cost.waitFor();
  expect(previews).toHaveLength(2);
});

test('allows a change whose price cannot be shown', async () => {
  const errors = [
    { message: 'Too many dry runs.', extensions: { code: 'THROTTLED', retryAfterSeconds: 1800 } },
  ];
  const body = { data: { subscriptionContractLinesUpdate: null }, errors };
  await answerInstead(page, { path: GRAPHQL, operation: 'mutation PreviewLines', status: 429, body });
  await section('In each order')
    .getByRole('button', { name: /^Change / })
    .first()
    .click();
  await sheet().getByLabel('Quantity').fill('4');
  await sheet().getByText('You see the price when the change is saved.').waitFor();
  expect(await sheet().getByRole('alert').count()).toBe(0);
  await change(() => sheet().getByRole('button', { name: 'Save' }).click());
});

test('swaps a product, and adds and removes one', async () => {
  const contents = section('In each order');
  const first = contents.getByRole('listitem').first();
  await first.getByRole('button', { name: /^Change / }).click();
  const choices = sheet().getByRole('group', { name: 'Product' }).locator('.choice');
  await choices.nth(1).waitFor();
  // The current choice is selected, and each choice has its picture.
  expect(await choices.filter({ hasText: 'Current' }).getByRole('radio').isChecked()).toBe(true);
  expect(await choices.locator('img').count()).toBe(await choices.count());
  await choices.nth(1).getByRole('radio').check();
  const label = (await choices.nth(1).textContent()) ?? '';
  await change(() => sheet().getByRole('button', { name: 'Save' }).click());
  expect(label).toContain((await first.locator('small').textContent()) ?? '?');

  const lines = () => contents.getByRole('button', { name: /^Change / }).count();
  expect(await lines()).toBe(2);
  await contents.getByRole('button', { name: 'Add a product' }).click();
  await sheet().getByRole('radio').first().check();
  await expectAccessible(page);
  await change(() => sheet().getByRole('button', { name: 'Add to my orders' }).click());
  expect(await lines()).toBe(3);

  await contents
    .getByRole('button', { name: /^Change / })
    .last()
    .click();
  // The alternatives move the buttons below when they load.
  await sheet().getByRole('radio').first().waitFor();
  await sheet().getByRole('button', { name: 'Remove from my orders' }).click();
  await expectAccessible(page);
  await change(() => sheet().getByRole('button', { name: 'Remove', exact: true }).click());
  expect(await lines()).toBe(2);
});

test('offers each day on which a postponed order can come, up to the day of a skipped one', async () => {
  const orders = section('Next orders').getByRole('listitem');
  const next = section('Next orders').locator('.next');
  const planned = (await next.locator('time').getAttribute('datetime')) ?? '';
  await next.getByRole('button', { name: /^Postpone / }).click();
  await sheet()
    .getByLabel('New date')
    .fill(dayOf(Date.parse(planned) + 2 * DAY_MS));
  await change(() => sheet().getByRole('button', { name: 'Postpone' }).click());
  const following = orders.filter({ has: page.getByRole('button', { name: /^Skip / }) }).nth(1);
  const skipped = dayOf(Date.parse((await following.locator('time').getAttribute('datetime')) ?? ''));
  await change(() => following.getByRole('button', { name: /^Skip / }).click());
  await next.getByRole('button', { name: /^Postpone / }).click();
  await sheet().locator(`input[name="day"][max="${skipped}"]`).waitFor();
  await sheet().getByText('Possible days: ').waitFor();
  await sheet().getByRole('button', { name: 'Close' }).click();
  await change(() => page.getByRole('button', { name: /^Undo skip / }).click());
  await change(() => page.getByRole('button', { name: 'Undo postponement' }).click());
  expect(await next.locator('time').getAttribute('datetime')).toBe(planned);
});

test('says why no day is possible before one is chosen for a postponement', async () => {
  const message = 'The orders do not follow the interval, so that none can be postponed.';
  const userErrors = [{ field: ['contractId'], code: 'CYCLES_IRREGULAR', message, details: null }];
  const body = { data: { subscriptionOrderPostpone: { upcomingOrders: null, userErrors } } };
  const operation = 'mutation PreviewPostponement';
  await answerInstead(page, { path: GRAPHQL, operation, status: 200, body, times: 1 });
  await section('Next orders')
    .getByRole('button', { name: /^Postpone / })
    .click();
  await sheet().getByRole('alert').getByText(message).waitFor();
  expect(await sheet().getByLabel('New date').count()).toBe(0);
  await sheet().getByRole('button', { name: 'Close' }).click();
});

test('offers no postponement of orders on fixed days, and says why', async () => {
  await page.route(patternOf({ path: GRAPHQL }), async (route) => {
    if (route.request().method() === 'OPTIONS') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"anchors":[]', '"anchors":[{"type":"WEEKDAY"}]');
    await route.fulfill({ response, body });
  });
  await page.reload();
  const orders = section('Next orders');
  await orders.getByText('Orders come on fixed days. Skip an order if you want it later.').waitFor();
  const postponeButton = orders.getByRole('button', { name: /^Postpone / });
  expect(await postponeButton.count()).toBe(0);
  await page.unrouteAll();
  await page.reload();
  await postponeButton.waitFor();
});

test('moves an order to another day', async () => {
  const last = section('Next orders').getByRole('listitem').nth(1);
  const planned = (await last.locator('time').getAttribute('datetime')) ?? '';
  await last.getByRole('button', { name: /^Move / }).click();
  await expectAccessible(page);
  const field = sheet().getByLabel('New date');
  const [first, final] = [await field.getAttribute('min'), await field.getAttribute('max')].map((day) =>
    new Date(`${day}`).toLocaleString('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }),
  );
  await sheet()
    .getByText(new RegExp(`^Possible days: \\w{3}, ${first}(, \\d{4})? to \\w{3}, ${final}(, \\d{4})?\\.$`))
    .waitFor();
  const earlier = dayOf(Date.parse(planned) - 3 * DAY_MS);
  await field.fill(earlier);
  await change(() => sheet().getByRole('button', { name: 'Move order' }).click());
  const moved = (await last.locator('time').getAttribute('datetime')) ?? '';
  expect(dayOf(Date.parse(moved))).toBe(earlier);
  // The button that was pressed has the day that changed in its name, and has the focus again.
  await last
    .getByRole('button', { name: /^Move / })
    .and(page.locator(':focus'))
    .waitFor();
});

test('postpones the next order, and takes it back', async () => {
  const next = section('Next orders').locator('.next');
  const planned = (await next.locator('time').getAttribute('datetime')) ?? '';
  await next.getByRole('button', { name: /^Postpone / }).click();
  await expectAccessible(page);
  const later = dayOf(Date.parse(planned) + 7 * DAY_MS);
  await sheet().getByLabel('New date').fill(later);
  const text = new Date(later).toLocaleString('en', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  const previewText = sheet().getByText(new RegExp(`^Orders then: \\w{3}, ${text}[,;].*;`));
  const days = (await previewText.textContent())?.slice('Orders then: '.length, -1).split('; ') ?? [];
  await change(() => sheet().getByRole('button', { name: 'Postpone' }).click());
  const postponed = (await next.locator('time').getAttribute('datetime')) ?? '';
  expect(dayOf(Date.parse(postponed))).toBe(later);
  const coming = section('Next orders').getByRole('listitem').filter({ hasNotText: 'No order on this day' });
  const displayedDays = await coming.locator('time').allTextContents();
  expect(displayedDays.slice(0, days.length)).toEqual(days);
  // The former day says what happened, and offers nothing that the service refuses.
  const former = section('Next orders').getByRole('listitem').filter({ hasText: 'No order on this day' });
  expect(await former.locator('time').getAttribute('datetime')).toBe(planned);
  expect(await former.getByRole('button').count()).toBe(0);
  expect(await section('Next orders').textContent()).toMatch(
    /undo this until \w{3} \d+, \d{4}, \d+:\d{2} [AP]M/,
  );
  await expectAccessible(page);
  await change(() => page.getByRole('button', { name: 'Undo postponement' }).click());
  expect(await next.locator('time').getAttribute('datetime')).toBe(planned);
});

test('says before and after a skip that it ends the undo of a postponement, which comes back with the order', async () => {
  const orders = section('Next orders');
  const next = orders.locator('.next');
  const planned = (await next.locator('time').getAttribute('datetime')) ?? '';
  await next.getByRole('button', { name: /^Postpone / }).click();
  await sheet()
    .getByLabel('New date')
    .fill(dayOf(Date.parse(planned) + 2 * DAY_MS));
  await change(() => sheet().getByRole('button', { name: 'Postpone' }).click());
  const undo = page.getByRole('button', { name: 'Undo postponement' });
  await orders.getByText('A skipped or moved order, or a new interval, ends this earlier.').waitFor();
  // An order that was moved before is restored on another day, which ends the undo, too.
  const skip = orders.getByRole('button', { name: /^Skip / }).nth(2);
  await change(() => skip.click());
  await page.locator('.toast').getByText('The postponement can no longer be undone.').waitFor();
  expect(await undo.count()).toBe(0);
  await change(() => page.locator('.toast').getByRole('button', { name: 'Undo' }).click());
  expect(await page.locator('.toast').textContent()).not.toContain('postponement');
  await change(() => undo.click());
  expect(await next.locator('time').getAttribute('datetime')).toBe(planned);
});

/** Skips the next order as a merchant’s app does, with a key of the store. */
async function skipNextByAnotherApp(): Promise<void> {
  const id = 'gid://platform/SubscriptionContract/9101002';
  const send = (query: string) => ask(stack, 'admin', { bearer: stack.adminKey, query });
  const read = await send(`{ subscriptionContract(id: "${id}") { nextOrder { cycleIndex } } }`);
  const index = /"cycleIndex":(\d+)/.exec(read.text)?.[1];
  const cycle = `contractId: "${id}", billingCycleIndex: ${index}`;
  const { body } = await send(
    `mutation { subscriptionBillingCycleSkip(${cycle}) { userErrors { message } } }`,
  );
  expect(body).toMatchObject({ data: { subscriptionBillingCycleSkip: { userErrors: [] } } });
}

test.each(['Postpone', 'Move'])(
  '“%s” says why it is refused when another app has skipped the order, and stays until it is read',
  async (action) => {
    const next = section('Next orders').locator('.next');
    const skipped = await next.locator('time').textContent();
    await next.getByRole('button', { name: new RegExp(`^${action} `) }).click();
    const date = await sheet().getByLabel('New date').getAttribute('max');
    await skipNextByAnotherApp();
    await sheet().getByLabel('New date').fill(`${date}`);
    await sheet()
      .getByRole('button', { name: action === 'Move' ? 'Move order' : action })
      .click();
    const row = section('Next orders').getByRole('listitem').filter({ hasText: 'Skipped' });
    await row.filter({ hasText: `${skipped}` }).waitFor();
    expect(await sheet().getByRole('alert').textContent()).toMatch(/skipped|now due on/);
    await sheet().getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await change(() => row.getByRole('button', { name: /^Undo skip / }).click());
  },
);

test('an order that was moved earlier is postponed alone, which offers no undo', async () => {
  const next = section('Next orders').locator('.next');
  const planned = (await next.locator('time').getAttribute('datetime')) ?? '';
  const later = await section('Next orders').getByRole('listitem').nth(1).locator('time').textContent();
  const changeDate = async (button: RegExp, daysEarlier: number, submit: string) => {
    await next.getByRole('button', { name: button }).click();
    await sheet()
      .getByLabel('New date')
      .fill(dayOf(Date.parse(planned) - daysEarlier * DAY_MS));
    await change(() => sheet().getByRole('button', { name: submit }).click());
  };
  await changeDate(/^Move /, 3, 'Move order');
  await changeDate(/^Postpone /, 1, 'Postpone');
  expect(await page.locator('.toast').getByRole('button').count()).toBe(0);
  expect(await section('Next orders').getByRole('listitem').nth(1).locator('time').textContent()).toBe(later);
});

test('changes the frequency at the price that was shown, and names a skip that ends', async () => {
  const terms = section('Your subscription');
  const third = section('Next orders').getByRole('listitem').nth(2);
  const skipped = await third.locator('time').textContent();
  await change(() => third.getByRole('button', { name: /^Skip / }).click());
  await terms.getByRole('button', { name: 'Change how often it comes' }).click();
  // The plan's name, which says the same, is not repeated.
  await sheet().getByRole('radio', { name: 'Every 2 weeks', exact: true }).check();
  const price = priceIn(await sheet().getByText('The next order will cost').textContent());
  await expectAccessible(page);
  await change(() => sheet().getByRole('button', { name: 'Save' }).click());
  const toast = await page.locator('.toast').textContent();
  expect(toast).toMatch(new RegExp(`Next order: .*No longer skipped: ${skipped}\\.`));
  expect(await terms.getByRole('listitem').first().textContent()).toContain('Every 2 weeks');
  const total = section('In each order').getByRole('listitem').filter({ hasText: 'Total' });
  expect(await total.textContent()).toContain(price);
});

test('says how often a prepaid subscription is paid and how often it is delivered', async () => {
  const [customer] = (await stack.control.seed({ customers: 1 })).customers;
  const prepaid = { id: 9_960_001, planId: 830_100_201, lines: [[810_100_201, 1]] };
  const createdMs = Date.parse(await stack.control.now()) - 7 * DAY_MS;
  await stack.control.seed({ subscriptions: [{ ...prepaid, createdMs, customerId: customer?.id }] });
  page = await openSignedInPhone(browser, stack, `${customer?.email}`);
  await page.getByRole('link', { name: /\$[\d.]+ paid every 3 months, delivered every month/ }).waitFor();
  await openSubscription(prepaid.id);
  const terms = section('Your subscription');
  await terms.getByText('Paid every 3 months, delivered every month').waitFor();
  await terms.getByRole('button', { name: 'Change how often it comes' }).click();
  const choices = sheet().locator('.choice');
  await choices.first().waitFor();
  expect(await choices.filter({ hasText: 'Current' }).allTextContents()).toEqual([
    expect.stringMatching(/^Paid every 3 months, delivered every month/),
  ]);
});

test('changes the address, and the way of delivery there', async () => {
  const terms = section('Your subscription');
  await terms.getByRole('button', { name: 'Change the delivery address' }).click();
  await expectAccessible(page);
  await sheet().getByLabel('Street address').fill('1 Harbor Lane');
  await sheet().getByRole('button', { name: 'Save' }).click();
  await sheet().getByRole('group', { name: 'Delivery option' }).getByRole('radio').last().check();
  await expectAccessible(page);
  const changed = await change(() => sheet().getByRole('button', { name: 'Save' }).click());
  expect(await terms.textContent()).toContain('1 Harbor Lane');
  // The history records the change, but not the address itself.
  expect(changed).not.toContain('Harbor Lane');
});

test('offers other payment methods, and sends the e-mail that renews a card', async () => {
  const terms = section('Your subscription');
  await terms.getByRole('button', { name: 'Change the payment method' }).click();
  await sheet().getByRole('radio').first().waitFor();
  await expectAccessible(page);
  expect(await sheet().getByRole('group', { name: 'Pay with' }).textContent()).toMatch(/•••• \d{4}/);
  await sheet().getByRole('button', { name: 'Email me a link to update this card' }).click();
  await page.locator('.toast', { hasText: 'The email is on its way.' }).waitFor();
});

test('pauses until a day, and ends the pause', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expectAccessible(page);
  await sheet()
    .getByLabel('Resume on (optional)')
    .fill(dayOf(Date.now() + 30 * DAY_MS));
  await sheet().getByLabel('Reason (optional)').fill('On <b>holiday</b>');
  const paused = await change(() => sheet().getByRole('button', { name: 'Pause', exact: true }).click());
  expect(paused).toContain('<b>holiday</b>');
  const orders = section('Next orders');
  expect(await orders.textContent()).toMatch(/It resumes on .+ The first order comes on /);
  // The orders after the pause are listed; none can be postponed or sent now before.
  await orders.getByRole('listitem').first().waitFor();
  expect(await orders.getByRole('button', { name: /^(Postpone|Send now) / }).count()).toBe(0);
  await expectAccessible(page);
  await change(() => page.getByRole('button', { name: 'Resume now' }).click());
  await section('Next orders').getByRole('listitem').first().waitFor();
});

test('says of a pause without an end that no order comes until the customer ends it', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await change(() => sheet().getByRole('button', { name: 'Pause', exact: true }).click());
  await section('Next orders').getByText('No order comes until you resume it.').waitFor();
  await change(() => page.getByRole('button', { name: 'Resume now' }).click());
});

test('says why there is no interval to choose from', async () => {
  page = await openSignedInPhone(browser, stack, 'ada@example.com');
  await openSubscription(9101002);
  const pageInfo = { hasNextPage: false, endCursor: null };
  const data = { subscriptionIntervalInfo: { sellingPlanGroups: { nodes: [], pageInfo } } };
  await answerInstead(page, { path: GRAPHQL, operation: 'query IntervalInfo', status: 200, body: { data } });
  await page.getByRole('button', { name: 'Change how often it comes' }).click();
  await sheet().getByText('The store offers no interval to choose from for the products').waitFor();
});

test('shows the history in plain words', async () => {
  const history = section('History');
  await history.getByRole('listitem').nth(8).waitFor();
  for (const message of await history.getByRole('listitem').allTextContents()) {
    expect(message).toMatch(/^(You|The store) .+\w{3} \d+, \d{4}/);
    expect(message).not.toMatch(/[a-z]_[a-z]|undefined|null|&lt;|gid:/);
  }
});

test('asks for a reason before it cancels, and allows no change afterwards', async () => {
  page = await openSignedInPhone(browser, stack, 'carla@example.com');
  await openSubscription(9102000);
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await expectAccessible(page);
  const sent = recordRequests(page, { path: GRAPHQL, operation: 'mutation Cancel' });
  await sheet().getByRole('button', { name: 'Cancel subscription' }).click();
  // Without a reason the form is not sent.
  expect(sent).toHaveLength(0);
  await sheet().getByRole('radio', { name: 'I have too much of it' }).check();
  await change(() => sheet().getByRole('button', { name: 'Cancel subscription' }).click());
  expect(await section('Next orders').textContent()).toContain('There are no more orders');
  expect(await page.getByRole('button', { name: /^Change / }).count()).toBe(0);
  await expectAccessible(page);
});
