/**
 * Two callers of one container: the second gets the same response as without the first, for any request of the first.
 */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  createPreparedDocuments,
  type PreparedDocuments,
} from '../../../graphql/compile/prepare-document.ts';
import { type KeyScope, keyScopes } from '../../../lib/domain/key-scope.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { HttpEvent } from '../../../lib/http/exchange.ts';
import { readGraphqlRequest, type WithGraphqlRequest } from '../../../lib/http/read-graphql-request.ts';
import { propertyRuns } from '../../full-size.ts';
import { ADA, type PlanRequest, runPlan } from '../world/harness.ts';

type Body = { readonly query: unknown; readonly operationName?: unknown };
type Caller = {
  readonly as: PlanRequest['as'];
  readonly shopId: number;
  readonly customerId: number;
  readonly scopes: readonly KeyScope[];
  readonly body: Body;
};

const customer = `customer(id: "gid://platform/Customer/${ADA}")`;
const DOCUMENTS = [
  `query A {\n  ${customer} { id }\n}`,
  `query A {\n  ${customer} { displayName }\n}\n\nquery B {\n  ${customer} { note }\n}`,
  `query A { ${customer} { id } } #\nquery B { ${customer} { displayName } }`,
  `{ ${customer} { id } }\n`,
  '{ shop { name } }',
  '{ unknown }',
  '{',
];
const odd = fc.constantFrom(undefined, null, '', 'A', 'B', 'C', 'A\n', '\n', '__proto__', 7, {}, 'A B');

const source = fc.record(
  { query: fc.constantFrom(...DOCUMENTS), operationName: odd },
  { requiredKeys: ['query'] },
);
const caller = fc.record({
  as: fc.constantFrom<PlanRequest['as']>('customer', 'customer', 'store', 'store for a customer'),
  shopId: fc.constantFrom(1, 2),
  customerId: fc.constantFrom(ADA, ADA + 1),
  scopes: fc.subarray([...keyScopes]),
});

/** The same text as `body`, another part of it in the name: they are one when put together again. */
function cut({ query, operationName }: Body, place: number): Body {
  const lines = `${typeof operationName === 'string' ? operationName : ''}\n${query}`.split('\n');
  const at = 1 + (place % (lines.length - 1));
  return { operationName: lines.slice(0, at).join('\n'), query: lines.slice(at).join('\n') };
}

/** Two callers who send the same, or almost the same, or something else. */
const pair = fc
  .tuple(source, source, fc.tuple(caller, caller), fc.nat(5), fc.nat())
  .map(([one, other, [first, second], kind, place]): [Caller, Caller] => {
    const sent = kind < 3 ? cut(one, place) : one;
    return [
      { ...first, body: sent },
      { ...second, body: kind === 5 ? other : one },
    ];
  });

function actorOf({ as, shopId, customerId: caller, scopes }: Caller): NonNullable<PlanRequest['actor']> {
  const store = { shopId, domain: 'a.myshopify.com' };
  const actor =
    as === 'customer'
      ? { kind: 'customer', customerId: caller, session: { confirmation: Promise.resolve() } }
      : {
          kind: 'store',
          keyId: `key-${caller}`,
          scopes,
          ...(as !== 'store' && { actingCustomerId: caller }),
        };
  return { ...actor, shopId, store } as never;
}

/** Returns the response to the caller's body. */
async function answerTo(one: Caller, documents: PreparedDocuments): Promise<unknown> {
  const exchange = { json: one.body } as unknown as HttpEvent<WithGraphqlRequest>['exchange'];
  try {
    await readGraphqlRequest.before?.({ event: { exchange } } as never);
    const { query, operationName } = exchange.graphql;
    const standIn = () => ({ data: { customer: { id: 'gid://shopify/Customer/1' }, shop: { name: 'A' } } });
    const actor = actorOf(one);
    const { result } = await runPlan({ as: one.as, actor, query, operationName, standIn, documents });
    return result;
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.publicMessage };
    throw error;
  }
}

test("nothing of the second's answer depends on what the first has sent", async () => {
  await fc.assert(
    fc.asyncProperty(pair, async ([first, second]) => {
      const together = createPreparedDocuments();
      await answerTo(first, together);
      expect(await answerTo(second, together)).toEqual(await answerTo(second, createPreparedDocuments()));
    }),
    propertyRuns(20_000),
  );
});

test('the beginning of a document in the name of the operation does not refuse it to others', async () => {
  const together = createPreparedDocuments();
  const [good = ''] = DOCUMENTS;
  const [head, ...rest] = good.split('\n');
  const anonymous = { as: 'customer', shopId: 1 } as const;
  await answerTo(
    {
      ...anonymous,
      customerId: ADA + 1,
      scopes: keyScopes,
      body: { operationName: `\n${head}`, query: rest.join('\n') },
    },
    together,
  );
  const answer = await answerTo(
    { ...anonymous, shopId: 2, customerId: ADA, scopes: keyScopes, body: { query: good } },
    together,
  );
  expect(answer).toMatchObject({ data: { customer: expect.anything() } });
});
