import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { UNPUBLISHED_BEHAVIOURS } from '../../sandbox/platform/state/unpublished-behaviour.ts';
import { stack } from '../contract/world/shared-stack.ts';
import { shellBlocks } from '../readme-blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** All blocks of a page, one after the other in one shell that stops at the first failure. */
function runBlocks(
  blocks: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number; output: string }> {
  mkdirSync(join(ROOT, '.local'), { recursive: true });
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', blocks.join('\n')],
      { cwd: ROOT, env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
      },
    );
  });
}

/** Writes the credentials in the form in which the platform displays them when the app is created. */
async function credentialsFile(): Promise<string> {
  const answer = await fetch(`${stack.platformUrl}/_control/grant`, {
    method: 'POST',
    body: JSON.stringify({ shop: stack.shop, expiring: false }),
  });
  const grant = (await answer.json()) as { access_token: string; customer_client_id: string };
  const file = join(dirname(stack.stateFile), 'credentials.json');
  const content = { grant: { accessToken: grant.access_token }, clientId: grant.customer_client_id };
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const PAGE = 'https://shop.example.com/account';

/** Registers the page at the platform, as the merchant does. Returns the client id of web pages. */
async function registerPage(): Promise<string> {
  const response = await fetch(`${stack.platformUrl}/_control/client`, {
    method: 'POST',
    body: JSON.stringify({ shop: stack.shop, webRedirectUris: [`${stack.phoneUrl}/`, PAGE] }),
  });
  return ((await response.json()) as { webClientId: string }).webClientId;
}

/** Bundles the whole command line into one file; its processes read 500 otherwise, and take three times as long. */
function bundleCommandLine(): string {
  // Two folders down, as the sources that read package.json.
  const path = join(ROOT, '.local/operator-bundle/main.mjs');
  const flags = [
    ...['--bundle', '--format=esm', '--platform=node', '--target=node24', '--main-fields=module,main'],
    ...['--loader:.graphql=text', '--define:FAULT_POINTS=false'],
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    ...['--log-level=error', `--outfile=${path}`],
  ];
  const entry = join(ROOT, 'operator/command-line/main.ts');
  execFileSync(join(ROOT, 'node_modules/.bin/esbuild'), [entry, ...flags], { cwd: ROOT });
  return path;
}

let bundledPath: string | undefined;

/**
 * A folder with an `aws` that answers `logs filter-log-events` from the stack's log, in AWS's own form, and an `npm`
 * that runs the command line, the first time as package.json does: npm's own start would take longer than most of the verbs.
 */
function commands(): string {
  const folder = dirname(stack.stateFile);
  const answer = join(folder, 'events.json');
  // A log without an event is refused as the wrong one.
  const timestamp = new Date().toISOString();
  const event = JSON.stringify({
    timestamp,
    message: 'store.updated',
    shopId: 84000000001,
    changed: ['name'],
  });
  const messages = [event, ...stack.rawLog().split('\n').filter(Boolean)];
  const events = messages.map((message, index) => ({ eventId: `${index}`, message: `${message}\n` }));
  // The output of AWS's command line. Without the last newline, four responses would form one unreadable line.
  writeFileSync(answer, `${JSON.stringify({ events, searchedLogStreams: [] }, undefined, 4)}\n`);
  const script = `#!/bin/sh
[ "$1 $2 $3" = "logs filter-log-events --log-group-name" ] || exit 252
case "$4" in /aws/lambda/subscriptions-local-*) cat "${answer}" ;; *) exit 254 ;; esac
`;
  writeFileSync(join(folder, 'aws'), script, { mode: 0o755 });
  const npm = '#!/bin/sh\n[ "$1 $2 $3 $4" = "run -s operator --" ] || exit 252\nshift 4\n';
  const first = `if mkdir "${folder}/first-command" 2>/dev/null; then ${scripts.operator} "$@"; fi\n`;
  bundledPath ??= bundleCommandLine();
  const later = `exec "${process.execPath}" "${bundledPath}" "$@"\n`;
  writeFileSync(join(folder, 'npm'), `${npm}${first}${later}`, { mode: 0o755 });
  return folder;
}

/** In place of a person at a browser, who pastes the callback: the README's visit to the sign-in's pages. */
function pasteCallback(): string {
  const visit = shellBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8')).find((block) =>
    block.includes('CALLBACK='),
  );
  return `read() {\n${visit}}\n`;
}

/** Sends a body to a control. */
async function controlError(name: string, body?: object): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(`${stack.platformUrl}/_control/${name}`, {
    ...{ method, ...(body && { body: JSON.stringify(body) }) },
  });
  return ((await response.json()) as { error: string }).error;
}

const listIn = (sentence: string) => /(?:are|Known): (.*)\.$/.exec(sentence)?.[1]?.split(', ') ?? [];

/** Before docs/operators.md, which ends the key of the stack. */
describe('docs/rehearsing.md', () => {
  const page = read('rehearsing.md');
  const sections = new Map(
    page.split(/^## /m).map((section) => [/^`([\w-]+)`/.exec(section)?.[1] ?? '', section]),
  );

  test('has a section with an example for each control, which names each field', async () => {
    const names = listIn(await controlError('no-such-control'));
    expect(names.length).toBeGreaterThan(18);
    expect([...sections.keys()].filter(Boolean).sort()).toEqual(names.toSorted());
    for (const name of names) {
      const section = sections.get(name) ?? '';
      const examples = shellBlocks(section).join('\n');
      expect(examples).toMatch(new RegExp(`\\bcontrol '?${name}\\b|_control/${name}\\b`));
      const error = await controlError(name, { 'no such field': 1 });
      const fields = listIn(error).filter((field) => !['no field', 'shop'].includes(field));
      expect([name, fields.filter((field) => !section.includes(field))]).toEqual([name, []]);
    }
  });

  test('names every value of a setting', () => {
    const rows = (sections.get('settings') ?? '').split('\n');
    for (const [name, ways] of Object.entries(UNPUBLISHED_BEHAVIOURS)) {
      const row = rows.find((each) => each.startsWith(`| \`${name}\``)) ?? '';
      expect([name, ways.filter((way) => !row.includes(`\`${way}\``))]).toEqual([name, []]);
    }
  });

  test('every block runs, in its order, against a stack', async () => {
    const folder = commands();
    const { code, output } = await runBlocks(shellBlocks(page), {
      ...{ OPERATOR_STATE: stack.stateFile, PATH: `${folder}:${process.env.PATH}` },
    });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('{"code":"') });
    // Two declines, then the payment.
    expect(output).toMatch(/"status":"BILLED"(?=.*FailedState.*FailedState.*SuccessState)/);
    expect(output).toMatch(/Scope read_locations: not granted/);
    expect(output).toContain('{"status":401}');
    expect(output).toContain('"contract":{"status":"PAUSED"}');
  });
});

describe('docs/operators.md', () => {
  test('every block runs, in its order, against a stack', async () => {
    const blocks = [pasteCallback(), ...shellBlocks(read('operators.md'))];
    expect(blocks.length).toBeGreaterThan(7);
    const folder = commands();
    const { code, output } = await runBlocks(blocks, {
      ENV: 'local',
      REGION: 'eu-central-1',
      SHOP: stack.shop,
      BASE: stack.baseUrl,
      PLATFORM: stack.platformUrl,
      LABEL: 'demo',
      CREDENTIALS: await credentialsFile(),
      PAGE,
      WEB_CLIENT: await registerPage(),
      TABLE: stack.tableName,
      SINCE: new Date(0).toISOString(),
      EVENTS: join(folder, 'since.json'),
      PATH: `${folder}:${process.env.PATH}`,
      OPERATOR_STATE: stack.stateFile,
    });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/All is well\.|Nothing is missing, as far/),
    });
    expect(output).toMatch(/admin-keys\/claim\/[\w-]{22}#[\w-]{43}/);
    expect(output).toContain('"customer":{"displayName":"Ada Brewer","subscriptionContracts":{"nodes":[{');
    expect(output).toContain('{"revoked":true}');
    // The output contains no key, token or code.
    expect(output).not.toMatch(/SVC_[A-Z]T_|[?&]code=/);
  });
});

describe('docs/merchant-servers.md', () => {
  test('every block runs with a live key', async () => {
    const [, other] = stack.stores;
    const { code, output } = await runBlocks(shellBlocks(read('merchant-servers.md')), {
      BASE_URL: stack.baseUrl,
      ADMIN_KEY: other?.adminKey ?? '',
    });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('"status":"ACTIVE"') });
  });
});
