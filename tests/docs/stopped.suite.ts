/** Stops a stack after all suites: nothing of it remains. The last suite of its file. */
import { expect, test } from '@jest/globals';
import { stack } from '../contract/world/shared-stack.ts';
import { expectGone, instancesOf } from '../stack-processes.ts';

test('is ended by SIGTERM with everything', async () => {
  const instances = instancesOf(stack);
  expect(await stack.stop('SIGTERM')).toEqual({ exitCode: 0 });
  await expectGone(stack, instances);
});
