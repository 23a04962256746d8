/** Values go to DynamoDB and come back as the AWS SDK's own library makes them. */
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fromAttributes, toAttributes } from '../../../../lib/storage/aws-client/attribute-values.ts';
import { propertyRuns } from '../../../full-size.ts';
import { randomAttributes } from '../random-items.ts';

test('whatever an item holds is written and read as the SDK does it', () => {
  fc.assert(
    fc.property(randomAttributes, (item) => {
      const attributes = toAttributes(item);
      expect(attributes).toEqual(marshall(item));
      expect(fromAttributes(attributes)).toEqual(unmarshall(marshall(item)));
      expect(fromAttributes(JSON.parse(JSON.stringify(attributes)))).toEqual(item);
    }),
    propertyRuns(10_000),
  );
});

test('what is undefined is left out, however deep', () => {
  const item = { a: undefined, b: { c: undefined, d: [1, undefined, { e: undefined }] } };
  expect(toAttributes(item)).toEqual(marshall(item, { removeUndefinedValues: true }));
});

test('a name that JavaScript knows is a name like any other', () => {
  const wire = JSON.parse('{"__proto__":{"M":{"__proto__":{"BOOL":true}}},"toString":{"S":"a"}}');
  const item = fromAttributes(wire);
  expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  expect(JSON.stringify(item)).toBe('{"__proto__":{"__proto__":true},"toString":"a"}');
  expect(JSON.stringify(toAttributes(item))).toBe(JSON.stringify(wire));
});

test.each([
  ['a number that is not exact', 2 ** 53],
  ['what is no number', Number.NaN],
  ['an endless number', Number.POSITIVE_INFINITY],
  ['an empty set', new Set()],
  ['a set of several kinds', new Set(['a', 1])],
  ['an instance', new Date(0)],
  ['a function', () => 1],
])('%s is not written', (_what, value) => {
  expect(() => toAttributes({ value })).toThrow();
});

test.each([
  ['no object', 'text'],
  ['no types', { a: {} }],
  ['an unknown type', { a: { X: 1 } }],
  ['an inherited name for a type', { a: { constructor: 'x' } }],
  ['a number as a number', { a: { N: 1 } }],
  ['a number in letters', { a: { N: 'secret' } }],
  ['no digits', { a: { N: '' } }],
  ['an endless number', { a: { N: 'Infinity' } }],
  ['a large number with a fraction', { a: { N: '12345678901234567890.5' } }],
  ['a list that is none', { a: { L: {} } }],
  ['a set of numbers', { a: { SS: [1] } }],
  ['a bare value', { a: 'secret' }],
  ['null', { a: null }],
])('%s is no item, and nothing of it is quoted', (_what, wire) => {
  expect(() => fromAttributes(wire)).toThrow('DynamoDB answered with what is no item');
});
