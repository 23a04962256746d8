/** The shared functions of the trouble suites: a signed-in phone, its stored session, and lost responses. */
import type { Page } from 'playwright-core';
import { browser, stack } from './shared-web-app.ts';
import { openPhone, openSignedInPhone, sessionKey } from './web-app.ts';

export const UNAVAILABLE = {
  status: 503,
  body: { error: { code: 'TEMPORARILY_UNAVAILABLE', message: 'Try again.' } },
};
export const ADA = 'ada@example.com';

/** Opens a phone without a session. */
export async function phone(): Promise<Page> {
  return await openPhone(browser, stack);
}

/** Ada's, with a clock that a test may move, at the list. */
export async function signedInPhone(): Promise<Page> {
  const page = await openSignedInPhone(browser, stack, ADA);
  // With a stopped clock, the retry of a first request would wait forever.
  await card(page).waitFor();
  await page.clock.install();
  return page;
}

export function card(page: Page) {
  return page.getByRole('list').getByRole('link').first();
}

/** Returns the phone's stored session. */
export async function stored(
  page: Page,
): Promise<{ shop: string; customerId: number; refreshToken: string }> {
  const key = JSON.stringify(sessionKey(stack));
  const session = JSON.parse(await page.evaluate<string>(`localStorage.getItem(${key}) ?? "null"`));
  // What remains after a sign-out is no session.
  return session?.refreshToken && { ...session, shop: stack.shop };
}
