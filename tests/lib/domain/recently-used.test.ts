import { expect, test } from '@jest/globals';
import { createRecentlyUsed } from '../../../lib/domain/recently-used.ts';

test('a bound takes no memory before it is reached', () => {
  const few = createRecentlyUsed<string, number>(1e12);
  few.set('one', 1);
  expect(few.get('one')).toBe(1);
});
