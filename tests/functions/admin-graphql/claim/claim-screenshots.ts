/** The pictures of a one-time link's pages in docs/, taken from the pages themselves: run it with node. */
import { join } from 'node:path';
import { launchBrowser } from '../../../e2e/browser.ts';
import { createClaimWorld } from './claim-world.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');
const SIZE = { viewport: { width: 720, height: 760 }, deviceScaleFactor: 1.5 };

const [world, browser] = await Promise.all([createClaimWorld(), launchBrowser()]);
try {
  const link = await world.link('Harbor Coffee', { createdBy: 'Sam Rivera', label: 'Back office' });
  const page = await browser.newPage(SIZE);
  const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
  await page.goto(link.address);
  await take('claim-page');
  await page.getByLabel('Your store’s domain').fill(link.domain);
  await page.getByRole('button', { name: 'Show the key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).waitFor();
  await take('claim-key');
  world.advance(121_000);
  await page.reload();
  await take('claim-gone');
} finally {
  await browser.close();
  await world.close();
}
