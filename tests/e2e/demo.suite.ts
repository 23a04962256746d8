/** The demo against a stack: exits with 0 when all steps succeed, and with 1 at the first unexpected step. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommandLine } from '../../operator/command-line/program.ts';
import { CYCLES_QUERY, SKIP_MUTATION } from '../../sandbox/demo/operations.ts';
import { ask } from '../contract/world/service-client.ts';
import { stack } from '../contract/world/shared-stack.ts';
import { agreeAsMerchant } from '../operator/agree-as-merchant.ts';

const DEMO = join(import.meta.dirname, '../../sandbox/demo/demo.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Demo = { readonly code: number; readonly output: string };

/** Runs the demo against the stack, with changes to the stack's description. */
async function runDemo(changes: Record<string, unknown> = {}): Promise<Demo> {
  const state = JSON.parse(await readFile(stack.stateFile, 'utf8'));
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ ...state, ...changes }));
  return await runWith(file);
}

function runWith(file: string): Promise<Demo> {
  return runOptions('--state', file);
}

function runOptions(...options: string[]): Promise<Demo> {
  return new Promise((resolve) => {
    const environment = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
    execFile(process.execPath, [DEMO, ...options], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

/** The store's app is of another form from now on, and an operator gives the service its client. */
async function connect(form: 'own-store' | 'public', flag: string): Promise<void> {
  const { shop } = stack;
  const answer = await fetch(`${stack.platformUrl}/_control/app`, {
    method: 'POST',
    body: JSON.stringify({ shop, form }),
  });
  const app = (await answer.json()) as { client_id: string; client_secret: string };
  const file = join(folder, `${form}.json`);
  await writeFile(
    file,
    JSON.stringify({ app: { clientId: app.client_id, clientSecret: app.client_secret } }),
  );
  const displayed: string[] = [];
  const line = ['store', 'update', shop, '--state', stack.stateFile, '--credentials', file, flag];
  const exitCode = await runCommandLine(line, {
    out: () => undefined,
    err: (text) => void displayed.push(text),
    columns: 200,
    isInteractive: false,
    confirm: async () => false,
    ask: () => agreeAsMerchant(displayed.join('\n')),
    readInput: async () => '',
  });
  expect([exitCode, displayed.at(-1)]).toEqual([0, expect.any(String)]);
}

test('completes the whole journey as expected: reports each step, shortens secrets and uses no colours', async () => {
  expectJourney(await runDemo());
});

test.each([
  ['own-store', '--client-credentials', 25 * 3600],
  ['public', '--oauth', 2 * 3600],
] as const)(
  'completes the journey with an app of the form %s, whose token ends during it',
  async (form, flag, seconds) => {
    await connect(form, flag);
    await stack.control.clock({ advance: seconds });
    expectJourney(await runDemo());
  },
);

function expectJourney({ code, output }: Demo): void {
  expect(output).toContain('All 16 steps succeeded.');
  expect(code).toBe(0);
  expect(output).toMatch(/POST {3}\/headless-auth\/start +200/);
  expect(output).toMatch(/DELETE \/headless-auth\/revoke +200/);
  expect(output).toContain('Field \\"note\\" is not available to customer accounts');
  expect(output).toMatch(/[A-Z][a-z]+ \d+, \d{4} \(America\/New_York\): [\d.]+ USD/);
  expect(output).toMatch(/The order for [A-Z][a-z]+ \d+, \d{4} \(America\/New_York\) is skipped/);
  expect(output).not.toContain(stack.adminKey);
  expect(output).not.toMatch(/SVC_[A-Z]{2}_[\w.~+-]{8}/);
  expect(output).not.toMatch(/[?&](code|state)=\w/);
  expect(output).not.toContain('\u001b[');
}

type Weekly = { readonly id: number; readonly status: 'ACTIVE' | 'PAUSED' };

/** Runs the demo as the seed's customer without subscriptions, with a new weekly one: the lowest id is the first. */
async function runDemoWith(contract: Weekly, prepare = async () => {}): Promise<Demo> {
  const customer = stack.customers[3];
  const createdMs = Date.parse(await stack.control.now()) - 3_600_000;
  const subscriptions = [
    { ...contract, customerId: customer?.id, createdMs, planId: 830100101, lines: [[810100101, 1]] },
  ];
  const answer = await fetch(`${stack.platformUrl}/_control/seed`, {
    method: 'POST',
    body: JSON.stringify({ shop: stack.shop, subscriptions }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  await prepare();
  return runDemo({ customers: [customer, ...stack.customers.slice(1)] });
}

test('continues where the next three orders are skipped already', async () => {
  const id = 'gid://platform/SubscriptionContract/9300001';
  const asServer = async (query: string, variables: object) => {
    const answer = await ask(stack, 'admin', { bearer: stack.adminKey, query, variables: { ...variables } });
    return (answer.body as { data: { subscriptionBillingCycles: { nodes: { cycleIndex: number }[] } } }).data;
  };
  const result = await runDemoWith({ id: 9_300_001, status: 'ACTIVE' }, async () => {
    const { nodes } = (await asServer(CYCLES_QUERY, { id })).subscriptionBillingCycles;
    for (const { cycleIndex: index } of nodes.slice(0, 3)) {
      const skipped = await asServer(SKIP_MUTATION, { key: crypto.randomUUID(), id, index, skip: true });
      expect(skipped).toMatchObject({
        subscriptionBillingCycleSkip: { billingCycle: { skipped: true }, userErrors: [] },
      });
    }
  });
  expectJourney(result);
});

test('reports that no order is left to skip', async () => {
  const { code, output } = await runDemoWith({ id: 9_300_000, status: 'PAUSED' });
  expect(code).toBe(1);
  expect(output).toContain('✗ The first subscription has no order left to skip: restart the stack.');
});

test('stops at the first unexpected step and says what to do', async () => {
  const { code, output } = await runDemo({ adminKey: 'SVC_AT_wrong' });
  expect(code).toBe(1);
  expect(output).toContain('✗ The key that "npm start" issued is not valid');
  expect(output).not.toContain('/headless-auth/start');
});

test('says what to do when no stack is running', async () => {
  const missing = await runWith(join(folder, 'missing.json'));
  expect(missing.code).toBe(1);
  expect(missing.output).toContain('run "npm start" in another terminal first.');
  const gone = await runDemo({ baseUrl: 'http://127.0.0.1:1' });
  expect(gone.code).toBe(1);
  expect(gone.output).toContain('The stack does not respond: run "npm start" again.');
  expect(missing.output + gone.output).not.toMatch(/^\s+at /m);
});

test('lists its options and rejects an unknown option', async () => {
  expect(await runOptions('--help')).toEqual({ code: 0, output: expect.stringContaining('--state FILE') });
  const unknown = await runOptions('--stat');
  expect(unknown).toEqual({
    code: 1,
    output: expect.stringContaining('npm run demo -- --help lists the options.'),
  });
});
