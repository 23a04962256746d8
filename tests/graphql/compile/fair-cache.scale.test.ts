/** An owner who takes no more than an equal part of the cache loses nothing to others. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFairCache } from '../../../graphql/compile/fair-cache.ts';
import { propertyRuns } from '../../full-size.ts';

const MAX_BYTES = 1_000;
const OWNERS = ['ada', 'ben', 'cleo', 'dora'];

const deed = fc.record({
  owner: fc.constantFrom(...OWNERS),
  key: fc.nat(30),
  bytes: fc.integer({ min: 1, max: 1_200 }),
  kind: fc.constantFrom('set', 'set', 'set', 'get', 'delete'),
});
const small = fc.integer({ min: 1, max: 60 });

describe('a cache of several owners', () => {
  test('keeps everything of an owner that takes less than an equal part, whatever the others do', () => {
    fc.assert(
      fc.property(fc.array(small, { maxLength: 3 }), fc.array(deed, { maxLength: 200 }), (own, deeds) => {
        const cache = createFairCache<string>({ maxBytes: MAX_BYTES });
        for (const [index, bytes] of own.entries()) {
          cache.set(`own ${index}`, { value: `${index}`, owner: 'me', bytes });
        }
        for (const { owner, key, bytes, kind } of deeds) {
          if (kind === 'set') cache.set(`${key}`, { value: owner, owner, bytes });
          else cache[kind](`${key}`);
        }
        for (const index of own.keys()) expect(cache.get(`own ${index}`)).toBe(`${index}`);
      }),
      propertyRuns(20_000),
    );
  });

  test('never holds more than its limit, and returns the value that was stored last', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 200 }), (deeds) => {
        const cache = createFairCache<{ owner: string; bytes: number }>({ maxBytes: MAX_BYTES });
        const last = new Map<string, { owner: string; bytes: number }>();
        for (const { owner, key, bytes, kind } of deeds) {
          if (kind === 'set') {
            last.set(`${key}`, { owner, bytes });
            cache.set(`${key}`, { value: { owner, bytes }, owner, bytes });
          } else if (kind === 'delete') {
            last.delete(`${key}`);
            cache.delete(`${key}`);
          } else {
            expect([undefined, last.get(`${key}`)]).toContainEqual(cache.get(`${key}`));
          }
          const sizes = [...last.keys()].map((one) => cache.get(one)?.bytes ?? 0);
          expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_BYTES);
        }
      }),
      propertyRuns(5_000),
    );
  });

  test('gives a single owner all of it, and removes what was not used for longest', () => {
    const cache = createFairCache<number>({ maxBytes: 3 });
    for (const key of [1, 2, 3]) cache.set(`${key}`, { value: key, owner: 'ada', bytes: 1 });
    cache.get('1');
    cache.set('4', { value: 4, owner: 'ada', bytes: 1 });
    expect(['1', '2', '3', '4'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
  });

  test('gives a later owner an equal part', () => {
    const cache = createFairCache<number>({ maxBytes: 10 });
    for (let key = 0; key < 10; key++) cache.set(`a${key}`, { value: key, owner: 'ada', bytes: 1 });
    for (let key = 0; key < 10; key++) cache.set(`b${key}`, { value: key, owner: 'ben', bytes: 1 });
    const cachedOf = (of: string) => Array.from({ length: 10 }, (_, key) => cache.get(`${of}${key}`));
    expect(cachedOf('a').slice(5)).toEqual([5, 6, 7, 8, 9]);
    expect(cachedOf('b').slice(5)).toEqual([5, 6, 7, 8, 9]);
  });

  test('does not store a value larger than the whole cache, and removes nothing for it', () => {
    const cache = createFairCache<number>({ maxBytes: 10 });
    cache.set('a', { value: 1, owner: 'ada', bytes: 1 });
    cache.set('b', { value: 2, owner: 'ben', bytes: 11 });
    expect(cache.get('a')).toBe(1);
    expect(cache.get('b')).toBeUndefined();
  });
});
