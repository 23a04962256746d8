/** What a first contact changes at the shop: nothing that stays, or it is told. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allSteps } from '../../../infra/operator/first-contact/steps/all-steps.ts';
import { breaks, type FirstContactWorld, MONTHLY, prepaid } from './first-contact-world.ts';

let world: FirstContactWorld;

export function whatIsChanged(given: () => FirstContactWorld): void {
  beforeAll(() => {
    world = given();
  });

  describe('what is changed at the shop', () => {
    const untouched = ['storefront-token', 'pickup-locations', 'empty-discount', 'rhythm'];

    test.each(untouched)('%s leaves it as it was', async (name) => {
      await world.setting({ emptyDiscounts: 'kept' });
      const before = await world.look();
      const [played] = await world.play([name]);
      expect(await world.look()).toEqual(before);
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
      const [moved] = (await world.look()).subscriptionBillingCycles.nodes;
      // Read twice as they are; then, the rhythm being back, as if the platform had kept another end.
      await world.fault({ target: 'admin', operation: 'FirstContactAhead', count: 2, ...{ delayMs: 0 } });
      const nodes = [{ ...moved, cycleEndAt: '2031-01-01T00:00:00Z' }];
      await world.fault({
        target: 'admin',
        operation: 'FirstContactAhead',
        ...{ body: { data: { subscriptionBillingCycles: { nodes } } } },
      });
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
        await world.setting({ emptyDiscounts: 'kept' });
        const { requests } = await world.count([name], { contracts: ['9101001'] });
        let before = await world.look();
        const others = breaks.filter((how) => how !== 'after');
        const cases = Array.from({ length: requests }, (_, index) => index + 1).flatMap((nth) =>
          (['after', others[nth % others.length] ?? 'gone'] as const)
            .slice(0, 1 + (nth % 2))
            .map((how) => ({ nth, how })),
        );
        for (const { nth, how } of cases) {
          const [played] = await world.play([name], { breaks: { nth, how } });
          const after = await world.look();
          const isSame = JSON.stringify(after) === JSON.stringify(before);
          const isTold = (played?.left.length ?? 0) > 0;
          if (how !== 'gone') expect([nth, how, played?.failed]).toEqual([nth, how, []]);
          expect([nth, how, isSame || isTold]).toEqual([nth, how, true]);
          if (how !== 'gone' && name !== 'two-attempts') expect([nth, how, isSame]).toEqual([nth, how, true]);
          if (isSame) continue;
          await world.reset();
          await world.setting({ emptyDiscounts: 'kept' });
          before = await world.look();
        }
      },
    );

    test('a charge is not made where it would be real money', async () => {
      await world.setting({ plan: { isDevelopment: false, name: 'Basic' } });
      // An app made the contract, so nothing shows that its payments are tests.
      const { contracts } = await prepaid(world, '30');
      const found = await world.find('two-attempts', { contracts, isLiveStore: true });
      expect(found).toMatchObject({ verdict: 'not measured', words: expect.stringContaining('real money') });
    });

    test('orders that are moved or skipped are not put at risk', async () => {
      await world.ask(
        `mutation { subscriptionBillingCycleSkip(billingCycleInput: { contractId: "${MONTHLY}", selector: { index: 6 } }) { userErrors { message } } }`,
      );
      const before = await world.look();
      const [played] = await world.play(['rhythm']);
      expect(played?.outcome).toMatchObject({
        verdict: 'not measured',
        words: expect.stringContaining('Cycle 6'),
      });
      expect(await world.look()).toEqual(before);
    });

    test('a dry run reads, and changes nothing', async () => {
      const before = await world.look();
      const played = await world.play(
        allSteps.map(({ name }) => name),
        { isDryRun: true, type: async () => '' },
      );
      expect(await world.look()).toEqual(before);
      const verdicts = new Map(played.map(({ step, outcome }) => [step.name, outcome.verdict]));
      for (const { name, changes } of allSteps)
        if (changes !== undefined) expect([name, verdicts.get(name)]).toEqual([name, 'would change']);
      expect(verdicts.get('cycle-range')).toBe('so');
    });
  });
}
