/**
 * Runs each operation of both schemas for each caller, without each scope and kind of protected data that it needs:
 * either it works completely, or it is rejected permanently with the missing access and without a change.
 */
import { describe, expect, test } from '@jest/globals';
import { NEEDED_ACCESS } from '../../../lib/platform/admin-api/needed-access.ts';
import type { WithheldAccess } from '../../../sandbox/platform/state/store-access.ts';
import { examples, prepare, queries } from '../../docs/operations-page.ts';
import { schemaRoots } from '../../graphql/world/schema-roots.ts';
import type { Acting } from '../world/operation-world.ts';
import { faultsOfRequest, levelOf, MISSING, type Noting } from './withheld-faults.ts';
import { type Answer, createWithheldWorld, type WithheldWorld } from './withheld-world.ts';

const ACTORS: readonly Acting[] = ['customer', 'store', 'store for a customer'];
/** These examples change nothing here: no order is postponed, and the service does not bill. */
const UNCHANGING = ['subscriptionOrderPostponementRevert', 'subscriptionContractPaymentRetry'];
const changing = examples.filter(({ name }) => !UNCHANGING.includes(name));
/** Examples that a lack stops, each for the caller that the page has it for. */
const stopped = new Map<string, Set<string>>();

function recordStopped(name: string, { scopes = [], data = [] }: WithheldAccess, { codes }: Answer): void {
  if (!codes.includes(MISSING)) return;
  const handles = [...scopes.slice(0, 1), ...data.map(levelOf)];
  for (const handle of handles) stopped.set(handle, (stopped.get(handle) ?? new Set()).add(name));
}

const roots = [...schemaRoots('admin', 'mutation'), ...schemaRoots('admin', 'query')];

describe.each(ACTORS)('as a %s', (as) => {
  // A key that acts for a customer runs customers' examples in the same way, so they are not repeated.
  const own = examples.filter((one) => as !== 'store for a customer' || one.as === 'store');
  test.each(own)('$name', async ({ name, as: asOnPage, query }) => {
    const world = createWithheldWorld((given) => prepare(given, name));
    const note: Noting = (...reported) => {
      if (as === asOnPage) recordStopped(name, ...reported);
    };
    expect(await faultsOfRequest(world, { as, query }, name, note)).toEqual([]);
  });

  test('the queries of the page', async () => {
    const world = createWithheldWorld();
    for (const query of queries) {
      expect(await faultsOfRequest(world, { as, query }, query.slice(0, 40))).toEqual([]);
    }
  });

  test('reports missing access correctly for every root of the schemas', async () => {
    const world = createWithheldWorld();
    const faults: string[] = [];
    for (const { name, query } of roots) {
      faults.push(...(await faultsOfRequest(world, { as, query: withIds(world, query) }, name)));
    }
    expect(faults).toEqual([]);
  });
});

test.each(NEEDED_ACCESS)(
  'lists exactly what stops without $handle in the table of access',
  ({ handle, refusedChanges: stops = [] }) => {
    const every = handle.startsWith('write') ? changing : examples;
    const reported = stops === 'every change' ? every.map(({ name }) => name) : stops;
    expect([...(stopped.get(handle) ?? [])].sort()).toEqual([...reported].sort());
  },
);

/** Replaces ids by those of existing objects, which belong to the acting customer if they have an owner. */
function withIds({ platform, contract }: WithheldWorld, query: string): string {
  const { content, originOrderId } = contract(9_101_001);
  const [first] = content.lines;
  const store = platform.store();
  const ids: Readonly<Record<string, unknown>> = {
    CustomerPaymentMethod: content.paymentMethodId,
    Location: store.locations.keys().next().value,
    MailingAddress: `${content.customerId}1?model_name=CustomerAddress`,
    Order: originOrderId ?? store.orders.keys().next().value,
    Product: first?.productId,
    ProductVariant: first?.variantId,
    SellingPlanGroup: store.sellingPlanGroups.keys().next().value,
    SubscriptionLine: first?.id,
  };
  return query.replace(/(gid:\/\/platform\/(\w+))\/9101001/g, (text, head: string, type: string) =>
    ids[type] === undefined ? text : `${head}/${ids[type]}`,
  );
}
