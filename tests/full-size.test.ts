import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('`npm run scale` finds each test that has large numbers', () => {
  const large = globSync('tests/**/*.test.ts').filter((file) =>
    /from '(\.\.?\/)+full-size\.ts'/.test(readFileSync(file, 'utf8')),
  );
  expect(large.length).toBeGreaterThan(20);
  expect(large.filter((file) => !file.endsWith('.scale.test.ts'))).toEqual([]);
});
