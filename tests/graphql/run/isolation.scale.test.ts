/** Checks that no response contains data of another customer, whatever a customer requests. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { checkDocument } from '../../../graphql/policy/check-document.ts';
import { getAdminSchema, getSchema, type Surface } from '../../../graphql/schema/schema.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { Table } from '../../../lib/storage/table.ts';
import type { EventRecord } from '../../../lib/timeline/event-record.ts';
import { type ContractNumber, formatEventNumber } from '../../../lib/timeline/event-record.ts';
import type { Timeline } from '../../../lib/timeline/timeline.ts';
import { propertyRuns } from '../../full-size.ts';
import { ADA, NOW_MS, runPlan, type StandIn, store } from '../world/harness.ts';
import { BEN, FOREIGN_MARK, ownedResolver } from '../world/owned-world.ts';
import { randomDocument } from '../world/random-document.ts';
import { oneSession } from '../world/session-item.ts';
import { executeIn, platformSchema } from '../world/world.ts';

const RUNS = propertyRuns(10_000);
const seeds = fc.record({ document: fc.nat(), world: fc.nat() });

function platformOf(seed: number): StandIn {
  const world = { seed, failing: 0 };
  return async ({ document, variables }) => {
    expect(validate(platformSchema, parse(document)).map(({ message }) => message)).toEqual([]);
    const request = { schema: platformSchema, namespace: 'shopify', document, variables };
    const { data, errors = [] } = await executeIn(world, request, ownedResolver(world, 'shopify') as never);
    expect(errors.filter(({ path }) => path === undefined).map(({ message }) => message)).toEqual([]);
    return { data: data ?? null, errors: JSON.parse(JSON.stringify(errors)) };
  };
}

/** The actor of a contract's entries is one of two customers, regardless of the contract's current owner. */
function actorOn(contract: string | undefined) {
  return { kind: 'CUSTOMER', customerId: (Number(contract) % 2 === 0 ? ADA : BEN) as CustomerId } as const;
}

function recordOf(contract: ContractNumber | undefined): EventRecord {
  return {
    number: formatEventNumber({ createdAtMs: NOW_MS, sequence: 0, contract }),
    shopId: store.shopId as ShopId,
    contract,
    action: 'subscription_paused',
    actor: actorOn(contract),
    id: 'entry-1',
    requestId: 'request-1',
    details: {},
    changes: [],
    createdAtMs: NOW_MS,
    outcome: 'DONE',
  };
}

const timeline = {
  readEvents: async ({ contracts }) =>
    contracts.map((contract) => ({
      edges: [{ cursor: 'x', record: recordOf(contract as ContractNumber) }],
      hasNextPage: false,
      hasPreviousPage: false,
    })),
  findEvents: async (_shopId, names) => names.map(({ contract }) => recordOf(contract)),
} satisfies Partial<Timeline> as unknown as Timeline;
const table = {
  get: async () => undefined,
  // Another's sign-in is marked.
  query: oneSession((pk) => (pk.endsWith(`#${ADA}`) ? 'own' : FOREIGN_MARK)),
  batchGet: async (keys) =>
    keys.map((key) => {
      const contractNumber = key.pk.replace(/.*#/, '');
      const actor = actorOn(contractNumber);
      return { ...key, contractNumber, pausedAtMs: NOW_MS, pausedBy: actor, setBy: actor };
    }),
} satisfies Partial<Table> as unknown as Table;

let answered = 0;

async function readAs(
  surface: Surface,
  { document, world }: { document: number; world: number },
): Promise<void> {
  const schema = surface === 'customer' ? getSchema('customer') : getAdminSchema();
  const random = randomDocument(schema, document, {
    customers: [`${ADA}`, `${ADA}`, `${BEN}`],
    withOwn: true,
  });
  fc.pre(checkDocument(surface, parse(random.query), () => undefined).length === 0);
  const as = surface === 'customer' ? 'customer' : 'store for a customer';
  const { result } = await runPlan({
    as,
    ...random,
    standIn: platformOf(world),
    timeline,
    table,
    acceptsDataText: true,
  });
  // Errors may repeat what the client sent.
  const text = JSON.stringify(result.data ?? null);
  expect(text).not.toContain(FOREIGN_MARK);
  expect(text).not.toContain(`Customer/${BEN}`);
  expect(text).not.toContain('_svc');
  if (/"text \d/.test(text)) answered += 1;
}

describe('a customer sees nothing of another', () => {
  test.each<Surface>(['customer', 'admin'])(
    'returns no other customer’s data for random documents on the %s endpoint',
    async (surface) => {
      answered = 0;
      await fc.assert(
        fc.asyncProperty(seeds, (one) => readAs(surface, one)),
        // The example: a customer that an identifier finds may differ from the id in the identifier.
        { ...RUNS, examples: [[{ document: 579677416, world: 6 }]] },
      );
      // The property would also hold if nothing were ever answered.
      expect(answered).toBeGreaterThan(RUNS.numRuns / 20);
    },
  );
});
