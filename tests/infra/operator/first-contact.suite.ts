import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { allSteps } from '../../../infra/operator/first-contact/all-steps.ts';
import { watchInterrupts } from '../../../infra/operator/first-contact/interruption.ts';
import type { Played } from '../../../infra/operator/first-contact/play-steps.ts';
import { reportLines } from '../../../infra/operator/first-contact/report.ts';
import type { Json } from '../local/platform/running-platform.ts';
import { breaks, createFirstContactWorld, type FirstContactWorld } from './first-contact-world.ts';
import type { OperatorWorld } from './operator-world.ts';

const MONTHLY = 'gid://shopify/SubscriptionContract/9101002';
let world: FirstContactWorld;

/** Over an operator's world that has the first store installed; leaves its platform as the seed is. */
export function firstContactSuite(given: () => OperatorWorld): void {
  beforeAll(async () => {
    world = await createFirstContactWorld(given().platform);
  });
  beforeEach(() => world.reset());
  afterAll(() => world.reset());
  whatIsSo();
  whatIsChanged();
  theReport();
  theCommand(given);
}

const setting = (settings: object) => () => world.control('settings', settings);
const withhold = (...withheld: string[]) => world.control('scopes', { withheld });
const admin = (operation: string, fault: object, count = 1) =>
  world.fault({ target: 'admin', operation, count, ...fault });
const named = (sub: string) => async () => {
  await setting({ subjects: { 7001001: sub } })();
  return byAda();
};
const byAda = async () => ({ type: world.signInAt('ada@example.com') });
const nothing = async () => undefined;

/** What a shopper, its merchant and its accountant would see of the contract and of the store's tokens. */
const look = () =>
  world.ask(
    `{ subscriptionContract(id: "${MONTHLY}") { status billingPolicy { interval intervalCount } deliveryPolicy { interval intervalCount }
        lines(first: 9) { nodes { id quantity currentPrice { amount } } } discounts(first: 9) { nodes { title } } orders(first: 99) { nodes { id } } }
      subscriptionBillingCycles(contractId: "${MONTHLY}", first: 9) { nodes { cycleIndex cycleEndAt cycleStartAt billingAttemptExpectedDate skipped edited status } }
      shop { storefrontAccessTokens(first: 9) { nodes { title } } } }`,
  );

/** A contract of three deliveries in a payment, under a price of 30.00 that the platform has computed so. */
async function prepaid(computed: string) {
  const line = `{ productVariantId: "gid://shopify/ProductVariant/810100201", quantity: 1, currentPrice: ${computed}, pricingPolicy: { basePrice: 15, cycleDiscounts: [{ adjustmentType: PRICE, adjustmentValue: { fixedValue: 30 }, afterCycle: 0, computedPrice: ${computed} }] } }`;
  const made = await world.ask(
    `mutation { subscriptionContractAtomicCreate(input: { customerId: "gid://shopify/Customer/7001001", currencyCode: USD, nextBillingDate: "2031-12-21T00:00:00Z",
      contract: { billingPolicy: { interval: MONTH, intervalCount: 3 }, deliveryPolicy: { interval: MONTH, intervalCount: 1 }, deliveryMethod: { shipping: { address: { address1: "8 Wharf Street", city: "Portland", countryCode: US } } } },
      lines: [{ line: ${line} }] }) { contract { id } userErrors { message } } }`,
  );
  const { contract } = made.subscriptionContractAtomicCreate as Json;
  return { contracts: [/\d+$/.exec(contract.id)?.[0] ?? ''] };
}

const oldOrder = {
  data: { orders: { nodes: [{ id: 'gid://shopify/Order/1', createdAt: '2024-01-01T00:00:00Z' }] } },
};
const place = {
  __typename: 'SubscriptionPickupOption',
  code: 'pickup',
  location: { id: 'gid://shopify/Location/1' },
};
const places = { data: { subscriptionDraft: { deliveryOptions: { deliveryOptions: [place] } } } };

type Case = [name: string, when: string, setUp: () => Promise<unknown>, verdict: string, words: string];
const cases: Case[] = [
  ['api-version', 'as documented', nothing, 'so', 'oldest that lives is 2026-07'],
  [
    'api-version',
    'another version answers',
    () =>
      admin('FirstContactVersion', { body: { data: {} }, headers: { 'x-shopify-api-version': '2026-10' } }),
    'not so',
    '2026-07 is answered by 2026-10',
  ],
  [
    'api-version',
    'an expired one is not there',
    async () => {
      await admin('FirstContactVersion', {
        body: { data: {} },
        headers: { 'x-shopify-api-version': '2026-07' },
      });
      await admin('FirstContactVersion', { status: 404 });
    },
    'not so',
    'not answered by a living one',
  ],
  ['discovery', 'served', nothing, 'so', 'pinned one'],
  ['discovery', 'moved', setting({ discovery: 'moved' }), 'not so', 'does not serve them itself'],
  [
    'discovery',
    'down',
    () => world.fault({ target: 'sign-in', operation: 'discovery', count: 4, status: 503 }),
    'not measured',
    'did not answer',
  ],
  ['origin', 'refused', nothing, 'so', 'it is refused'],
  ['origin', 'taken', setting({ origin: 'taken' }), 'so', 'taken, too'],
  ['origin', 'needed', setting({ origin: 'needed' }), 'not so', 'with an Origin alone'],
  [
    'origin',
    'down',
    () => world.fault({ target: 'sign-in', operation: 'token', count: 3, status: 503 }),
    'not measured',
    'in every form',
  ],
  ['app-secret', 'as documented', nothing, 'so', 'either form'],
  [
    'app-secret',
    'in other words',
    () => admin('access_token', { status: 400, body: { error: 'invalid_request' } }, 2),
    'not so',
    'other words',
  ],
  [
    'app-secret',
    'taken',
    () => admin('access_token', { body: { access_token: 'x' } }),
    'not so',
    'all the same',
  ],
  [
    'app-secret',
    'down',
    () => admin('access_token', { status: 503 }, 2),
    'not measured',
    'if the platform is not down',
  ],
  ['app-secret', 'a token alone', async () => ({ hasApp: false }), 'not measured', 'token alone'],
  ['nodes-cost', 'by its ids', nothing, 'so', 'Each id costs 2'],
  ['nodes-cost', 'once', setting({ nodesCost: 'once' }), 'not so', 'however many'],
  ['old-orders', 'granted', nothing, 'not measured', 'they are seen'],
  ['old-orders', 'hidden', () => withhold('read_all_orders'), 'so', '9101002'],
  [
    'old-orders',
    'seen without',
    async () => {
      await withhold('read_all_orders');
      await admin('FirstContactOldOrders', { body: oldOrder });
    },
    'not so',
    'without it',
  ],
  ['cycle-range', 'answered', nothing, 'so', '501 cycles'],
  ['cycle-range', 'refused', setting({ longRanges: 'refused' }), 'not so', 'INVALID_FIELD_ARGUMENTS'],
  [
    'prepaid-price',
    'no such contract',
    nothing,
    'not measured',
    'billed every 3 months, delivered every month',
  ],
  ['prepaid-price', 'of the payment', () => prepaid('30'), 'so', 'computed price is the policy'],
  ['prepaid-price', 'of each delivery', () => prepaid('90'), 'not so', 'that of each delivery'],
  ['prepaid-price', 'neither', () => prepaid('45'), 'not so', 'neither'],
  ['sub', 'the number', byAda, 'so', 'the same'],
  ['sub', 'another number', named('7001002'), 'not so', 'every sign-in is rejected'],
  ['sub', 'no number', named('c-7f3a'), 'not so', 'each sign-in asks'],
  ['sub', 'nobody there', nothing, 'not measured', 'Nobody is at the terminal'],
  [
    'sub',
    'another sign-in is pasted',
    async () => ({ type: async () => 'shop.81234567001.app://callback?code=x&state=y' }),
    'not measured',
    'another sign-in',
  ],
  [
    'sub',
    'something else is pasted',
    async () => ({ type: async () => 'https://example.com' }),
    'not measured',
    'does not begin with',
  ],
  ['storefront-token', 'allowed', nothing, 'so', 'deleted'],
  [
    'storefront-token',
    'denied',
    () => withhold('unauthenticated_read_product_listings'),
    'not so',
    'not granted: unauthenticated_read_product_listings',
  ],
  ['pickup-locations', 'granted', nothing, 'not measured', 'has read_locations'],
  ['pickup-locations', 'denied', () => withhold('read_locations'), 'so', 'ACCESS_DENIED'],
  [
    'pickup-locations',
    'told all the same',
    async () => {
      await withhold('read_locations');
      await admin('FirstContactOptions', { body: places });
    },
    'not so',
    'without it',
  ],
  ['empty-discount', 'refused', nothing, 'so', 'NO_ENTITLED_LINES'],
  ['empty-discount', 'kept', setting({ emptyDiscounts: 'kept' }), 'not so', 'committed'],
  ['rhythm', 'after the current cycle', nothing, 'so', 'keeps its end'],
  [
    'rhythm',
    'from the current cycle',
    () => world.control('rescheduling', { rescheduling: 'FROM_CURRENT_CYCLE' }),
    'so',
    'anew from its start',
  ],
  ['two-attempts', 'one at a time', nothing, 'so', 'in progress'],
  ['two-attempts', 'several', setting({ openAttempts: 'several' }), 'not so', 'charged twice'],
];

function whatIsSo(): void {
  describe('what is so', () => {
    test.each(cases)('%s, %s', async (name, _when, setUp, verdict, words) => {
      const options = ((await setUp()) ?? {}) as { contracts?: string[]; type?: () => Promise<string> };
      const isOption = ['contracts', 'type', 'hasApp'].some((name) => name in options);
      const found = await world.find(name, isOption ? options : {});
      expect(found).toMatchObject({ verdict, words: expect.stringContaining(words) });
    });

    test('every step is played in every way that the platform may be', () => {
      for (const { name } of allSteps) {
        const verdicts = new Set(cases.filter(([each]) => each === name).map(([, , , verdict]) => verdict));
        expect([name, verdicts.has('so')]).toEqual([name, true]);
        // A rhythm has no third way here.
        expect([name, verdicts.has('not so') || name === 'rhythm']).toEqual([name, true]);
      }
    });
  });
}

function whatIsChanged(): void {
  describe('what is changed at the shop', () => {
    const untouched = ['storefront-token', 'pickup-locations', 'empty-discount', 'rhythm'];

    test.each(untouched)('%s leaves it as it was', async (name) => {
      await setting({ emptyDiscounts: 'kept' })();
      const before = await look();
      const [played] = await world.play([name]);
      expect(await look()).toEqual(before);
      expect(played?.failed).toEqual([]);
    });

    test('what is kept of a run says at every moment what is changed', async () => {
      const kept: string[][] = [];
      await world.play(['rhythm'], {
        save: (played) => void kept.push(played.flatMap(({ left }) => [...left])),
      });
      expect(kept.slice(0, 2)).toEqual([[expect.stringMatching(/every 2 MONTH.*Not put back yet/)], []]);
    });

    test('orders that do not come back with their rhythm are told', async () => {
      const [moved] = (await look()).subscriptionBillingCycles.nodes;
      // Read twice as they are; then, the rhythm being back, as if the platform had kept another end.
      await admin('FirstContactAhead', { delayMs: 0 }, 2);
      const nodes = [{ ...moved, cycleEndAt: '2031-01-01T00:00:00Z' }];
      await admin('FirstContactAhead', { body: { data: { subscriptionBillingCycles: { nodes } } } });
      const [played] = await world.play(['rhythm']);
      expect(played).toMatchObject({
        ...{ failed: [], putBack: [] },
        left: [expect.stringMatching(/every 2 MONTH.*did not come back with it.*2031-01-01/)],
      });
    });

    test('a charge is told, and so is the move that stays with it', async () => {
      const [played] = await world.play(['two-attempts']);
      expect(played?.left).toEqual([
        expect.stringMatching(/moved from .* It is billed, and stays there/),
        expect.stringMatching(/charged about 57\.10 USD, twice at most/),
      ]);
    });

    /** Each answer of a step is lost; and its request, or all from there on, or the operator has enough, in turn. */
    test.each(['storefront-token', 'empty-discount', 'rhythm', 'two-attempts'])(
      '%s, whose requests break: all is put back, or told where nothing can be sent',
      async (name) => {
        await setting({ emptyDiscounts: 'kept' })();
        const { requests } = await world.count([name], { contracts: ['9101001'] });
        let before = await look();
        const others = breaks.filter((how) => how !== 'after');
        const cases = Array.from({ length: requests }, (_, index) => index + 1).flatMap((nth) =>
          (['after', others[nth % others.length] ?? 'gone'] as const)
            .slice(0, 1 + (nth % 2))
            .map((how) => ({ nth, how })),
        );
        for (const { nth, how } of cases) {
          const [played] = await world.play([name], { breaks: { nth, how } });
          const after = await look();
          const isSame = JSON.stringify(after) === JSON.stringify(before);
          const isTold = (played?.left.length ?? 0) > 0;
          if (how !== 'gone') expect([nth, how, played?.failed]).toEqual([nth, how, []]);
          expect([nth, how, isSame || isTold]).toEqual([nth, how, true]);
          if (how !== 'gone' && name !== 'two-attempts') expect([nth, how, isSame]).toEqual([nth, how, true]);
          if (isSame) continue;
          await world.reset();
          await setting({ emptyDiscounts: 'kept' })();
          before = await look();
        }
      },
    );

    test('a charge is not made where it would be real money', async () => {
      await setting({ plan: { isDevelopment: false, name: 'Basic' } })();
      // An app made the contract, so nothing shows that its payments are tests.
      const { contracts } = await prepaid('30');
      const found = await world.find('two-attempts', { contracts, isLiveStore: true });
      expect(found).toMatchObject({ verdict: 'not measured', words: expect.stringContaining('real money') });
    });

    test('orders that are moved or skipped are not put at risk', async () => {
      await world.ask(
        `mutation { subscriptionBillingCycleSkip(billingCycleInput: { contractId: "${MONTHLY}", selector: { index: 6 } }) { userErrors { message } } }`,
      );
      const before = await look();
      const [played] = await world.play(['rhythm']);
      expect(played?.outcome).toMatchObject({
        verdict: 'not measured',
        words: expect.stringContaining('Cycle 6'),
      });
      expect(await look()).toEqual(before);
    });

    test('a dry run reads, and changes nothing', async () => {
      const before = await look();
      const played = await world.play(
        allSteps.map(({ name }) => name),
        { isDryRun: true, type: async () => '' },
      );
      expect(await look()).toEqual(before);
      const verdicts = new Map(played.map(({ step, outcome }) => [step.name, outcome.verdict]));
      for (const { name, changes } of allSteps)
        if (changes !== undefined) expect([name, verdicts.get(name)]).toEqual([name, 'would change']);
      expect(verdicts.get('cycle-range')).toBe('so');
    });
  });
}

function theReport(): void {
  describe('the report', () => {
    const facts = {
      ...{
        domain: 'harbor-coffee.myshopify.com',
        shopId: 81234567001,
        plan: 'Development',
        isDevelopment: true,
      },
      ...{
        platformApiVersion: '2026-07',
        environment: 'dev',
        startedAtMs: Date.parse('2026-11-22T08:00:00Z'),
      },
      contracts: [MONTHLY],
    };
    const text = (played: readonly Played[]) => reportLines(facts, played).join('\n');

    test('holds nothing of a customer but ids, and no secret', async () => {
      const words: string[] = [];
      const type = async (said: string) => {
        const address = await world.signInAt('ada@example.com')(said);
        const { searchParams } = new URL(address);
        words.push(...['code', 'state'].map((name) => searchParams.get(name) ?? ''));
        return address;
      };
      const report = text(
        await world.play(
          allSteps.map(({ name }) => name),
          { type },
        ),
      );
      for (const each of [...words, 'shpat_', 'Ada', 'Brewer', 'example.com', 'Wharf', 'eyJ'])
        expect(report).not.toContain(each);
      expect(report).toContain('gid://shopify/Customer/7001001');
    });

    test('what the platform says cannot break out of its line, nor bring addresses and tokens', async () => {
      await setting({ longRanges: 'refused' })();
      const message = 'No\n## so: `rm`\n| ada@example.com shpat_0123456789abcdef |';
      await admin('FirstContactCycles', { body: { data: null, errors: [{ message, path: ['_svcNear'] }] } });
      const report = text(await world.play(['cycle-range']));
      expect(report).not.toMatch(/^## so/m);
      expect(report).not.toMatch(/ada@|shpat_/);
    });

    test('lets a difference stand out, with where the code takes it otherwise', async () => {
      await setting({ discovery: 'moved' })();
      const report = text(await world.play(['discovery', 'nodes-cost']));
      expect(report).toContain('| `discovery` | **is not so: differs** |');
      expect(report).toMatch(
        /\*\*Differs from what the service takes for granted\*\*: No redirect is followed/,
      );
      expect(report).toContain('`lib/platform/discover-sign-in.ts`');
    });

    test('says of the rest that the service is built for it', async () => {
      await setting({ nodesCost: 'once' })();
      expect(text(await world.play(['nodes-cost']))).toContain(
        'is not so; the service is built for that, too',
      );
    });
  });
}

function theCommand(given: () => OperatorWorld): void {
  const run = (...line: string[]) =>
    given().run(['first-contact', '--shop', 'harbor-coffee.myshopify.com', ...line]);
  const asked = (answers: boolean[], ...line: string[]) =>
    given().run(['first-contact', '--shop', 'harbor-coffee.myshopify.com', ...line], { answers });

  describe('the command', () => {
    test('asks for each step with what it does and changes, and skips what nobody agrees to', async () => {
      const contract = ['--contract', '9101002', '--only', 'nodes-cost,rhythm,two-attempts'];
      const before = await look();
      const { exitCode, out, err } = await asked([true, false, false], ...contract);
      expect(err).toContain('What it changes at the shop: nothing.');
      expect(err).toMatch(/How that is undone: It is changed back/);
      expect(err).toContain(
        'Contract 9101002 is charged about 57.10 USD on the test gateway, twice at most.',
      );
      expect(out).toContain('| `nodes-cost` | is so |');
      expect(out.match(/skipped/g)).toHaveLength(4);
      expect(exitCode).toBe(0);
      expect(await look()).toEqual(before);
    });

    test('plays what was agreed to beforehand, and nothing else, where nobody is there', async () => {
      const before = await look();
      const { out } = await run('--yes', 'reading', '--contract', '9101002', '--json');
      const { steps } = JSON.parse(out) as { steps: { name: string; verdict: string }[] };
      const played = steps.filter(({ verdict }) => verdict !== 'skipped').map(({ name }) => name);
      const reading = allSteps.filter(({ changes }) => changes === undefined).map(({ name }) => name);
      // Signing in takes a person, and is told as that.
      expect(played.sort()).toEqual([...reading, 'sub'].sort());
      expect(await look()).toEqual(before);
    });

    test('the page for operators has a line for each step, and says which change nothing', () => {
      const page = readFileSync('docs/operators.md', 'utf8');
      const rows = page.split('\n').filter((line) => /^\| `[a-z-]+` \|.*\|.*\|$/.test(line));
      for (const { name, changes } of allSteps) {
        const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
        expect([name, row?.endsWith('| nothing |')]).toEqual([name, changes === undefined]);
      }
    });

    test.each([
      ['nobody to ask', [], 'nobody can be asked here'],
      ['a consent to everything', ['--yes'], 'wants names of steps'],
      ['a step that is none', ['--yes', 'everything'], 'There are: api-version'],
      ['a step that is none', ['--only', 'reading', '--yes', 'reading'], 'There are: api-version'],
      ['a contract that is none', ['--yes', 'reading', '--contract', '9101002;1'], 'give the number'],
    ])('is not understood with %s', async (_what, line, words) => {
      expect(await run(...line)).toMatchObject({ exitCode: 2, err: expect.stringContaining(words) });
    });

    test('refuses a contract that is not there, and a report that would be overwritten', async () => {
      const absent = await run('--yes', 'reading', '--contract', '1');
      expect(absent).toMatchObject({ exitCode: 1, err: expect.stringContaining('subscriptionContract') });
      const kept = given().file('kept.md', 'an earlier report');
      const again = await run('--yes', 'reading', '--output', kept);
      expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining('no report is overwritten') });
      expect(readFileSync(kept, 'utf8')).toBe('an earlier report');
    });

    test.each(['--dry-run', '--yes'])('refuses a store that is not for development (%s)', async (option) => {
      await setting({ plan: { isDevelopment: false, name: 'Basic' } })();
      const line = option === '--yes' ? ['--yes', 'nodes-cost'] : [option];
      const refused = await run(...line, '--only', 'nodes-cost');
      expect(refused).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('no development store (plan Basic)'),
      });
      const said = await run(...line, '--only', 'nodes-cost', '--live-store');
      expect(said).toMatchObject({ exitCode: 0, out: expect.stringContaining('**no development store**') });
    });

    test('a dry run asks nobody, writes no file, and says what would be changed', async () => {
      const before = await look();
      const file = join(given().folder, 'dry.md');
      const { exitCode, out } = await run('--dry-run', '--contract', '9101002', '--output', file);
      expect(exitCode).toBe(0);
      expect(out).toContain('| `two-attempts` | would change |');
      expect(existsSync(file)).toBe(false);
      expect(await look()).toEqual(before);
    });

    test('ended at a question, it begins nothing more, and says so', async () => {
      const line = ['first-contact', '--shop', 'harbor-coffee.myshopify.com', '--only', 'nodes-cost,origin'];
      const { exitCode, out, err } = await given().run(line, { answers: [true, true], endsAt: 2 });
      expect(exitCode).toBe(1);
      expect(out.match(/is so/g)).toHaveLength(2);
      expect(out).toContain('The run was ended before.');
      expect(err).toContain('Once more, and it stays as it is');
    });

    test('ended twice, and not by one Ctrl-C that comes twice, it gives up and tells what is left', () => {
      const said: string[] = [];
      const ends: (() => void)[] = [];
      const onInterrupt = (handler: () => void) => {
        ends.push(handler);
        return () => undefined;
      };
      const codes: number[] = [];
      const exit = (code: number) => void codes.push(code);
      const terminal = { err: (words: string) => void said.push(words), onInterrupt };
      let nowMs = 0;
      const { signal, told } = watchInterrupts(terminal, { exit, now: () => nowMs });
      told(['Contract 9101002 comes every 2 MONTH.']);
      ends[0]?.();
      // npm passes on what the terminal has sent to all.
      ends[0]?.();
      expect([signal.aborted, codes]).toEqual([true, []]);
      nowMs = 2_000;
      ends[0]?.();
      expect([said.at(-1), codes]).toEqual(['Left changed: Contract 9101002 comes every 2 MONTH.', [130]]);
    });

    test('keeps the report in a file, and what was changed in the log', async () => {
      const [file, log] = ['report.md', 'changed.jsonl'].map((name) => join(given().folder, name));
      const steps = 'discovery,rhythm';
      await setting({ discovery: 'moved' })();
      const line = [
        '--only',
        steps,
        '--yes',
        steps,
        '--contract',
        '9101002',
        '--output',
        `${file}`,
        '--log',
        `${log}`,
      ];
      const { exitCode, out } = await run(...line);
      expect(exitCode).toBe(1);
      expect(out).toContain(`The report is in ${file}.`);
      const report = readFileSync(`${file}`, 'utf8');
      expect(report).toMatch(/^# First contact with harbor-coffee/);
      expect(report).toContain('Differs from what the service takes for granted');
      const lines = readFileSync(`${log}`, 'utf8').trim().split('\n');
      expect(lines.map((each) => JSON.parse(each))).toEqual([
        expect.objectContaining({ message: 'first_contact', shopId: 81234567001, step: 'rhythm' }),
      ]);
    });
  });
}
