/** What the app of examples/web shows of an order that was sent now: while it is due, after its minutes, and after a pause. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createMerchantClient } from '../../../clients/typescript/src/client.ts';
import { createHands } from '../../operator/operator-hands.ts';
import { browser, stack } from '../shared-web-app.ts';
import { openSignedInPhone } from '../web-app.ts';

const DAY_MS = 86_400_000;
let contract = 9_970_000;
let page: Page;

const offerSendNow = (setting: string) =>
  createHands(stack).command(['store', 'update', stack.shop, '--send-now', setting]);
describe('an order that was sent now', () => {
  beforeAll(() => offerSendNow('MOVE'));
  afterAll(() => offerSendNow('OFF'));

  /** A customer’s weekly subscription, whose next order was sent now. */
  beforeEach(async () => {
    contract += 1;
    const [customer] = (await stack.control.seed({ customers: 1 })).customers;
    const createdMs = Date.parse(await stack.control.now()) - 4 * DAY_MS;
    const content = { customerId: customer?.id, planId: 830_100_101, lines: [[810_100_101, 1]] };
    await stack.control.seed({ subscriptions: [{ id: contract, createdMs, ...content }] });
    page = await openSignedInPhone(browser, stack, `${customer?.email}`);
    await page.clock.setFixedTime(await stack.control.now());
    await page.getByRole('list').getByRole('link').first().click();
    await orders()
      .getByRole('button', { name: /^Send now / })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
    await page.locator('.toast', { hasText: 'to send' }).waitFor();
  });

  const orders = () => page.getByRole('region', { name: 'Next orders' });
  const sendNowButtons = () => orders().getByRole('button', { name: /^Send now / });

  /** Moves the clocks past the date of the order that was sent now. */
  async function passSixMinutes(): Promise<void> {
    await stack.control.clock({ advance: 360 });
    await reload();
  }

  async function reload(): Promise<void> {
    await page.clock.setFixedTime(await stack.control.now());
    await page.reload();
    await orders().getByRole('listitem').first().waitFor();
    await page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor();
  }

  test('is followed by no second one while it is due, unpaid, or paid in a cycle that still runs', async () => {
    await sendNowButtons().waitFor({ state: 'detached' });
    await passSixMinutes();
    await orders().getByText('Not paid: too late to skip it').waitFor();
    expect(await sendNowButtons().count()).toBe(0);
    const merchant = createMerchantClient({ serviceUrl: stack.baseUrl, adminKey: stack.adminKey });
    await merchant.orders.charge({
      contractId: `gid://platform/SubscriptionContract/${contract}`,
      cycleIndex: 1,
    });
    await passSixMinutes();
    expect(await orders().getByText('Not paid').count()).toBe(0);
    expect(await orders().locator('.next').count()).toBe(1);
    expect(await sendNowButtons().count()).toBe(0);
  });

  test('is not shown as unpaid when its date fell into a pause', async () => {
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('.toast', { hasText: 'paused' }).waitFor();
    await stack.control.clock({ advance: 360 });
    await page.clock.setFixedTime(await stack.control.now());
    await page.reload();
    await page.getByRole('button', { name: 'Resume now' }).click();
    await page.locator('.toast', { hasText: 'resumed' }).waitFor();
    await orders().locator('.next').waitFor();
    expect(await orders().getByText('Not paid').count()).toBe(0);
  });
});
