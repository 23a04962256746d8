/** A restart on the same folder changes nothing; unreadable stored data is reported in a sentence. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createBrowser } from '../browser.ts';
import {
  askAdmin,
  authorizationUrl,
  codeOf,
  currentCode,
  exchange,
  harbor,
  refresh,
  signIn,
  startTestPlatform,
} from '../running-platform.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platform-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const query = '{ shop { name } }';

test.each(['platform-state.json', 'platform-sign-in.json'])('%s that is no JSON', async (name) => {
  await writeFile(join(dataDir, name), '{');
  await expect(startTestPlatform({ dataDir })).rejects.toThrow('Remove the data folder and start again.');
});

test('a taken port is told as listen tells it', async () => {
  const first = await startTestPlatform();
  await expect(startTestPlatform({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
});

test('sessions, grants, keys and mails survive, and so does a half-finished sign-in', async () => {
  const first = await startTestPlatform({ dataDir });
  const browser = createBrowser();
  const { json } = await exchange(first, await signIn(first, { browser }));
  const halfway = createBrowser();
  const requested = await halfway.submit(await halfway.open(authorizationUrl(first).url), 'email', {
    email: 'ben@example.com',
  });
  const keys = await (await fetch(`${first.issuer}/.well-known/jwks.json`)).text();
  await first.close();
  const second = await startTestPlatform({ dataDir });
  expect(await (await fetch(`${second.issuer}/.well-known/jwks.json`)).text()).toBe(keys);
  codeOf(await browser.open(authorizationUrl(second).url));
  // Even at another address: the port was free to choose.
  const moved = { ...requested, url: second.url };
  codeOf(await halfway.submit(moved, 'code', { code: await currentCode(second, 'ben@example.com') }));
  expect((await refresh(second, json.refresh_token)).status).toBe(200);
  expect((await refresh(second, json.refresh_token)).json).toEqual({ error: 'invalid_grant' });
  expect((await createBrowser().open(`${second.url}/_mailbox`)).text).toContain('your sign-in code');
  await second.close();
});

test('an expiring grant and a rotated key survive', async () => {
  const first = await startTestPlatform({ dataDir });
  const { json: grant } = await first.control('POST', 'grant', { shop: harbor, expiring: true });
  await first.control('POST', 'jwks');
  await first.close();
  const second = await startTestPlatform({ dataDir });
  expect((await askAdmin(second, query, grant.access_token)).status).toBe(200);
  expect((await askAdmin(second, query)).status).toBe(401);
  const { keys } = (await (await fetch(`${second.issuer}/.well-known/jwks.json`)).json()) as {
    keys: unknown[];
  };
  expect(keys).toHaveLength(2);
  await second.close();
});

test('what is written is whole and for the owner’s eyes alone', async () => {
  const first = await startTestPlatform({ dataDir });
  await first.close();
  expect((await readdir(dataDir)).toSorted()).toEqual(['platform-sign-in.json', 'platform-state.json']);
  const path = join(dataDir, 'platform-sign-in.json');
  JSON.parse(await readFile(path, 'utf8'));
  expect((await stat(path)).mode & 0o077).toBe(0);
});
