/** Random sequences of changes, failures and refetches in a browser end in the state that the service has. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { bundleScreen } from './app-site.ts';
import { ADA, openApp, openContext, site, stack, storeSession } from './shared-app.ts';
import type { Step } from './steps.ts';

const order = fc.integer({ min: 0, max: 2 });
const fault = fc.option(fc.constantFrom('lost', 'cut', 'slow'), { nil: undefined, freq: 2 });
const tap = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom('skip', 'unskip'), order }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom('pause', 'resume') }) },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('updateLines'), quantity: fc.integer({ min: 1, max: 5 }) }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tap'), tap, fault }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reject' }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('otherTab'), order, isSkip: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refetch'), delayMs: fc.constantFrom(0, 20, 120) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1, 30, 90) }) },
);

test('the app shows each tap until its response, and in the end what the service has', async () => {
  const { baseUrl: serviceUrl, shop } = stack;
  site.show(await bundleScreen('react'), { serviceUrl, shop });
  const context = await openContext();
  await storeSession(context, ADA);
  const page = await openApp(context);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      await page.reload();
      await page.waitForFunction('window.app?.view.events !== undefined');
      expect(await page.evaluate(`window.app.runSequence(${JSON.stringify(steps)})`)).toEqual([]);
    }),
    propertyRuns(1_000),
  );
});
