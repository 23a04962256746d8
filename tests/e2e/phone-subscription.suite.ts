/** Everything a customer can change of a subscription, on the phone: one customer, one phone, one change after another. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from './accessible.ts';
import { answerInstead, GRAPHQL, openSignedInPhone, recordRequests } from './phone-app.ts';
import { adasPhone, browser, stack } from './shared-phone.ts';

let page: Page;

beforeEach(async () => {
  page = await adasPhone();
  // The monthly one, with two lines.
  await openSubscription(9101002);
});

async function openSubscription(id: number): Promise<void> {
  await page.evaluate(`location.hash = '#/subscriptions/${id}'`);
  await page.getByRole('heading', { name: 'History' }).waitFor();
}

const DAY_MS = 86_400_000;

function section(name: string): Locator {
  return page.getByRole('region', { name });
}

function sheet(): Locator {
  return page.getByRole('dialog').last();
}

/** The newest entry of the history. */
async function newest(): Promise<string> {
  return (await section('History').getByRole('listitem').first().textContent()) ?? '';
}

/** Waits for the toast. If an error is displayed instead, the test fails with it. */
async function seeToast(message: string): Promise<void> {
  const refusal = page.locator('dialog [role=alert] p');
  await page.locator('.toast', { hasText: message }).or(refusal).first().waitFor();
  expect(await refusal.allTextContents()).toEqual([]);
}

const STORE_ZONE = 'America/New_York';

function dayOf(timeMs: number, timeZone = STORE_ZONE): string {
  return new Date(timeMs).toLocaleDateString('en-CA', { timeZone });
}

test('the list and the page agree on what comes next, and name the store’s days wherever the phone is', async () => {
  const planned = await section('Next orders').locator('.upcoming time').getAttribute('datetime');
  const plannedMs = Date.parse(planned ?? '');
  const isOnOtherDay = (zone: string) => dayOf(plannedMs, zone) !== dayOf(plannedMs);
  const timezoneId = ['Pacific/Kiritimati', 'Pacific/Midway'].find(isOnOtherDay) ?? 'no zone';
  page = await openSignedInPhone(browser, stack, 'ada@example.com', { timezoneId });
  const card = page.locator('a[href="#/subscriptions/9101002"]');
  const inStore = (options: Intl.DateTimeFormatOptions) =>
    new Date(plannedMs).toLocaleDateString('en', { ...options, timeZone: STORE_ZONE });
  expect(await card.locator('.next').textContent()).toContain(
    inStore({ weekday: 'short', day: 'numeric', month: 'short' }),
  );
  const price = (await card.locator('.price').textContent()) ?? '?';
  await card.click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const total = section('In each order').getByRole('listitem').filter({ hasText: 'Total' });
  expect(await total.textContent()).toContain(price);
  const upcoming = section('Next orders').locator('.upcoming');
  await upcoming.getByRole('button', { name: /^Skip / }).click();
  await seeToast(`Skipped ${inStore({ weekday: 'short', day: 'numeric', month: 'long' })}.`);
  expect(await newest()).toContain(inStore({ dateStyle: 'long' }));
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await seeToast('is back on.');
});

test('a refused change says why in the sheet, and changes nothing', async () => {
  const line = section('In each order').getByRole('listitem').first();
  const before = await line.textContent();
  await line.getByRole('button', { name: /^Change / }).click();
  await sheet().getByRole('radio').first().waitFor();
  await expectAccessible(page);
  const userErrors = [{ field: ['update', '0', 'quantity'], message: 'There are only 3 left.' }];
  const body = { data: { subscriptionContractLinesUpdate: { contract: null, userErrors } } };
  await answerInstead(page, { path: GRAPHQL, operation: 'mutation Lines', status: 200, body, times: 1 });
  await sheet().getByRole('button', { name: 'Save' }).click();
  await sheet().getByRole('alert').getByText('There are only 3 left.').waitFor();
  await expectAccessible(page);
  await sheet().getByRole('button', { name: 'Close' }).click();
  expect(await line.textContent()).toBe(before);
});

test('changes a quantity, and the total follows', async () => {
  const contents = section('In each order');
  const total = () => contents.getByRole('listitem').filter({ hasText: 'Total' }).textContent();
  const before = await total();
  await contents
    .getByRole('button', { name: /^Change / })
    .first()
    .click();
  await sheet().getByLabel('Quantity').fill('3');
  await sheet().getByRole('button', { name: 'Save' }).click();
  await seeToast('Your upcoming orders have been updated.');
  expect(await contents.getByRole('listitem').first().textContent()).toContain('3 ×');
  expect(await total()).not.toBe(before);
  expect(await newest()).toMatch(/^You changed /);
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
  await sheet().getByRole('button', { name: 'Save' }).click();
  await seeToast('Your upcoming orders have been updated.');
  expect(label).toContain((await first.locator('small').textContent()) ?? '?');

  const lines = () => contents.getByRole('button', { name: /^Change / }).count();
  expect(await lines()).toBe(2);
  await contents.getByRole('button', { name: 'Add a product' }).click();
  await sheet().getByRole('radio').first().check();
  await expectAccessible(page);
  await sheet().getByRole('button', { name: 'Add to my orders' }).click();
  await seeToast('has been added.');
  expect(await lines()).toBe(3);

  await contents
    .getByRole('button', { name: /^Change / })
    .last()
    .click();
  // The alternatives move the buttons below when they load.
  await sheet().locator('.skeletons').waitFor({ state: 'detached' });
  await sheet().getByRole('button', { name: 'Remove from my orders' }).click();
  await expectAccessible(page);
  await sheet().getByRole('button', { name: 'Remove', exact: true }).click();
  await seeToast('has been removed.');
  expect(await lines()).toBe(2);
});

test('moves an order to another day', async () => {
  const orders = section('Next orders');
  const last = orders.getByRole('listitem').nth(1);
  const planned = (await last.locator('time').getAttribute('datetime')) ?? '';
  await last.getByRole('button', { name: /^Move / }).click();
  await expectAccessible(page);
  await sheet()
    .getByLabel('New date')
    .fill(dayOf(Date.parse(planned) - 3 * DAY_MS));
  await sheet().getByRole('button', { name: 'Move order' }).click();
  await seeToast('Order moved to');
  const moved = (await last.locator('time').getAttribute('datetime')) ?? '';
  expect(dayOf(Date.parse(moved))).toBe(dayOf(Date.parse(planned) - 3 * DAY_MS));
  await last.getByRole('button').first().and(page.locator(':focus')).waitFor();
});

test('changes the frequency at the price that was shown', async () => {
  const terms = section('Your subscription');
  await terms.getByRole('button', { name: 'Change how often it comes' }).click();
  const choice = sheet().locator('.choice').filter({ hasText: 'Every 2 weeks' });
  const price = /\$[\d.]+(?= per order)/.exec((await choice.textContent()) ?? '')?.[0] ?? 'no price';
  await expectAccessible(page);
  await choice.getByRole('radio').check();
  await sheet().getByRole('button', { name: 'Save' }).click();
  await seeToast('Your orders now come every 2 weeks.');
  expect(await terms.getByRole('listitem').first().textContent()).toContain('Every 2 weeks');
  const total = section('In each order').getByRole('listitem').filter({ hasText: 'Total' });
  expect(await total.textContent()).toContain(price);
});

test('changes the address, and the way of delivery there', async () => {
  const terms = section('Your subscription');
  await terms.getByRole('button', { name: 'Change the delivery address' }).click();
  await expectAccessible(page);
  await sheet().getByLabel('Street address').fill('1 Harbor Lane');
  await sheet().getByRole('button', { name: 'Save' }).click();
  await sheet().getByRole('group', { name: 'Delivery option' }).getByRole('radio').last().check();
  await expectAccessible(page);
  await sheet().getByRole('button', { name: 'Save' }).click();
  await seeToast('Your delivery address has been updated.');
  expect(await terms.textContent()).toContain('1 Harbor Lane');
  // The history records the change, but not the address itself.
  expect(await newest()).not.toContain('Harbor');
});

test('offers other payment methods, and sends the e-mail that renews a card', async () => {
  const terms = section('Your subscription');
  await terms.getByRole('button', { name: 'Change the payment method' }).click();
  const methods = sheet().getByRole('radio');
  await methods.first().waitFor();
  await expectAccessible(page);
  expect(await sheet().getByRole('group', { name: 'Pay with' }).textContent()).toMatch(/•••• \d{4}/);
  await sheet().getByRole('button', { name: 'Email me a link to update this card' }).click();
  await seeToast('The email is on its way.');
});

test('pauses until a day, and ends the pause', async () => {
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expectAccessible(page);
  await sheet()
    .getByLabel('Resume on (optional)')
    .fill(dayOf(Date.now() + 30 * DAY_MS));
  await sheet().getByLabel('Reason (optional)').fill('On <b>holiday</b>');
  await sheet().getByRole('button', { name: 'Pause', exact: true }).click();
  await seeToast('Paused until');
  expect(await section('Next orders').textContent()).toContain('It resumes on');
  await expectAccessible(page);
  expect(await newest()).toContain('<b>holiday</b>');
  await page.getByRole('button', { name: 'Resume now' }).click();
  await seeToast('Your subscription is active again.');
  expect(await section('Next orders').getByRole('listitem').count()).toBeGreaterThan(0);
});

test('shows the history in plain words', async () => {
  await page.getByRole('button', { name: 'Show more' }).click();
  const history = section('History').getByRole('listitem');
  await history.nth(8).waitFor();
  for (const message of await history.allTextContents()) {
    expect(message).toMatch(/^You .+\w{3} \d+, \d{4}/);
    expect(message).not.toMatch(/[a-z]_[a-z]|undefined|null|&lt;|gid:/);
  }
});

test('offers a pause and asks for a reason before it cancels, and allows no change afterwards', async () => {
  page = await openSignedInPhone(browser, stack, 'carla@example.com');
  await openSubscription(9102000);
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  expect(await sheet().getByRole('button', { name: 'Pause instead' }).isVisible()).toBe(true);
  await expectAccessible(page);
  const sent = recordRequests(page, { path: GRAPHQL, operation: 'mutation Cancel' });
  await sheet().getByRole('button', { name: 'Cancel subscription' }).click();
  // Without a reason the form is not sent.
  expect(sent).toHaveLength(0);
  await sheet().getByRole('radio', { name: 'I have too much of it' }).check();
  await sheet().getByRole('button', { name: 'Cancel subscription' }).click();
  await seeToast('Your subscription has been cancelled.');
  expect(await section('Next orders').textContent()).toContain('There are no more orders');
  expect(await page.getByRole('button', { name: /^Change / }).count()).toBe(0);
  await expectAccessible(page);
});
