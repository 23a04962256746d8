import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../../../lib/http/compression/accepts-gzip.ts';

test.each([
  [undefined, true],
  ['', false],
  ['gzip', true],
  ['br, GZIP ;q=0.5', true],
  ['*', true],
  ['identity', false],
  ['gzip;q=0', false],
  ['*, gzip; q=0.000', false],
  ['*;q=0, gzip', true],
  ['gzipped', false],
])('%j: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
