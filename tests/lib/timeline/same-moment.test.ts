/** Two changes of one moment have entries of their own, whoever makes them. */
import { describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../../infra/definition/function-definitions.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { ContractNumber } from '../../../lib/timeline/event-number.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights, tableOf } from '../../rights/guarded-table.ts';
import { START_MS, timelineOver } from './timeline-world.ts';

const shopId = 82000000003 as ShopId;
const noteFact = (before: string, after: string) => ({
  action: 'subscription_note_updated',
  contractId: 'gid://shopify/SubscriptionContract/9101001',
  details: {},
  changes: [{ coordinate: 'SubscriptionContract.note', field: 'note', before, after }],
});

describe.each<FunctionName>(['customer-graphql', 'admin-graphql'])('in %s', (name) => {
  test('one that was made, and one that was only seen to be there', async () => {
    const { timeline, begin } = timelineOver(tableOf(name, createMemoryTable()), shopId, { nowMs: START_MS });
    await (await begin(noteFact('a', 'b'))).done();
    await (await begin(noteFact('b', 'c'))).seen();
    const contracts = ['9101001' as ContractNumber];
    const [page] = await timeline.readEvents({ shopId, contracts, args: { first: 5 } });
    expect(page?.edges.map(({ record }) => record.changes[0]?.after)).toEqual(['b', 'c']);
  });
});

holdsRights();
