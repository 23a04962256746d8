import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the oracle of billing shares no code with the service', () => {
  const files = globSync('tests/billing/oracle/**/*.ts');
  expect(files.length).toBeGreaterThan(15);
  const imports = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map(([, path = '']) => `${file}: ${path}`),
  );
  expect(imports.filter((each) => /\/(lib|functions|graphql|clients)\//.test(each))).toEqual([]);
});
