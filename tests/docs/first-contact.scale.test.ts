/** The blocks of docs/first-contact.md, in their order, against the emulated platform. */
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { UNPUBLISHED_BEHAVIOURS } from '../../sandbox/platform/state/unpublished-behaviour.ts';
import { isFullSize } from '../full-size.ts';
import { shellBlocks } from '../readme-blocks.ts';
import { harbor, startTestPlatform, type TestPlatform } from '../sandbox/platform/running-platform.ts';

const page = readFileSync('docs/first-contact.md', 'utf8');
const documents = globSync('docs/first-contact/*.graphql').sort();

let platform: TestPlatform | undefined;
afterEach(() => platform?.close());

/** What the sections `order-dates` and `same-policy` measure. */
const MEASURED = ['cycleBounds', 'skippedDates', 'editReach', 'samePolicyCommit'] as const;
type Ways = Record<(typeof MEASURED)[number], string>;
const waysAt = (at: number) =>
  Object.fromEntries(MEASURED.map((name) => [name, UNPUBLISHED_BEHAVIOURS[name][at]])) as Ways;

/** In place of a person at a browser: the README's visit to the pages of the sign-in. */
function visitAsAda(): string {
  const visit = shellBlocks(readFileSync('README.md', 'utf8')).find((block) => block.includes('CALLBACK='));
  return `read() {\n${visit}}\nSTART=$(node -p 'JSON.stringify({ authUrl: process.argv[1] })' "$AUTHORIZATION")\n`;
}

/** Runs all blocks in one shell that stops at the first failure, and returns their output. */
async function runPage({ stores, url }: TestPlatform): Promise<string> {
  mkdirSync('.local', { recursive: true });
  const store = stores.find(({ shop }) => shop === harbor);
  const env = {
    ...{ ...process.env, NODE_OPTIONS: '', STORE: `${url}/${harbor}`, PLATFORM: url },
    ...{ TOKEN: store?.accessToken, NUMBER: '9101002', CLIENT_ID: store?.clientId },
    SHOP_ID: `${store?.shopId}`,
  };
  const visit = 'visit() { curl -sS -L -b .local/cookies -c .local/cookies -H \'user-agent: test\' "$@"; }\n';
  const blocks = shellBlocks(page).map((block) =>
    block.startsWith('CONFIG=')
      ? block.replace(/\nnode -p/, '\nAUTHORIZATION=$(node -p').replace(/\n$/, ')\n')
      : block.startsWith('read ')
        ? `${visit}${visitAsAda()}${block}`
        : block,
  );
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], {
    env,
  });
  return stdout;
}

test('the documents are valid at the platform', () => {
  const schema = buildSchema(readFileSync('graphql/schema/platform/admin-2026-07.graphql', 'utf8'));
  for (const path of documents)
    expect([path, ...validate(schema, parse(readFileSync(path, 'utf8')))]).toEqual([path]);
});

test('the page sends every operation of the documents', () => {
  for (const path of documents)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/^(?:query|mutation) (\w+)/gm))
      expect(page).toContain(`send ${/([\w-]+)\.graphql$/.exec(path)?.[1]} ${name} `);
});

const CASES: readonly [string, Ways][] = [
  ['as assumed', waysAt(0)],
  ['otherwise', waysAt(1)],
];
// In `npm test` one case: the second takes as long, and differs only in the platform.
const cases = CASES.slice(0, isFullSize ? 2 : 1);

test.each(cases)('the blocks answer as the page says, and undo what they did: %s', async (_case, ways) => {
  platform = await startTestPlatform();
  await platform.control('POST', 'settings', { shop: harbor, ...ways });
  await platform.control('POST', 'scopes', { shop: harbor, withheld: ['read_locations'] });
  const output = await runPage(platform);
  expect(output).toContain('sub: 7001001\n{"data":{"customer":{"id":"gid://shopify/Customer/7001001"}}}');
  expect(output).toMatch(/signed out: [23]/);
  expect(output).toContain('"deletedStorefrontAccessTokenId"');
  expect(output).toMatch(/"deliveryOptions":null.*ACCESS_DENIED|ACCESS_DENIED.*"deliveryOptions":null/);
  expect(output).toContain('NO_ENTITLED_LINES');
  const states = output.split('\n').filter((line) => line.includes('"subscriptionBillingCycles"'));
  const [before, during, after, unedited, far, undone, farUndone, moved, last] = states.map(
    (line) => JSON.parse(line).data,
  );
  expect(during.subscriptionContract.billingPolicy.intervalCount).toBe(
    before.subscriptionContract.billingPolicy.intervalCount * 2,
  );
  expect([after, unedited, undone, last]).toEqual([before, before, before, before]);
  expect(farUndone).toEqual(far);
  const [outside, early, , restored, distant] = output
    .split('\n')
    .filter((line) => line.includes('"subscriptionBillingCycleScheduleEdit"'))
    .map((line) => JSON.parse(line).data.subscriptionBillingCycleScheduleEdit);
  const [, { billingAttemptExpectedDate: end }] = before.subscriptionBillingCycles.nodes;
  const { billingAttemptExpectedDate: earlier } = early.billingCycle;
  expect(earlier < end).toBe(true);
  expect({
    cycleBounds: outside.userErrors[0]?.code === 'OUT_OF_BOUNDS' ? 'instant' : 'day',
    skippedDates: restored.billingCycle.billingAttemptExpectedDate === earlier ? 'kept' : 'dropped',
    editReach: distant.userErrors[0]?.code === 'UPCOMING_CYCLE_LIMIT_EXCEEDED' ? 'year' : 'none',
    samePolicyCommit:
      moved.subscriptionBillingCycles.nodes[1].billingAttemptExpectedDate === earlier ? 'keeps' : 'recounts',
  }).toEqual(ways);
  expect(output).toMatch(
    /"one":\{"subscriptionBillingAttempt":\{.*"other":\{"subscriptionBillingAttempt":null/,
  );
});
