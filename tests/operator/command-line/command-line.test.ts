import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../lib/domain/session-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { AdminKeyId } from '../../../lib/domain/tokens/admin-key.ts';
import {
  type OneTimeLinkSecret,
  oneTimeLinkProofOf,
} from '../../../lib/domain/tokens/one-time-link-secret.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import { createSdkTableClient } from '../../../lib/storage/sdk-client/sdk-table.ts';
import { sessionKey } from '../../../lib/storage/sessions/session-record.ts';
import { customerSnapshotKey, snapshotKey } from '../../../lib/storage/stream/snapshot-key.ts';
import type { EventActor, EventRecord } from '../../../lib/timeline/event-record.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { commandDefinitions } from '../../../operator/command-line/all-commands.ts';
import { writeCompletionScript } from '../../../operator/command-line/completion.ts';
import { parseKeyLimits } from '../../../operator/commands/keys/key-limits.ts';
import { toEntryRow } from '../../../operator/commands/timeline-show.ts';
import { emulatorClientSettings } from '../../../sandbox/aws/local-client-settings.ts';
import { billingSuite } from '../commands/billing/billing.suite.ts';
import { webhookSuite } from '../commands/webhooks/webhook.suite.ts';
import { firstContactSuite } from '../first-contact/first-contact.suite.ts';
import { createOperatorWorld, type OperatorWorld } from '../operator-world.ts';
import { rightsSuite } from '../rights.suite.ts';
import { traceSuite } from '../trace.suite.ts';

const HARBOR = 'harbor-coffee.myshopify.com';
const JUNIPER = 'juniper-tea.myshopify.com';
const FACTS = ['--label', 'Back office', '--use', 'nightly sync', '--by', 'Sam of operations'];

let world: OperatorWorld;
beforeAll(async () => {
  world = await createOperatorWorld();
  await world.install(HARBOR);
});
afterAll(() => world.close());

describe('help', () => {
  test('every command is explained, with an example that starts with the command', async () => {
    for (const command of commandDefinitions) {
      const name = command.usage.split(' ')[0] ?? '';
      const ran = await world.run([command.group, name, '--help'].filter(Boolean));
      expect(ran.exitCode).toBe(0);
      expect(ran.out).toContain(`npm run operator -- ${`${command.group} ${name}`.trim()}`);
      for (const example of command.examples)
        expect(example).toMatch(new RegExp(`^${`${command.group} ${name}`.trim()}`));
    }
  });

  test('an unknown command ends with 2 and says where to look', async () => {
    expect(await world.run(['store', 'destroy'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--help'),
    });
    expect(await world.run(['store', 'show'])).toMatchObject({ exitCode: 2 });
    const unknown = await world.run(['store', 'list', '--env', 'nowhere']);
    expect(unknown).toMatchObject({ exitCode: 2, err: expect.stringContaining('local, dev, staging, prod') });
    expect(await world.run(['store', 'show', 'example.com'])).toMatchObject({ exitCode: 2 });
  });

  test('groups and commands are completed, in bash itself', () => {
    const script = `${writeCompletionScript('bash')}
      COMP_WORDS=(operator store un); COMP_CWORD=2; _operator; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(operator to); COMP_CWORD=1; _operator; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('uninstall\ntoken-keys\n');
  });
});

describe('store', () => {
  test('install learns id, name and address from the platform; the grant comes from standard input', async () => {
    const input = JSON.stringify(world.credentials(1));
    const ran = await world.run(['store', 'install', JUNIPER, '--credentials', '-'], { input });
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('Juniper Tea') });
    expect(ran.out + ran.err).not.toContain(world.credentials(1).grant.accessToken);
    expect(await world.json(['store', 'show', '81234567002'])).toMatchObject({
      domain: JUNIPER,
      status: 'installed',
    });
    expect((await world.json(['store', 'list'])).map(({ domain }: { domain: string }) => domain)).toEqual([
      HARBOR,
      JUNIPER,
    ]);
  });

  test.each([
    ['nothing', '', 'it is empty'],
    ['no JSON', '{"grant": {"accessToken": "shpat_secret"', 'must contain'],
    [
      'a field too many',
      '{"grant": {"accessToken": "shpat_secret", "other": "shpat_secret"}}',
      'cannot be used',
    ],
    ['a wrong grant', 'shpat_secret', 'refuses this grant'],
  ])('install refuses %s as credentials, and prints none of it', async (what, input, message) => {
    const ran = await world.run(['store', 'install', HARBOR, '--credentials', '-'], { input });
    // The platform alone can say that a grant is wrong.
    const exitCode = what === 'a wrong grant' ? 1 : 2;
    expect(ran).toMatchObject({ exitCode, err: expect.stringContaining(message) });
    expect(ran.out + ran.err).not.toContain('shpat_secret');
  });

  test('a grant has no place in the arguments', async () => {
    const ran = await world.run(['store', 'install', HARBOR, '--access-token', 'shpat_secret']);
    expect(ran.exitCode).toBe(2);
    expect(await world.run(['store', 'install', HARBOR])).toMatchObject({ exitCode: 2 });
  });

  test('credentials in place of a file are not repeated', async () => {
    const text = '{"app": {"clientId": "a", "clientSecret": "shpss_secret"}}';
    const ran = await world.run(['store', 'install', HARBOR, '--credentials', text]);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('the name of a file, or -') });
    expect(ran.out + ran.err).not.toContain('shpss_secret');
  });

  test('update changes what was said, and nothing else', async () => {
    await world.json(['store', 'update', HARBOR, '--name', 'Harbor', '--portal-page-id', '8f0c']);
    expect(await world.json(['store', 'show', HARBOR])).toMatchObject({
      name: 'Harbor',
      portalPageId: '8f0c',
    });
    await world.json(['store', 'update', HARBOR, '--no-portal-page', '--upcoming-days', '7']);
    expect(await world.json(['store', 'show', HARBOR])).toMatchObject({ upcomingDays: 7 });
    expect(await world.json(['store', 'show', HARBOR])).toMatchObject({ sendNow: 'OFF' });
    for (const [setting, after] of [
      ['move', 'MOVE'],
      ['OFF', 'OFF'],
    ] as const) {
      await world.json(['store', 'update', HARBOR, '--send-now', setting]);
      expect(await world.json(['store', 'show', HARBOR])).toMatchObject({ sendNow: after });
    }
    expect(await world.run(['store', 'update', HARBOR, '--send-now', 'CHARGE'])).toMatchObject({
      ...{ exitCode: 2, err: expect.stringContaining('OFF or MOVE') },
    });
    for (const days of ['0', '15', '1.5', 'three', '-1']) {
      const ran = await world.run(['store', 'update', HARBOR, `--upcoming-days=${days}`]);
      expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('from 1 to 14') });
    }
    await world.json(['store', 'update', HARBOR, '--name', 'Harbor Coffee', '--upcoming-days', '3']);
    expect((await world.json(['store', 'show', HARBOR])).portalPageId).toBeUndefined();
  });

  test('a table fits the terminal, and what people copy from it is whole', async () => {
    await world.install(JUNIPER);
    const { out } = await world.run(['store', 'list'], { columns: 70 });
    const [, ...rows] = out.split('\n\n')[0]?.split('\n') ?? [];
    expect(rows).toHaveLength(2);
    for (const line of rows) {
      expect(line.length).toBeLessThanOrEqual(70);
      expect(line).toMatch(/^[a-z-]+\.myshopify\.com /);
    }
  });
});

describe('key', () => {
  test('issue prints a link that opens the key, and never the key', async () => {
    const { keyId, link } = await world.json(['key', 'issue', HARBOR, ...FACTS]);
    const url = new URL(link);
    expect(url.pathname).toMatch(/^\/admin-keys\/claim\/[\w-]{22}$/);
    expect(oneTimeLinkProofOf(url.hash.slice(1) as OneTimeLinkSecret)).toHaveLength(43);
    const [listed] = await world.json(['key', 'list', HARBOR]);
    expect(listed).toMatchObject({
      id: keyId,
      label: 'Back office',
      state: 'unclaimed',
      createdBy: 'Sam of operations',
    });
    expect(JSON.stringify(listed)).not.toContain('hash');
  });

  test('issue says what a key can do, whatever it is meant for', async () => {
    const { out } = await world.run(['key', 'issue', HARBOR, ...FACTS, '--void-unclaimed']);
    expect(out).toContain('every customer and subscription of the store');
    expect(out).toContain('charges');
  });

  test('a limited key: issue, list and rotate say what it may do, from where and until when', async () => {
    const limits = [
      '--scopes',
      'read',
      '--networks',
      '203.0.113.0/24, 2001:db8::1',
      '--expires',
      '2099-06-30',
    ];
    const networks = ['203.0.113.0/24', '2001:db8::1/128'];
    const line = ['key', 'issue', HARBOR, ...FACTS, '--void-unclaimed', ...limits];
    const { keyId, ...issued } = await world.json(line);
    expect(issued).toMatchObject({ scopes: ['READ'], networks, notAfter: Date.parse('2099-06-30') });
    const displayed = await world.run(line);
    expect(displayed.out).toContain('it only reads');
    expect(displayed.out).toContain('It works only from 203.0.113.0/24, 2001:db8::1/128.');
    const { out } = await world.run(['key', 'list', HARBOR], { columns: 400 });
    expect(out).toMatch(/ MAY +FROM /);
    expect(out).toMatch(/ read +203\.0\.113\.0\/24 2001:db8::1\/128 /);
    const next = ['key', 'rotate', HARBOR, keyId, '--leaked', '--dry-run'];
    const stored = 'Scopes: READ. Networks: 203.0.113.0/24, 2001:db8::1/128. Expiry: 2099-06-30';
    expect((await world.run([...line, '--dry-run'])).out).toContain(stored);
    expect((await world.run(next)).out).toContain(stored);
    expect((await world.run([...next, '--expires', 'never'])).out).toContain('Expiry: never');
    const keys = await world.json(['key', 'list', HARBOR]);
    expect(keys.find(({ id }: { id: string }) => id === keyId)).toMatchObject({ scopes: ['READ'], networks });
  });

  test.each([
    [['--scopes', 'READ,ALL'], '“ALL” is not a scope'],
    [['--scopes', 'WRITE'], 'WRITE goes with READ'],
    [['--scopes', ''], 'is not a scope'],
    [['--networks', '10.0.0.1/8'], '“10.0.0.1/8” is not a network'],
    [['--networks', '0.0.0.0/0'], 'is not a network'],
    [['--networks', '0.0.0.0/1,128.0.0.0/1'], '“0.0.0.0/1” is too wide'],
    [['--networks', '::ffff:0:0/96'], '“::ffff:0:0/96” is too wide'],
    [['--networks', '10.0.0.0/8,any'], '“any” is not a network'],
    [['--expires', '30.6.2099'], '--expires must be a day or an instant'],
    [['--expires', '2099-06-31'], 'not “2099-06-31”'],
    [['--expires', '2020-01-01'], 'must lie in the future'],
    [['--expires', '2099-01-01', '--expires-in-days', '3'], 'not both'],
  ])('issue with %j is refused, and says why', async (options, message) => {
    const before = await world.json(['key', 'list', HARBOR]);
    const refused = await world.run(['key', 'issue', HARBOR, ...FACTS, ...options]);
    expect(refused).toMatchObject({ err: expect.stringContaining(message) });
    expect(refused.exitCode).not.toBe(0);
    expect(await world.json(['key', 'list', HARBOR])).toEqual(before);
  });

  test.each([
    ['2001:db8::/32', 'No request comes from “2001:db8::/32”'],
    ['2001:db8::1,2001:db8::2', 'over IPv4 only'],
    ['2001:db8::/32,203.0.113.0/24', undefined],
    ['any', undefined],
  ])('on AWS, networks of IPv6 alone would keep everybody out: %s', (networks, message) => {
    const limits = (isLocal: boolean) =>
      parseKeyLimits({ operator: { target: { isLocal }, now: Date.now }, options: { networks } } as never);
    expect(() => limits(true)).not.toThrow();
    if (message === undefined) expect(limits(false)).toEqual(limits(true));
    else expect(() => limits(false)).toThrow(message);
  });

  test('issue, rotate and revoke with --dry-run change nothing', async () => {
    await world.json(['key', 'issue', HARBOR, ...FACTS, '--void-unclaimed']);
    const before = await world.json(['key', 'list', HARBOR]);
    const [{ id }] = before;
    await world.json(['key', 'issue', HARBOR, ...FACTS, '--dry-run']);
    await world.json(['key', 'rotate', HARBOR, id, '--leaked', '--dry-run']);
    await world.json(['key', 'revoke', HARBOR, id, '--dry-run']);
    expect(await world.json(['key', 'list', HARBOR])).toEqual(before);
  });

  test('revoke asks a person, needs --yes without one, and changes nothing after a no', async () => {
    const { keyId } = await world.json(['key', 'issue', HARBOR, ...FACTS]);
    const line = ['key', 'revoke', HARBOR, keyId];
    expect(await world.run(line)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
    expect(await world.run(line, { answers: [false] })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('Nothing was changed'),
    });
    expect(await world.run(line, { answers: [true] })).toMatchObject({ exitCode: 0 });
    expect(await world.json([...line, '--yes'])).toEqual({ keyId, outcome: 'was revoked' });
  });

  test('asks a person whether to void unclaimed keys before a sixth one', async () => {
    for (let count = 0; count < 5; count++) await world.run(['key', 'issue', HARBOR, ...FACTS]);
    const sixth = ['key', 'issue', HARBOR, ...FACTS];
    expect(await world.run(sixth)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('--void-unclaimed'),
    });
    expect(await world.run(sixth, { answers: [true] })).toMatchObject({ exitCode: 0 });
    const states = (await world.json(['key', 'list', HARBOR])).map(({ state }: { state: string }) => state);
    expect(states.filter((state: string) => state === 'unclaimed')).toHaveLength(1);
  });
});

describe('an error', () => {
  const KEY = ['key', 'issue', HARBOR, ...FACTS];
  const ENDPOINT = ['webhook', 'update', HARBOR, '0'.repeat(24)];
  const RESTORE = ['restore-complete', '--since', '2026-01-01T00:00:00Z', '--events', 'none'];
  const isWriting = ([group, name]: readonly string[]) =>
    commandDefinitions.some(
      (one) => one.group === group && one.usage.split(' ')[0] === name && one.isReadOnly !== true,
    );

  test.each([
    ['CONFIRMATION_REQUIRED', 2, ['store', 'uninstall', HARBOR], 'Add --yes'],
    ['NOT_FOUND', 1, ['store', 'show', '1'], 'Store 1 was not found'],
    ['NOT_FOUND', 1, ['key', 'revoke', HARBOR, 'key_000000000000', '--yes'], 'has no key key_000000000000'],
    ['NOT_FOUND', 1, [...ENDPOINT, '--enabled', 'yes'], 'endpoint was not found'],
    ['NOT_FOUND', 1, ['requests', 'done', '81234567001-7'], 'Open request 81234567001-7 was not found'],
    ['NOT_FOUND', 1, ['session', 'revoke', HARBOR, '7001001', 'x', '--yes'], 'session was not found'],
    ['ACCESS_DENIED', 1, [...RESTORE, '--table', 'no-such-table'], 'Check your AWS credentials'],
    ['REFUSED', 1, ['store', 'purge', HARBOR, '--yes'], 'Uninstall it first'],
    ['REFUSED', 1, ['token-keys', 'rotate', '--step', 'sign'], 'the first step is publish'],
  ])('with --json has the code %s, and ends with %d: %j', async (code, exitCode, line, text) => {
    const ran = await world.run([...line, '--json']);
    expect(ran).toMatchObject({ exitCode, out: '' });
    expect(JSON.parse(ran.err)).toEqual({ error: { code, message: expect.stringContaining(text) } });
  });

  test('names what to check where a table does not exist', async () => {
    const state = world.file('without-policy.json', world.state);
    const ran = await world.run([...RESTORE, '--table', 'none', '--yes', '--json'], { state });
    expect(JSON.parse(ran.err).error).toEqual({
      code: 'NOT_FOUND',
      message: expect.stringContaining('check --table'),
    });
  });

  test.each([
    [['store', 'destroy'], "unknown command 'destroy'"],
    [['store', 'show'], "missing required argument 'store'"],
    [['store', 'show', HARBOR, JUNIPER], 'too many arguments'],
    [['store', 'show', HARBOR, '--nope'], "unknown option '--nope'"],
    [['store', 'show', 'example.com'], 'ends in .myshopify.com'],
    [
      ['store', 'list', '--env', 'nowhere'],
      'Environment "nowhere" was not found. --env takes local, dev, staging, prod.',
    ],
    [['store', 'list', '--env', ''], 'Environment "" was not found.'],
    [['store', 'list', '--env', 'local', '--env', 'prod'], "'--env <name> is given twice'"],
    [['store', 'list', '--state', '/nowhere'], "'--state <file> is given twice'"],
    [['store', 'update', HARBOR], 'There is nothing to change'],
    [['store', 'update', HARBOR, '--name', ' '], '--name must have 1 to 255 characters'],
    [['store', 'update', HARBOR, '--name', 'a\nb'], '--name must have 1 to 255 characters'],
    [
      ['store', 'update', HARBOR, '--storefront-url', 'shop.test'],
      '--storefront-url must be an https address',
    ],
    [
      ['store', 'update', HARBOR, '--storefront-url', 'http://shop.test'],
      '--storefront-url must be an https address',
    ],
    [['store', 'update', HARBOR, '--portal-page-id', 'a/b'], '--portal-page-id may contain only letters'],
    [['store', 'update', HARBOR, '--portal-page-id', 'a', '--no-portal-page'], 'not both'],
    [['store', 'update', HARBOR, '--trust-sub', '--no-trust-sub'], 'contradicts --no-trust-sub'],
    [['store', 'update', HARBOR, '--oauth'], 'Add --credentials FILE'],
    [['store', 'update', HARBOR, '--also', 'all', '--name', 'a'], '--also needs --oauth'],
    [['store', 'update', HARBOR, '--client-secret', '/nowhere'], '/nowhere cannot be read'],
    [['store', 'install', HARBOR, '--credentials', '/nowhere'], '/nowhere cannot be read'],
    [
      ['store', 'install', HARBOR, '--credentials', '-', '--trust-issuer', 'x'],
      '--trust-issuer must be an https address',
    ],
    [['store', 'accept-sign-in', HARBOR, '--trust-issuer', 'x'], '--trust-issuer must be an https address'],
    [[...KEY, '--label', 'b'], "'--label <label> is given twice'"],
    [[...KEY, '--base-url', 'x'], '--base-url must be an https address'],
    [[...KEY, '--expires', '2020-01-01'], 'must lie in the future'],
    [['key', 'issue', HARBOR, '--label', '', '--use', 'x'], 'A label has 1 to 60 characters'],
    [['key', 'revoke', HARBOR, 'nope', '--yes'], 'nope is not a key id'],
    [['key', 'rotate', HARBOR, 'nope'], 'nope is not a key id'],
    [['timeline', 'show', HARBOR, '9101001', '--query', 'nope'], 'does not understand "nope"'],
    [['requests', 'export', 'nope'], 'nope is not a request id'],
    [ENDPOINT, 'There is nothing to change'],
    [[...ENDPOINT, '--url', 'nope'], 'it is not a full URL, such as https://'],
    [[...ENDPOINT, '--url', 'https://10.0.0.1/'], 'it is not public'],
    [[...ENDPOINT, '--description', 'a'.repeat(256)], '--description must have at most 255 characters'],
    [['token-keys', 'rotate', '--leaked', '--step', 'sign'], 'Use it without --step'],
    [['first-contact', HARBOR, '--only', 'everything'], 'the steps are api-version'],
    [['first-contact', HARBOR, '--contract', '9101002;1'], "give a contract's number"],
  ])('in the command line ends with 2, and a dry run finds it too: %j', async (line, text) => {
    for (const more of isWriting(line) ? [[], ['--dry-run']] : [[]]) {
      const ran = await world.run([...line, ...more, '--json']);
      expect(ran).toMatchObject({ exitCode: 2, out: '' });
      const { error } = JSON.parse(ran.err);
      expect(error).toEqual({ code: 'INVALID_COMMAND', message: expect.stringContaining(text) });
    }
  });
});

describe('restore-complete', () => {
  const line = ['restore-complete', '--table', 'subscriptions-local', '--since', '2020-01-01T00:00:00Z'];
  const input = '{"message":"store.purged","at":"2026-07-01T10:00:00Z","shopId":84000000001}';

  test('replays the log and says what is left to do', async () => {
    const ran = await world.run([...line, '--events', '-', '--yes'], { input });
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining('store purge 84000000001') });
    expect(ran.out).toContain('restoredTableName');
    const [store] = await world.json(['store', 'list']);
    expect(store.restoredAt).toBeDefined();
  });

  test('requires the log, the table and the time, and a yes or --yes', async () => {
    expect(await world.run([...line, '--yes'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--events'),
    });
    expect(await world.run(['restore-complete', '--since', 'x'])).toMatchObject({ exitCode: 2 });
    expect(await world.run([...line, '--events', '-'], { input })).toMatchObject({ exitCode: 2 });
    const log = join(mkdtempSync(join(tmpdir(), 'restore-')), 'events.jsonl');
    writeFileSync(log, input);
    expect(await world.run([...line, '--events', log], { answers: [false] })).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('Nothing was changed'),
    });
    const confirmed = await world.run([...line, '--events', log], { answers: [true] });
    expect(confirmed).toMatchObject({ exitCode: 0, out: expect.stringContaining('store purge 84000000001') });
  });

  test('a dry run protects nothing, and counts events of the log and those of the trace', async () => {
    const ran = await world.run([...line, '--events', '-', '--dry-run'], { input });
    expect(ran).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Would protect subscriptions-local/),
    });
    expect(ran.out).toMatch(/replay 1 event of the log and \d+ of the operators' trace/);
    expect(ran.err).not.toContain('Protecting');
  });

  test.each([
    ['a day', '2020-01-01'],
    ['no zone', '2020-01-01T00:00:00'],
    ['a day that is not there', '2020-06-31T00:00:00Z'],
    ['words', '1 Jan 2020 00:00:00 UTC'],
    ['the future', '2999-01-01T00:00:00Z'],
  ])('refuses a time that is %s', async (_what, since) => {
    const ran = await world.run([...line, '--since', since, '--events', '-', '--yes'], { input });
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('--since') });
  });

  test.each([
    ['that are empty', ''],
    ['of something else', '{"message":"request","timestamp":"2026-07-01T10:00:00Z"}\nhello'],
    ['fetched as none', '{\n"events": [],\n"searchedLogStreams": []\n}'],
    ['that are older', input.replace('2026', '2019')],
  ])('refuses events %s, unless the option says that there are none', async (_what, text) => {
    for (const more of [[], ['--dry-run']]) {
      const ran = await world.run([...line, '--events', '-', '--yes', ...more], { input: text });
      expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('--events none') });
    }
    const none = await world.run([...line, '--events', 'none', '--dry-run']);
    expect(none).toMatchObject({ exitCode: 0, out: expect.stringContaining('0 events of the log') });
  });

  test('refuses the table that the environment uses', async () => {
    const [command = '', , , ...since] = line;
    const table = ['--env', 'prod', '--table', 'subscriptions-prod'];
    const ran = await world.run([command, ...since, ...table, '--events', 'none', '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining('is the table that prod uses') });
  });
});

describe('session', () => {
  test('a customer who never signed in, and an id that is none', async () => {
    expect(await world.run(['session', 'list', HARBOR, '7001001'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('never signed in'),
    });
    expect(await world.run(['session', 'list', HARBOR, 'ada'])).toMatchObject({ exitCode: 2 });
    expect(
      await world.json(['session', 'revoke', HARBOR, 'gid://platform/Customer/7001001', '--all', '--yes']),
    ).toEqual({ ended: [] });
    expect(await world.run(['session', 'revoke', HARBOR, '7001001', '--yes'])).toMatchObject({ exitCode: 2 });
  });
});

describe('session revoke --store', () => {
  const line = ['session', 'revoke', JUNIPER, '--store'];
  const shopId = 81234567002 as ShopId;
  /** Sessions of as many customers, one of them over, and one of another store. */
  async function signedIn(): Promise<void> {
    await world.install(JUNIPER);
    const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: world.state.tableName });
    const nowMs = Date.now();
    const more = {
      replaced: [],
      createdAtMs: nowMs,
      mintedAtMs: nowMs,
      idleExpiresAtMs: nowMs + 60_000,
      absoluteExpiresAtMs: nowMs + 60_000,
    };
    for (let count = 1; count <= 25; count++) {
      const ref = {
        shopId,
        customerId: (7100000 + count) as CustomerId,
        sessionId: `s${count}` as SessionId,
      };
      await table.put({
        ...sessionKey(ref),
        ...ref,
        ...more,
        status: count === 25 ? 'revoked' : 'active',
      });
    }
    const signIn = { shopId, nonceHash: 'h1', state: 'done', seed: { customerId: 7100001 } };
    await table.put({ pk: 'SIGN_IN#h1', sk: 'SIGN_IN', ...signIn });
    const other = {
      shopId: 81234567001 as ShopId,
      customerId: 7100001 as CustomerId,
      sessionId: 's1' as SessionId,
    };
    await table.put({ ...sessionKey(other), ...other, ...more, status: 'active' });
    client.destroy();
  }

  /** A sign-in that is done; with its seed a session could still be made. */
  async function committed() {
    const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
    const found = await createSdkTableClient({ client, tableName: world.state.tableName }).get({
      pk: 'SIGN_IN#h1',
      sk: 'SIGN_IN',
    });
    client.destroy();
    return found;
  }

  test('ends every sign-in of the store and no other; counts, goes on, and can be repeated', async () => {
    await signedIn();
    expect(await world.json([...line, '--dry-run'])).toMatchObject({
      dryRun: true,
      wouldEnd: 24,
      ended: 0,
      before: 1,
    });
    expect((await world.run([...line, '--dry-run'])).out).toMatch(
      /^Would revoke: 24 sign-ins\. Revoked before: 1\./,
    );
    expect(await world.run(line)).toMatchObject({ exitCode: 2, err: expect.stringContaining('Juniper Tea') });
    const before = world.trace().length;
    expect(await world.json([...line, '--yes'])).toEqual({
      dryRun: false,
      ended: 24,
      before: 1,
      next: null,
    });
    const traced = world.trace().slice(before);
    expect(traced).toHaveLength(26);
    expect(traced[1]).toMatchObject({
      message: 'session.revoked',
      shopId,
      reason: 'operator',
    });
    expect(await committed()).not.toHaveProperty('seed');
    const ofOne = ['session', 'revoke', HARBOR, '7100001', '--all'];
    expect(await world.json([...ofOne, '--dry-run'])).toEqual({
      dryRun: true,
      would: 'Would revoke 1 sign-in of 7100001: s1. Sign-ins in progress would be revoked, too.',
      ended: [],
      wouldEnd: ['s1'],
    });
    expect(await world.json([...ofOne, '--yes'])).toEqual({ ended: ['s1'] });
    const next = await world.run([...ofOne, '--dry-run']);
    expect(next.out).toBe('Would revoke 0 sign-ins of 7100001. Sign-ins in progress would be revoked, too.');
    expect(await world.json([...line, '--yes'])).toMatchObject({ ended: 0, before: 25 });
    const position = Buffer.from(JSON.stringify(['SESSIONS#81234567002#7100001', 'SESSION#s1'])).toString(
      'base64url',
    );
    const later = await world.json([...line, '--yes', '--from', position]);
    expect(later.before).toBeLessThan(25);
  });

  test.each([
    ['a customer beside it', [...line.slice(0, 3), '7001001', '--store']],
    ['--all beside it', [...line, '--all']],
    ['no count', [...line, '--most', '0']],
    ['a position that is none', [...line, '--from', 'x']],
    ['a position without it', ['session', 'revoke', JUNIPER, '7001001', '--all', '--from', 'x']],
    ['neither store nor customer', ['session', 'revoke', JUNIPER]],
  ])('%s is not understood', async (_what, args) => {
    expect(await world.run([...args, '--yes'])).toMatchObject({ exitCode: 2 });
  });
});

test('an endpoint that does not accept its test ends it with exit code 1', async () => {
  const server = createServer((_request, response) => response.writeHead(410).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { id } = (await world.json(['webhook', 'create', HARBOR, url])) as { id: string };
  const { exitCode, out } = await world.run(['webhook', 'test', HARBOR, id]);
  await world.run(['webhook', 'delete', HARBOR, id, '--yes']);
  server.close();
  expect([exitCode, out]).toEqual([1, 'The endpoint answered 410.']);
});

describe('a dry run', () => {
  const UNKNOWN = 'key_000000000000';
  const ENDPOINT = '0123456789abcdef01234567';
  const GONE = 'cedar-honey.myshopify.com';
  const shop = (status: string) => ({
    pk: 'STORE#81234567009',
    sk: 'STORE',
    shopId: 81234567009,
    domain: GONE,
    status,
  });
  /** For each verb that writes, command lines that it refuses; one at least for what only the use case knows. */
  const refused: readonly (readonly [command: string, status: string, line: readonly string[]])[] = [
    ['store install', 'purging', ['store', 'install', HARBOR, '--credentials', 'no-such-file']],
    ['store update', 'installed', ['store', 'update', GONE]],
    ['store update', 'uninstalled', ['store', 'update', GONE, '--name', 'A']],
    ['store accept-sign-in', 'uninstalled', ['store', 'accept-sign-in', GONE]],
    ['store accept-sign-in', 'installed', ['store', 'accept-sign-in', GONE]],
    ['store uninstall', 'purging', ['store', 'uninstall', GONE]],
    ['store purge', 'installed', ['store', 'purge', GONE]],
    ['store resync', 'installed', ['store', 'resync', 'nobody.myshopify.com']],
    ['key issue', 'uninstalled', ['key', 'issue', GONE, ...FACTS]],
    ['key issue', 'installed', ['key', 'issue', HARBOR, '--label', 'x'.repeat(61), '--use', 'y']],
    ['key issue', 'installed', ['key', 'issue', HARBOR, ...FACTS, '--expires-in-days', '0']],
    ['key rotate', 'installed', ['key', 'rotate', HARBOR, UNKNOWN]],
    ['key rotate', 'installed', ['key', 'rotate', HARBOR, UNKNOWN, '--overlap', '2h']],
    ['key revoke', 'installed', ['key', 'revoke', HARBOR, UNKNOWN]],
    ['session revoke', 'installed', ['session', 'revoke', HARBOR, '7001001', 'unknown']],
    ['session revoke', 'installed', ['session', 'revoke', HARBOR, '--store', '--from', 'x']],
    ['requests open', 'installed', ['requests', 'open', GONE, 'ada@example.com']],
    ['requests done', 'installed', ['requests', 'done', '81234567001-none']],
    ['customer erase', 'installed', ['customer', 'erase', HARBOR, 'ada@example.com']],
    ['token-keys rotate', 'installed', ['token-keys', 'rotate', '--step', 'retire']],
    ['webhook create', 'installed', ['webhook', 'create', HARBOR, 'https://10.0.0.1/']],
    ['webhook update', 'installed', ['webhook', 'update', HARBOR, ENDPOINT, '--enabled', 'no']],
    ['webhook delete', 'installed', ['webhook', 'delete', HARBOR, ENDPOINT]],
    ['webhook rotate-secret', 'installed', ['webhook', 'rotate-secret', HARBOR, ENDPOINT]],
    ['webhook test', 'installed', ['webhook', 'test', HARBOR, ENDPOINT]],
    ['webhook replay', 'installed', ['webhook', 'replay', HARBOR, ENDPOINT, '--since', '2020-01-01']],
    ['webhook resend', 'installed', ['webhook', 'resend', HARBOR, ENDPOINT, '7']],
    ['billing set', 'installed', ['billing', 'set', HARBOR, '--hour', '24']],
    ['billing confirm', 'installed', ['billing', 'confirm', HARBOR, '2026-12-24']],
    ['billing stop', 'installed', ['billing', 'stop']],
    ['billing resume', 'installed', ['billing', 'resume']],
    [
      'restore-complete',
      'installed',
      ['restore-complete', '--table', 'no-such-table', '--since', '2020-01-01', '--events', '-'],
    ],
  ];

  test('has a case for the dry run of every command that writes', () => {
    const writing = commandDefinitions.filter(({ isReadOnly }) => isReadOnly !== true);
    const names = writing.map(({ group, usage }) => `${group} ${usage.split(' ')[0]}`.trim());
    expect([...new Set(refused.map(([command]) => command))].sort()).toEqual(names.sort());
  });

  test.each(refused)(
    'refuses the dry run of %s (the store is %s) as the run: %j',
    async (_command, status, line) => {
      const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
      const table = createSdkTableClient({ client, tableName: world.state.tableName });
      const harbor = await table.get({ pk: 'STORE#81234567001', sk: 'STORE' });
      await table.put({ ...harbor, ...shop(status) });
      await table.put({ pk: `SHOP#${GONE}`, sk: 'SHOP', shopId: 81234567009 });
      client.destroy();
      const dry = await world.run([...line, '--yes', '--dry-run']);
      const real = await world.run([...line, '--yes']);
      expect(real.exitCode).toBeGreaterThan(0);
      expect(dry.exitCode).toBe(real.exitCode);
      expect([dry.err, dry.out.replace('would be pinned', 'pinned')]).toEqual([real.err, real.out]);
    },
  );

  test('counts in a dry run of store resync what it would fix, and the run does just that', async () => {
    const line = ['store', 'resync', HARBOR];
    expect((await world.run([...line, '--dry-run'])).out).toBe('Would change nothing.');
    const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: world.state.tableName });
    const key = { pk: 'GRANT#81234567001', sk: 'GRANT' };
    const change = { key, update: 'SET platformVersionId = :before', values: { ':before': randomUUID() } };
    await table.update({ ...change, condition: 'attribute_exists(pk)' });
    client.destroy();
    const moved = [{ domain: HARBOR, secret: 'platform', moved: 'item' }];
    expect(await world.json([...line, '--dry-run'])).toEqual({
      dryRun: true,
      would: 'Would fix 1 problem of 1 store.',
      wouldMove: moved,
    });
    expect((await world.run([...line, '--dry-run'])).out).toContain(`${HARBOR}, platform: the store `);
    expect(await world.json(line)).toEqual(moved);
    expect(await world.json(line)).toEqual([]);
  });

  test('reports in a dry run what the run would do, and leaves no trace', async () => {
    const traced = world.trace();
    const before = await world.json(['store', 'show', HARBOR]);
    for (const line of [
      ['store', 'update', HARBOR, '--name', 'Other'],
      ['store', 'uninstall', HARBOR],
      ['token-keys', 'rotate', '--leaked'],
    ]) {
      const ran = await world.run([...line, '--dry-run']);
      expect(ran).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^Would /) });
    }
    expect(await world.json(['store', 'show', HARBOR])).toEqual(before);
    expect(world.trace()).toEqual(traced);
  });
});

describe('times with --json', () => {
  const reading = [
    ['store', 'list'],
    ['store', 'show', HARBOR],
    ['store', 'check', HARBOR],
    ['key', 'list', HARBOR],
    ['session', 'list', HARBOR, '7100001'],
    ['timeline', 'show', HARBOR, '9101001'],
    ['timeline', 'of-key', HARBOR, 'key_0123456789ab'],
    ['token-keys', 'show'],
  ];
  const writing = [
    ['store', 'update', HARBOR, '--name', 'Harbor Coffee'],
    ['store', 'accept-sign-in', HARBOR],
    ['store', 'resync', HARBOR],
    ['key', 'issue', HARBOR, ...FACTS, '--void-unclaimed'],
    ['session', 'revoke', HARBOR, '7100001', '--all'],
    ['session', 'revoke', HARBOR, '--store'],
  ];

  /** Matches every time value, by its name or by its form. */
  function times(value: unknown, name = ''): unknown[] {
    if (Array.isArray(value)) return value.flatMap((each) => times(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, content]) => times(content, key));
    const isNamed = /(At|Ms|since|notAfter)$/.test(name) && value !== null;
    const prints =
      typeof value === 'number' ? value > 1e12 && value < 1e13 : /^\d{4}-\d\d-\d\d/.test(`${value}`);
    return isNamed || prints ? [value] : [];
  }

  test('prints times as ISO 8601 in UTC for every command', async () => {
    const requests = [...writing.map((line) => [...line, '--yes']), ...reading];
    const seen: unknown[] = [];
    for (const line of requests) {
      const { out, err } = await world.run([...line, '--json']);
      expect([line, err]).toEqual([line, '']);
      seen.push(...times(JSON.parse(out)));
    }
    expect(seen.length).toBeGreaterThan(4);
    const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
    expect(seen.filter((time) => !iso.test(`${time}`))).toEqual([]);
  });
});

describe('timeline', () => {
  const CONTRACT = 'gid://shopify/SubscriptionContract/9101001';

  const ENTRY = {
    createdAtMs: 0,
    action: 'any',
    outcome: 'DONE',
    changes: [],
    requestId: 'r-1',
  } as unknown as EventRecord;

  /** A change as the service writes it. */
  async function written(actor: EventActor, action: string, after: string): Promise<void> {
    const client = new DynamoDBClient(emulatorClientSettings(world.state.dynamoDbUrl));
    const table = createSdkTableClient({ client, tableName: world.state.tableName });
    const parts = { table, now: Date.now, newId: randomUUID, logger: { error: () => undefined } };
    const timeline = createTimeline({
      ...parts,
      scheduledTasks: createScheduledTaskRepository(parts),
    });
    const shopId = (await world.json(['store', 'show', HARBOR])).shopId;
    const begin = timeline.begin({ shopId, actor, requestId: 'request-1', readAtMs: Date.now() });
    const changes = [{ coordinate: 'SubscriptionContract.status', field: 'status', before: 'ACTIVE', after }];
    await (await begin({ action, contractId: CONTRACT, details: {}, changes })).settleAsDone();
    client.destroy();
  }

  test('reports a contract without changes, and rejects an invalid number', async () => {
    expect(await world.run(['timeline', 'show', HARBOR, '9101001'])).toMatchObject({
      exitCode: 0,
      out: 'Nothing was changed through this service.',
    });
    const wrong = [['harbor'], ['9101001', '--last', '0'], ['9101001', '--last', 'x']];
    for (const args of wrong) {
      expect(await world.run(['timeline', 'show', HARBOR, ...args])).toMatchObject({ exitCode: 2 });
    }
    const query = await world.run(['timeline', 'show', HARBOR, '9101001', '--query', 'who:ada']);
    expect(query).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('does not understand "who:ada"'),
    });
  });

  test('shows who did what, newest last, as a table and as JSON', async () => {
    const keyId = 'key_0123456789ab' as AdminKeyId;
    await written({ kind: 'MERCHANT', label: 'ERP' }, 'subscription_paused', 'PAUSED');
    const customerId = 7001001 as CustomerId;
    await written(
      { kind: 'CUSTOMER', customerId, label: 'Help desk', keyId },
      'subscription_cancelled',
      'CANCELLED',
    );
    const { out } = await world.run(['timeline', 'show', HARBOR, CONTRACT]);
    const [heading, first, second] = out.split('\n');
    expect(heading).toMatch(/^TIME \(UTC\) +WHO +ACTION +OUTCOME +REQUEST +CHANGES$/);
    expect(first).toMatch(/key ERP +subscription_paused +DONE +request-1 +status: ACTIVE → PAUSED$/);
    expect(second).toContain('customer 7001001 by key_0123456789ab (Help desk)');
    const erased = toEntryRow({ ...ENTRY, actor: { kind: 'CUSTOMER' } });
    const helped = toEntryRow({ ...ENTRY, actor: { kind: 'CUSTOMER', label: 'Help desk' } });
    expect([erased.who, helped.who]).toEqual(['an erased customer', 'an erased customer by key Help desk']);
    const json = await world.json(['timeline', 'show', HARBOR, '9101001', '--last', '1']);
    expect(json).toMatchObject([
      {
        id: expect.stringMatching(/^gid:\/\/platform\/SubscriptionEvent\/\d{35}$/),
        action: 'subscription_cancelled',
        actor: { kind: 'CUSTOMER', label: 'Help desk', keyId },
        requestId: 'request-1',
      },
    ]);
    const filtered = ['timeline', 'show', HARBOR, '9101001', '--query', 'action:subscription_paused'];
    expect(await world.json(filtered)).toHaveLength(1);
  });

  test('lists what one key has changed on any contract, and nothing of a key with the same label', async () => {
    const keyId = 'key_aaaaaaaaaaaa' as AdminKeyId;
    await written({ kind: 'MERCHANT', label: 'Twin', keyId }, 'subscription_paused', 'PAUSED');
    await written(
      { kind: 'MERCHANT', label: 'Twin', keyId: 'key_bbbbbbbbbbbb' as AdminKeyId },
      'subscription_resumed',
      'ACTIVE',
    );
    const line = ['timeline', 'of-key', HARBOR, keyId];
    expect(await world.json(line)).toMatchObject([
      {
        action: 'subscription_paused',
        contractId: CONTRACT.replace('shopify', 'platform'),
        actor: { keyId },
      },
    ]);
    const { out } = await world.run(line);
    expect(out).toContain('are only in the log. Run the saved query "changes made with an admin key".');
    expect(out.split('\n')[1]).toMatch(/^9101001 +.*subscription_paused +DONE +request-1 +status: /);
    expect(await world.run([...line.slice(0, 3), 'key_cccccccccccc'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(
        'No entry has this key. Entries from before key ids were recorded have only its label.\n',
      ),
    });
    expect(await world.run([...line.slice(0, 3), 'Twin'])).toMatchObject({ exitCode: 2 });
  });
});

describe('token-keys', () => {
  test('runs the three steps by the clock of the stack', async () => {
    const first = { kid: '0', use: 'sign', since: null };
    expect(await world.json(['token-keys', 'show'])).toEqual({ keys: [first], next: 'publish' });
    const { out: displayed } = await world.run(['token-keys', 'show']);
    expect(displayed).toContain('the first deploy');
    expect(displayed).not.toContain('1970');
    await world.json(['token-keys', 'rotate']);
    const soon = await world.run(['token-keys', 'rotate', '--step', 'sign']);
    expect(soon).toMatchObject({ exitCode: 1, err: expect.stringContaining('It may sign from') });
    await world.control('clock', { advance: 15 * 60 + 1 });
    expect(await world.json(['token-keys', 'rotate'])).toMatchObject({ step: 'sign' });
    expect(await world.run(['token-keys', 'rotate', '--step', 'twist'])).toMatchObject({ exitCode: 2 });
    expect(await world.run(['token-keys', 'rotate', '--leaked'])).toMatchObject({ exitCode: 2 });
    const { out } = await world.run(['token-keys', 'rotate', '--leaked', '--yes', '--json']);
    expect(JSON.parse(out).keys).toHaveLength(1);
    expect(out).not.toContain('secret');
  });
});

describe('first-contact', () => firstContactSuite(() => world));

describe('customer erase', () => {
  test('says that nothing was found of an unknown customer, and reports what it erased of a known one', async () => {
    const unknown = ['customer', 'erase', HARBOR, '7999999', '--yes'];
    const { exitCode, out } = await world.run(unknown);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^No data of Customer 7999999 /)]);
    expect(out).not.toContain('was erased');
    expect(await world.json(unknown)).toMatchObject({ removed: {}, changed: {}, contracts: [] });

    const ref = { shopId: 81234567001 as ShopId, customerId: 7888888 as CustomerId };
    const session = { ...ref, sessionId: 'erased' as SessionId };
    await world.putItem({ ...sessionKey(session), ...session, status: 'active' });
    const snapshot = { ...ref, contract: '7888', version: 1 };
    await world.putItem({ ...snapshotKey(ref.shopId, snapshot.contract), ...snapshot });
    await world.putItem({ ...customerSnapshotKey(snapshot), ...snapshot });
    const known = await world.run(['customer', 'erase', HARBOR, '7888888', '--yes']);
    expect(known.out).toMatch(/^Customer 7888888 .+ was erased.+\n {2}SESSIONS: 1 removed/);
    const counted = known.out.match(/(?<=^ {2})SNAPSHOT.*$/gm);
    expect(counted).toEqual(['SNAPSHOT_OF_CUSTOMER: 1 removed', 'SNAPSHOT: 1 changed']);
  });
});

describe('requests', () => {
  test('have the id that the other commands take, which does not name the customer', async () => {
    const { id } = await world.json(['requests', 'open', HARBOR, '7888777']);
    expect(id).toMatch(/^81234567001-(?!.*7888777)/);
    const listed = async () => (await world.json(['requests', 'list', HARBOR])) as Record<string, unknown>[];
    expect(await listed()).toContainEqual(expect.objectContaining({ id, customerId: 7888777 }));
    expect((await world.json(['requests', 'export', id])).customerId).toBe(7888777);
    expect(JSON.parse((await world.run(['requests', 'export', id])).out).customerId).toBe(7888777);
    await world.run(['customer', 'erase', HARBOR, '7888777', '--yes']);
    const left = (await listed()).filter((one) => one.id === id);
    expect([left.length, JSON.stringify(left)]).toEqual([1, expect.not.stringContaining('7888777')]);
    expect((await world.run(['requests', 'export', id])).err).toContain('has been erased');
    expect(await world.json(['requests', 'done', id])).toEqual({ closed: id });
  });

  test('say what is left of their days: hours under two days, and what is overdue', async () => {
    const requests = { kind: 'data request', shopId: 81234567001, askedBy: 'operator', receivedAtMs: 0 };
    const nowMs = Date.now() + (await world.clock()).offsetMs;
    const left = { soon: [23.5, '23 hours left'], late: [-30.5, 'overdue by 30 hours'] } as const;
    for (const [id, [hours]] of Object.entries(left)) {
      const dueAtMs = nowMs + hours * 3_600_000;
      await world.putItem({
        ...{ pk: 'COMPLIANCE#81234567001', sk: `DATA_REQUEST#${id}` },
        ...{ ...requests, id, dueAtMs },
      });
    }
    const { out } = await world.run(['requests', 'list', HARBOR]);
    for (const [id, [, text]] of Object.entries(left))
      expect(out).toMatch(new RegExp(`^81234567001-${id} .*  ${text}$`, 'm'));
  });

  test('lists erasures as such, with the time when the table was searched', async () => {
    const erasure = { kind: 'erasure', shopId: 81234567001, askedBy: 'operator', erasedAtMs: 0 };
    const searched = { ...erasure, hash: 'searched00', sweptAtMs: Date.parse('2026-11-20T07:30:00Z') };
    for (const one of [{ ...erasure, hash: 'waiting000' }, searched])
      await world.putItem({ pk: 'COMPLIANCE#81234567001', sk: `ERASURE#${one.hash}`, ...one });
    const { out } = await world.run(['requests', 'list', HARBOR]);
    expect(out).toMatch(/erasure waiting0 .*the table has not been searched yet/);
    expect(out).toMatch(/erasure searched .*searched 2026-11-20 07:30/);
    const { out: erased } = await world.run(['customer', 'erase', HARBOR, '7888776', '--yes']);
    const [, name] = /See (erasure \S{8}) in requests list/.exec(erased) ?? [];
    expect((await world.run(['requests', 'list', HARBOR])).out).toContain(name);
  });
});

describe('webhook', () => webhookSuite(() => world));
describe('billing', () => billingSuite(() => world));

describe('the trace', () => traceSuite(() => world));

describe('the rights of operators', () => rightsSuite(() => world));
