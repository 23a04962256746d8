/** docs/merchant-servers.md: its documents fit the schema, its job is the example that tests run. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isEnumType, parse, validate } from 'graphql';
import { getAdminSchema } from '../../graphql/schema/schema.ts';
import { createOperationWorld, gid } from '../contract/world/operation-world.ts';

const PAGE = readFileSync('docs/merchant-servers.md', 'utf8');

describe('docs/merchant-servers.md', () => {
  const sellPlans = readFileSync('examples/merchant/sell-plans.graphql', 'utf8');
  const inPage = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const blocks = [sellPlans, ...inPage];

  test('every GraphQL block fits the schema', () => {
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) expect(validate(getAdminSchema(), parse(block))).toEqual([]);
  });

  test('its selling plans are made, on the product, as the page says', async () => {
    const product = gid('Product', 8_101_001);
    const { payload } = await createOperationWorld().run({
      as: 'store',
      query: sellPlans,
      variables: { product },
    });
    const { userErrors, sellingPlanGroup } = payload;
    expect(userErrors).toEqual([]);
    expect(sellingPlanGroup.products.nodes).toEqual([{ id: product }]);
    const [monthly, prepaid] = sellingPlanGroup.sellingPlans.nodes;
    expect([monthly.name, prepaid.name]).toEqual(['Every month, 10 % off', 'Three months at once']);
    expect(new Set([monthly.id, prepaid.id])).toHaveProperty('size', 2);
  });

  test('has no block that nothing runs or checks', () => {
    const kinds = [...PAGE.matchAll(/^```(\w+)$/gm)].map(([, kind]) => kind);
    expect(kinds.filter((kind) => !['sh', 'graphql', 'js'].includes(kind ?? ''))).toEqual([]);
  });

  const [, job = ''] = /^```js\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];

  test('shows the nightly job that tests run', () => {
    expect(job).toBe(readFileSync('examples/merchant/nightly-job.mjs', 'utf8'));
  });

  test('has a class for every decline code of the platform, and the job has the same classes', () => {
    const codesIn = (text: string) => text.match(/\b[A-Z][A-Z_]{3,}\b/g) ?? [];
    const inPage = new Map(
      [...PAGE.matchAll(/^\| \*\*([A-Z_]+)\*\* \|(.*)\|[^|]*\|$/gm)].map(([, name = '', codes = '']) => [
        name,
        codesIn(codes).sort(),
      ]),
    );
    const classes = job.slice(job.indexOf('const CLASSES'), job.indexOf('const NEXT'));
    const inJob = classes.split(/^ {2}(?=[A-Z_]+: \{)/m).slice(1);
    const ofJob = inJob.map((text) => {
      const [name = '', ...codes] = codesIn(text.replaceAll('MAX_ATTEMPTS', ''));
      return [name, name === 'LATER' ? inPage.get(name) : codes.sort()] as const;
    });
    expect(new Map(ofJob)).toEqual(inPage);
    const codes = [...inPage.values()].flat();
    expect(codes).toEqual([...new Set(codes)]);
    const type = getAdminSchema().getType('SubscriptionBillingAttemptErrorCode');
    const known = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
    expect(known.length).toBeGreaterThan(50);
    expect(known.filter((code) => !codes.includes(code))).toEqual([]);
  });

  test('says who bills, and what a key can do', () => {
    expect(PAGE).toContain('## Who charges');
    expect(PAGE.replace(/\s+/g, ' ')).toContain('can charge every customer of the store');
  });
});
