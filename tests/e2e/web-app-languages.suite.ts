/**
 * The language of the service's messages on the page. `npm test` runs German; `SCALE=full npm test --
 * tests/e2e/web/pages.test.ts` runs all languages.
 */
import { expect, test } from '@jest/globals';
import { isFullSize } from '../full-size.ts';
import { expectAccessible } from './accessible.ts';
import { browser, stack } from './shared-web-app.ts';
import { openSignedInPhone } from './web-app.ts';

/** By the language: the word for what was done to a skipped order. */
const SKIPPED = [
  ['German', 'übersprungen'],
  ['Japanese', 'スキップ'],
  ['French', 'ignoré'],
  ['Spanish', 'omitido'],
  ['Italian', 'saltato'],
  ['Dutch', 'overgeslagen'],
  ['Brazilian Portuguese', 'pulou'],
] as const;

test.each(SKIPPED.slice(0, isFullSize ? undefined : 1))(
  'what the service says is %s when the customer has chosen it',
  async (language, word) => {
    const page = await openSignedInPhone(browser, stack, 'ada@example.com');
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByLabel('Language of messages').selectOption({ label: language });
    await page.getByRole('link', { name: 'Subscriptions' }).click();
    await page.getByRole('list').getByRole('link').first().click();
    const skip = page.getByRole('button', { name: /^Skip / }).last();
    await skip.click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    expect(await toast.locator('span span').textContent()).toContain(word);
    await expectAccessible(page);
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
    await history.filter({ hasText: word }).waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await toast.locator('span span', { hasNotText: word }).waitFor();
  },
);

test('a language that the service does not have is English', async () => {
  const page = await openSignedInPhone(browser, stack, 'ada@example.com', { locale: 'fi-FI' });
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByLabel('Language of messages').getByText('English').waitFor({ state: 'attached' });
  expect(await page.getByLabel('Language of messages').inputValue()).toBe('en');
});
