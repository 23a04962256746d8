/** Checks that the commands, scripts, links and resource names in docs/costs.md, deploying.md and runbook.md exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENTS, readEnvironmentConfig } from '../../../infra/definition/config.ts';
import { FUNCTION_NAMES } from '../../../infra/definition/function-definitions.ts';
import { commandDefinitions } from '../../../operator/command-line/all-commands.ts';
import { templateOf } from './template/synthesise.ts';
import { resourcesOf } from './template/template.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const read = (name: string) => readFileSync(`docs/${name}`, 'utf8');
type RetainedResource = {
  readonly DeletionPolicy?: string;
  readonly Properties: Readonly<Record<'TableName' | 'Name' | 'LogGroupName', string | undefined>>;
};
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => String(found));

test('names each named resource that a failed first deploy leaves behind', () => {
  const commands = read('deploying.md').split('### The first deploy failed')[1]?.split('\n## ')[0] ?? '';
  const retained = Object.values(
    templateOf('prod').toJSON().Resources as Record<string, RetainedResource>,
  ).filter(({ DeletionPolicy }) => DeletionPolicy === 'RetainExceptOnCreate');
  const named = retained.flatMap(({ Properties: { TableName, Name, LogGroupName } }) =>
    [TableName, Name, LogGroupName?.replace('/aws/', '')].filter((name) => name !== undefined),
  );
  expect(named).toHaveLength(15);
  for (const name of named) expect(commands).toMatch(new RegExp(`${name}[\\s;]`));
});

test.each(globSync('*.md', { cwd: 'docs' }))('every command of AWS in %s names its region', (name) => {
  const commands = all(read(name).replaceAll('\\\n', ' '), /\b(aws [a-z-]+ [a-z-]+ .*)/g);
  expect(commands.filter((command) => !command.includes(' --region '))).toEqual([]);
});

test('repeats each command that waits for a table, because it gives up after eight minutes', () => {
  for (const command of all(read('deploying.md'), /(.*)aws dynamodb wait /g)) expect(command).toBe('until ');
});

test('traffic returns after a restore with the instances that production has', () => {
  const [, given = ''] = /for ONE in (.+); do/.exec(read('deploying.md')) ?? [];
  const instances = Object.fromEntries(given.split(' ').map((one) => one.split('=')));
  const { reservedConcurrency } = readEnvironmentConfig('prod').config;
  expect(instances).toEqual(
    Object.fromEntries(Object.entries(reservedConcurrency).map(([name, count]) => [name, `${count}`])),
  );
});

test('the concurrency to ask AWS for is what production reserves, and what must stay unreserved', () => {
  const functions = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(({ properties }) => ({
    name: String(properties.FunctionName).replace('subscriptions-prod-', ''),
    reserved: Number(properties.ReservedConcurrentExecutions ?? 0),
  }));
  // AWS refuses to reserve an account's last hundred.
  const retained = 100;
  const reserved = functions.reduce((sum, one) => sum + one.reserved, 0);
  const [without, ...others] = functions.filter((one) => one.reserved === 0);
  expect(others).toEqual([]);
  const page = read('deploying.md').replaceAll('\n', ' ');
  const requested = (reserved + retained).toLocaleString('en-US');
  expect(page).toContain(`${requested} concurrent executions of Lambda`);
  expect(page).toContain(`reserve ${reserved} together, and AWS keeps ${retained} unreserved`);
  expect(page).toContain(`\`${without?.name}\`, the only one that reserves none`);
  expect(page).toContain(`--desired-value ${reserved + retained}`);
  expect(readEnvironmentConfig('prod').config.accountConcurrency).toBe(reserved + retained);
});

test('the README counts the functions that are deployed', () => {
  const [minimum, maximum] = ['dev', 'prod'].map((name) =>
    templateOf(name).findResources('AWS::Lambda::Function'),
  );
  expect(Object.keys(minimum ?? {})).toHaveLength(8);
  expect(Object.keys(maximum ?? {})).toHaveLength(9);
  expect(readFileSync('README.md', 'utf8')).toMatch(
    /eight Lambda functions\b[^)]*\bninth\b[^)]*in production/,
  );
});

test('quotes what cdk prints without credentials, where an account is first needed', () => {
  const [before = ''] = read('deploying.md').replaceAll('\n', ' ').split('npx cdk diff');
  const [, sentence = ''] = /without them `cdk diff` says ([^.]+)\.\s+```sh\s*$/.exec(before) ?? [];
  const quoted = all(sentence, /`((?:Unable|Need) [^`…]+)/g).map((message) => message.trim());
  expect(quoted).toHaveLength(2);
  const cdk = readFileSync('node_modules/aws-cdk/lib/index.js', 'utf8');
  for (const message of quoted) expect(cdk.includes(message)).toBe(true);
});

test('README and SECURITY.md lead to every page, by themselves or by a page that they lead to', () => {
  const pages = globSync('*.md', { cwd: 'docs' });
  const led = new Set(['../README.md', '../SECURITY.md']);
  for (const page of led) {
    const text = read(page);
    const named = all(text, /(?:`docs\/|\]\((?:docs\/)?)([\w-]+\.md)/g);
    for (const one of named.filter((name) => pages.includes(name))) led.add(one);
  }
  expect(pages.filter((page) => !led.has(page))).toEqual([]);
});

describe.each(['costs.md', 'deploying.md', 'runbook.md'])('%s', (name) => {
  const text = read(name);

  test('names commands of the operator that exist', () => {
    const commandNames = commandDefinitions.map(({ group, usage }) =>
      `${group} ${usage.split(' ')[0]}`.trim(),
    );
    const named = all(text, /(?:`operator |npm run operator -- )([a-z-]+(?: [a-z-]+)?)/g);
    const missing = named.filter(
      (one) => !commandNames.some((command) => `${command} `.startsWith(`${one} `)),
    );
    expect(missing.filter((one) => !commandNames.includes(String(one.split(' ')[0])))).toEqual([]);
  });

  test('names npm scripts and environments that are there', () => {
    for (const script of all(text, /npm run ([a-z-]+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const env of all(text, /(?:-c env=|--env )([a-z]+)/g))
      expect(Object.keys(ENVIRONMENTS)).toContain(env);
  });

  test('names functions that are there', () => {
    for (const one of all(text, /--function-name "?subscriptions-prod-([a-z-]+)/g))
      expect(FUNCTION_NAMES).toContain(one);
  });
});

test.each(globSync('*.md', { cwd: 'docs' }))('%s links to places that are there', (name) => {
  for (const link of all(read(name), /\]\(([^)]+)\)/g).filter((one) => !one.startsWith('https:'))) {
    const [file, anchor] = link.split('#');
    const path = file === '' ? name : String(file);
    expect([path, existsSync(`docs/${path}`)]).toEqual([path, true]);
    if (anchor !== undefined) expect(all(read(path), /^#+ (.+)$/gm).map(anchorOf)).toContain(anchor);
  }
});

type Statement = Readonly<Record<'Sid' | 'Resource', string>> & { readonly Action: readonly string[] };

describe('examples/operator-policy.json', () => {
  const { Statement: statements } = JSON.parse(readFileSync('examples/operator-policy.json', 'utf8'));
  const byId = (sid: string) => (statements as Statement[]).find(({ Sid }) => Sid === sid);
  const { tableName, secretsPrefix } = readEnvironmentConfig('prod').config;

  test('names what production has, and the rights to its key that functions have', () => {
    expect(byId('Table')?.Resource).toMatch(new RegExp(`:table/${tableName}$`));
    expect(byId('RestoredTable')?.Resource).toMatch(new RegExp(`:table/${tableName}-restored$`));
    expect(byId('RestoredTable')?.Action).toEqual(expect.arrayContaining([...(byId('Table')?.Action ?? [])]));
    expect(byId('Secrets')?.Resource).toMatch(new RegExp(`:secret:${secretsPrefix}/\\*$`));
    const template = JSON.stringify(templateOf('prod').toJSON());
    const [granted = ''] = all(template, /"Action":(\["kms:Decrypt"[^\]]*\])/g);
    expect(byId('TableKey')?.Action).toEqual(JSON.parse(granted));
  });
});

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}
