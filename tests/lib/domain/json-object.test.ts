import { expect, test } from '@jest/globals';
import { parseJsonObject } from '../../../lib/domain/json-object.ts';

test('an object is read', () => {
  expect(parseJsonObject(' {"a": [1]} ')).toEqual({ a: [1] });
});

test.each(['', 'null', '[]', '[{}]', '"{}"', '1', '{', '{"a":1}}', '<html>'])('%s is none', (text) => {
  expect(parseJsonObject(text)).toBeUndefined();
});
