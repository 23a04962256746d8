/** Whatever is asked in a customer's name: nothing of another customer's is in the answer. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { checkDocument } from '../../../graphql/policy/check-document.ts';
import type { Surface } from '../../../graphql/schema/schema.ts';
import { adminSchema, customerSchema } from '../../../graphql/schema/schema.ts';
import { ADA, runPlan, type StandIn } from './harness.ts';
import { BEN, FOREIGN_MARK, ownedResolver } from './owned-world.ts';
import { randomQuery } from './random-document.ts';
import { executeIn, platformSchema } from './world.ts';

const RUNS = 150;
/** The same documents at every run; another seed looks further. */
const SEED = 20_261_121;
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

let answered = 0;

async function look(
  surface: Surface,
  { document, world }: { document: number; world: number },
): Promise<void> {
  const schema = surface === 'customer' ? customerSchema() : adminSchema();
  const random = randomQuery(schema, document, [`${ADA}`, `${ADA}`, `${BEN}`]);
  fc.pre(checkDocument(surface, parse(random.query)).length === 0);
  const as = surface === 'customer' ? 'customer' : 'store for a customer';
  const { result } = await runPlan({ as, ...random, standIn: platformOf(world) });
  // Errors may repeat what the client sent.
  const text = JSON.stringify(result.data ?? null);
  expect(text).not.toContain(FOREIGN_MARK);
  expect(text).not.toContain(`Customer/${BEN}`);
  expect(text).not.toContain('_svc');
  if (/"text \d/.test(text)) answered += 1;
}

describe('a customer sees nothing of another', () => {
  test.each<Surface>(['customer', 'admin'])('on the %s endpoint', async (surface) => {
    answered = 0;
    await fc.assert(
      fc.asyncProperty(seeds, (one) => look(surface, one)),
      // The example: a customer looked up by an identifier may be another than the id in it names.
      { numRuns: RUNS, seed: SEED, examples: [[{ document: 579677416, world: 6 }]] },
    );
    // The property would also hold if nothing were ever answered.
    expect(answered).toBeGreaterThan(RUNS / 20);
  });
});
