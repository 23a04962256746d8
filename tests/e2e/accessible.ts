/** Runs axe-core on the screen: on the smallest phone in the light theme, on a desktop in the dark theme. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Among the rules that axe leaves out by itself: the name of a control holds its label (WCAG 2.5.3). */
const ALL_RULES = {
  rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } },
};
/** The rules that depend on the colours and the width. */
const AUDIT_OPTIONS = { runOnly: ['color-contrast', 'target-size'] };

type Found = { readonly overflow: number; readonly violations: readonly string[] };

/** So high that nothing is covered by what sticks to an edge. */
const HEIGHT = 3_000;

/** Fails with each rule that is broken and the elements that break it. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 390, height: 844 };
  await page.setViewportSize({ width: 320, height: HEIGHT });
  const small = await audit(page, ALL_RULES);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  const wide = await audit(page, AUDIT_OPTIONS);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
  const nothing: Found = { overflow: 0, violations: [] };
  expect({ small, wide }).toEqual({ small: nothing, wide: nothing });
}

async function audit(page: Page, options: object): Promise<Found> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  return await page.evaluate<Found>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ' ' + html + ' ' + failureSummary)),
  }))`);
}
