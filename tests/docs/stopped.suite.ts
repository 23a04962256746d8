/** The end of a stack that has done all that: nothing of it stays. The last suite of its file. */
import { expect, test } from '@jest/globals';
import { stack } from '../contract/world/shared-stack.ts';
import { expectGone, instancesOf } from '../stack-processes.ts';

test('is ended by SIGTERM with everything', async () => {
  const instances = instancesOf(stack);
  expect(await stack.stop('SIGTERM')).toEqual({ exitCode: 0 });
  await expectGone(stack, instances);
});
