import { expect, test } from '@jest/globals';
import { createLruCache } from '../../../lib/domain/lru-cache.ts';

test('a bound takes no memory before it is reached', () => {
  const few = createLruCache<string, number>(1e12);
  few.set('one', 1);
  expect(few.get('one')).toBe(1);
});

test('what was set or read last is kept', () => {
  const few = createLruCache<string, number>(2);
  few.set('one', 1);
  few.set('two', 2);
  expect(few.get('one')).toBe(1);
  few.set('three', 3);
  expect([few.get('one'), few.get('two'), few.get('three')]).toEqual([1, undefined, 3]);
  few.set('one', 4);
  few.set('four', 5);
  expect([few.get('one'), few.get('three'), few.get('four')]).toEqual([4, undefined, 5]);
});

test('what is deleted makes room', () => {
  const few = createLruCache<string, number>(2);
  for (const [index, name] of ['one', 'two'].entries()) few.set(name, index);
  few.delete('two');
  few.set('three', 3);
  expect([few.get('one'), few.get('two'), few.get('three')]).toEqual([0, undefined, 3]);
});
