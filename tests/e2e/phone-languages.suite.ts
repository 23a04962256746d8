/**
 * The phone in the browser's language: no screen contains untranslated English, and every text fits. `npm test` runs
 * German, which has the longest words; `SCALE=full npm test -- tests/e2e/phone.test.ts` runs all languages.
 */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { de } from '../../tools/generate/messages/phone-texts/de.ts';
import { en } from '../../tools/generate/messages/phone-texts/en.ts';
import { es } from '../../tools/generate/messages/phone-texts/es.ts';
import { fr } from '../../tools/generate/messages/phone-texts/fr.ts';
import { it } from '../../tools/generate/messages/phone-texts/it.ts';
import { ja } from '../../tools/generate/messages/phone-texts/ja.ts';
import { nl } from '../../tools/generate/messages/phone-texts/nl.ts';
import { pt } from '../../tools/generate/messages/phone-texts/pt.ts';
import { isFullSize } from '../full-size.ts';
import { expectAccessible } from './accessible.ts';
import { openPhone, openSignedInPhone } from './phone-app.ts';
import { browser, stack } from './shared-phone.ts';

type Key = keyof typeof en;

/** Texts by the tag that the browser requests. */
const LANGUAGES = { 'de-AT': de, 'ja-JP': ja, 'fr-CA': fr, es, it, nl, 'pt-PT': pt };
const selected = Object.entries(LANGUAGES).slice(0, isFullSize ? undefined : 1);

/** Texts of several words, without parameters, that differ in that language. */
function englishOnly(texts: Readonly<Record<Key, string>>): string[] {
  const keys = Object.keys(en) as Key[];
  return keys
    .filter((key) => en[key].includes(' ') && !en[key].includes('{') && texts[key] !== en[key])
    .map((key) => en[key]);
}

async function expectNoEnglish(page: Page, texts: Readonly<Record<Key, string>>): Promise<void> {
  const seen = await page.evaluate<string>(
    "document.body.innerText + [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')).join('\\n')",
  );
  expect(englishOnly(texts).filter((text) => seen.includes(text))).toEqual([]);
}

test.each(selected)('in %s', async (locale, texts) => {
  const visitor = await openPhone(browser, stack, { locale });
  await visitor.getByRole('button', { name: texts.signIn }).waitFor();
  expect(await visitor.title()).toContain(texts.welcome);
  await expectNoEnglish(visitor, texts);
  await expectAccessible(visitor);

  const page = await openSignedInPhone(browser, stack, 'ada@example.com', { locale });
  await page.getByRole('heading', { name: texts.yourSubscriptions }).waitFor();
  const cards = page.getByRole('list').getByRole('link');
  await cards.first().waitFor();
  expect(await page.evaluate<string>('document.documentElement.lang')).toBe(
    locale.slice(0, 2).replace('pt', 'pt-BR'),
  );
  await expectNoEnglish(page, texts);
  await expectAccessible(page);

  await cards.first().click();
  await page.getByRole('heading', { name: texts.history }).waitFor();
  await expectNoEnglish(page, texts);
  await expectAccessible(page);

  await page.getByRole('button', { name: texts.changeHowOften }).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  await expectNoEnglish(page, texts);
  await expectAccessible(page);
  await page.getByRole('button', { name: texts.close }).click();

  await page.evaluate("location.hash = '#/account'");
  await page.getByRole('heading', { name: texts.whereSignedIn }).waitFor();
  await expectNoEnglish(page, texts);
  await expectAccessible(page);
});

test('a language that the page does not have is English; the first that it has counts', async () => {
  const page = await openPhone(browser, stack, { locale: 'fi-FI' });
  await page.getByRole('button', { name: en.signIn }).waitFor();
  expect(await page.evaluate<string>('document.documentElement.lang')).toBe('en');
});
