/**
 * Chromium for the end-to-end tests, from an npm package: unpacked once into its own folder, first under another name,
 * so that no run starts an incomplete browser while another unpacks it.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium/package.json');
/** The tests rely on what a browser forbids; in a single process it dies with its first closed phone. */
const UNWANTED_FLAGS = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
  // Without a zygote every page and frame starts its process from nothing: a whole run took twice as long.
  '--no-zygote',
  // An emulated graphics card is slower than drawing without one.
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Starts a browser; close it when done. Tries twice, because on a busy machine Chromium sometimes crashes at its start. */
export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackedBrowser();
  const launch = () =>
    playwright.launch({
      executablePath: join(folder, 'chromium'),
      args: [...chromium.args.filter((flag) => !UNWANTED_FLAGS.includes(flag)), '--disable-gpu'],
      // The package's own fonts, so that a picture looks the same on every machine.
      env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
    });
  return await launch().catch(launch);
}

async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  const folder = join(ROOT, '.build', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(join(ROOT, '.build'), { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'extract-browser.ts')], {
    env: { ...process.env, TMPDIR: own, NODE_OPTIONS: '' },
  });
  await writeFile(join(own, 'fonts.conf'), fontConfiguration(folder));
  // A concurrent process may have created the folder; then delete this one.
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true }));
  return folder;
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`;
}
