import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Played } from '../../../infra/operator/first-contact/play-steps.ts';
import { reportLines } from '../../../infra/operator/first-contact/report.ts';
import { allSteps } from '../../../infra/operator/first-contact/steps/all-steps.ts';
import { whatIsChanged } from './first-contact-changes.suite.ts';
import { theCommand } from './first-contact-command.suite.ts';
import { whatIsSo } from './first-contact-facts.suite.ts';
import { createFirstContactWorld, type FirstContactWorld, MONTHLY } from './first-contact-world.ts';
import type { OperatorWorld } from './operator-world.ts';

let world: FirstContactWorld;

/** Over an operator's world that has the first store installed; leaves its platform as the seed is. */
export function firstContactSuite(given: () => OperatorWorld): void {
  const measured = () => world;
  beforeAll(async () => {
    world = await createFirstContactWorld(given().platform);
  });
  beforeEach(() => world.reset());
  afterAll(() => world.reset());
  whatIsSo(measured);
  whatIsChanged(measured);
  theReport();
  theCommand(given, measured);
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
      await world.setting({ longRanges: 'refused' });
      const message = 'No\n## so: `rm`\n| ada@example.com shpat_0123456789abcdef |';
      await world.fault({
        target: 'admin',
        operation: 'FirstContactCycles',
        ...{ body: { data: null, errors: [{ message, path: ['_svcNear'] }] } },
      });
      const report = text(await world.play(['cycle-range']));
      expect(report).not.toMatch(/^## so/m);
      expect(report).not.toMatch(/ada@|shpat_/);
    });

    test('lets a difference stand out, with where the code takes it otherwise', async () => {
      await world.setting({ discovery: 'moved' });
      const report = text(await world.play(['discovery', 'nodes-cost']));
      expect(report).toContain('| `discovery` | **is not so: differs** |');
      expect(report).toMatch(
        /\*\*Differs from what the service takes for granted\*\*: No redirect is followed/,
      );
      expect(report).toContain('`lib/platform/sign-in/discover-sign-in.ts`');
    });

    test('says of the rest that the service is built for it', async () => {
      await world.setting({ nodesCost: 'once' });
      expect(text(await world.play(['nodes-cost']))).toContain(
        'is not so; the service is built for that, too',
      );
    });
  });
}
