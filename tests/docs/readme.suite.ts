/** Runs a newcomer's instructions as written: the README's blocks, and those that `npm start` prints. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stack } from '../contract/world/shared-stack.ts';
import { shellBlocks } from '../readme-blocks.ts';

const readme = readFileSync('README.md', 'utf8');
const blocks = shellBlocks(readme);
/** The two commands that bring everything: this test runs inside the second, on a stack made by the first's file. */
const COMMANDS = ['npm start\n', 'npm test\n'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  mkdirSync(join(folder, '.local'));
  cpSync(stack.stateFile, join(folder, '.local/stack.json'));
  // On a busy machine an answer may say to come back: curl then does, as clients do.
  writeFileSync(join(folder, '.curlrc'), 'retry = 10\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runShell(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, CURL_HOME: folder },
  });
  const ended = { code: null as number | null, out: '', err: '' };
  shell.stdout.on('data', (data) => {
    ended.out += data;
  });
  shell.stderr.on('data', (data) => {
    ended.err += data;
  });
  return new Promise((resolve) => shell.on('close', (code) => resolve({ ...ended, code })));
}

describe('the README', () => {
  test('stays under 200 lines', () => {
    expect(readme.split('\n').length).toBeLessThan(200);
  });

  test('names npm scripts and files that there are', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    const paths = [
      ...readme.matchAll(
        /`((?:clients|docs|graphql|infra|lib|functions|operator|sandbox|tests|tools)\/[\w./-]*)`/g,
      ),
    ];
    const images = [...readme.matchAll(/\((docs\/[\w./-]+)\)/g)];
    expect(paths.length).toBeGreaterThan(5);
    expect([...paths, ...images].map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual(
      [],
    );
  });

  test('runs a part of the tests that is there', () => {
    const [, part = 'nothing'] = /`npm test -- (\S+)`/.exec(readme) ?? [];
    expect(globSync(`${part}/**/*.test.ts`).length).toBeGreaterThan(0);
  });

  test('its journey works as it stands', async () => {
    expect(blocks.filter((block) => COMMANDS.includes(block))).toEqual(COMMANDS);
    const journey = blocks.filter((block) => !COMMANDS.includes(block));
    // An interrupted journey, and one restarted in the same folder: the customer is still signed in.
    const left = await runShell(journey.slice(0, 3).join('\n'));
    expect(left.code).toBe(0);
    const { code, out, err } = await runShell(journey.join('\n'));
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('"skipped":true');
    expect(out).toContain('"userErrors":[]');
    expect(out).toContain('{"revoked":true}');
    expect(out).not.toContain('"errors"');
    // Every answer is a line of its own.
    for (const line of out.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(out).toMatch(
      /\{"data":\{"subscriptionContract":\{"id":"gid:\/\/platform\/SubscriptionContract\/\d+"/,
    );
  });
});

describe('what npm start prints', () => {
  test('the pages are there', async () => {
    const pages = stack.terminal().match(/(?<=(Phone page|Mailbox) +)http:\S+/g) ?? [];
    expect(pages).toHaveLength(2);
    for (const page of pages)
      expect((await fetch(page, { headers: { 'user-agent': 'test' } })).status).toBe(200);
  });

  test('the command to copy works', async () => {
    const [command = ''] = /curl http[\s\S]*?'\n/.exec(stack.terminal()) ?? [];
    const { code, out } = await runShell(command);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ data: { customer: { displayName: 'Ada Brewer' } } });
  });
});
