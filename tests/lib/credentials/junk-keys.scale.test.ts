/** Invented keys cause no request to AWS: the key itself proves that it is invalid. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { fullSize } from '../../full-size.ts';
import { createWorld } from '../stores/world/world.ts';

test('100,000 junk keys reach neither the table nor Secrets Manager', async () => {
  const world = await createWorld();
  const container = world.container();
  for (let count = 0; count < fullSize(100_000); count++) {
    const junk = `SVC_AT_${randomBytes(28).toString('hex')}`;
    const error = await container.verify(`Bearer ${junk}`).then(
      () => undefined,
      (reason: unknown) => reason as { code: string },
    );
    if (error?.code !== 'UNAUTHENTICATED') throw new Error(`not refused: ${junk}`);
  }
  expect(container.faults.calls).toEqual([]);
  await world.close();
});
