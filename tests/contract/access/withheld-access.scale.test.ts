/**
 * Reads everything that a customer and a key may read, to depth 4, with each access withdrawn: no request fails, and no
 * data leaks.
 */
import { describe, expect, test } from '@jest/globals';
import { getSchema } from '../../../graphql/schema/schema.ts';
import { examples, prepare } from '../../docs/operations-page.ts';
import { fullSize } from '../../full-size.ts';
import { documentsOf, leavesOf } from '../../graphql/world/everything.ts';
import { ADA } from '../../graphql/world/harness.ts';
import { wholeDocuments } from '../world/whole-payload.ts';
import { faultsOfRequest } from './withheld-faults.ts';
import { createWithheldWorld } from './withheld-world.ts';

const ACTORS = ['customer', 'store', 'store for a customer'] as const;
const ROOTS = ['customer', 'subscriptionContract', 'subscriptionContractDetails', 'subscriptionIntervalInfo'];

describe.each(ACTORS.slice(0, fullSize(100)))('as a %s', (as) => {
  const schema = getSchema(as === 'customer' ? 'customer' : 'admin');

  test.each(ROOTS.slice(0, fullSize(100)))('%s', async (root) => {
    const type = schema.getQueryType();
    const field = type?.getFields()[root];
    if (!type || !field) throw new Error(`no root ${root}`);
    const world = createWithheldWorld();
    const leaves = leavesOf({ schema, depth: 4, customer: ADA, withOwn: true }, { type, field });
    const faults: string[] = [];
    for (const document of documentsOf('query', leaves, 300)) {
      const query = document.replaceAll('SubscriptionContract/11', 'SubscriptionContract/9101001');
      faults.push(...(await faultsOfRequest(world, { as, query }, root)));
    }
    expect(faults).toEqual([]);
  });

  const own = examples.filter((one) => one.as === (as === 'store' ? 'store' : 'customer'));
  test.each(own.slice(0, fullSize(100)))(
    'reports missing access correctly in the whole payload of $name',
    async ({ name, query }) => {
      const world = createWithheldWorld((given) => prepare(given, name));
      for (const { mutation } of wholeDocuments(query, as)) {
        expect(await faultsOfRequest(world, { as, query: mutation }, name)).toEqual([]);
      }
    },
  );
});
