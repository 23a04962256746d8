/** The steps of a request that identify the requester and the customer. */
import { describe, expect, test } from '@jest/globals';
import { readActingCustomer } from '../../../lib/credentials/read-acting-customer.ts';
import { verifyCredential } from '../../../lib/credentials/verify-credential.ts';
import type { HandlerStep } from '../../../lib/http/exchange.ts';
import { exchangeOf, runStep } from '../http/run-step.ts';

describe('the acting customer', () => {
  const step = readActingCustomer({ gidNamespace: 'platform' }) as HandlerStep<never>;
  const header = (text: string) => ({ 'x-platform-customer-gid': text });

  test('is read from the header', async () => {
    const exchange = exchangeOf({ actor: { kind: 'store' } }, header('gid://platform/Customer/7'));
    await runStep(step, exchange);
    expect(exchange).toMatchObject({ actor: { kind: 'store', actingCustomerId: 7 } });
  });

  test.each(['', '7', 'gid://shopify/Customer/7', 'gid://platform/Customer/7, gid://platform/Customer/8'])(
    '%j is malformed',
    async (text) => {
      const sent = runStep(step, exchangeOf({ actor: { kind: 'store' } }, header(text)));
      await expect(sent).rejects.toMatchObject({ code: 'INVALID_CUSTOMER_GID', status: 400 });
    },
  );
});

test.each(['after', 'onError'] as const)(
  'a first use is noted before the answer goes out (%s)',
  async (phase) => {
    let isNoted = false;
    const confirmation = Promise.resolve().then(() => {
      isNoted = true;
    });
    const actor = { kind: 'customer', session: { confirmation } };
    await runStep(
      verifyCredential(() => Promise.reject()) as HandlerStep<never>,
      exchangeOf({ actor }),
      phase,
    );
    expect(isNoted).toBe(true);
  },
);
