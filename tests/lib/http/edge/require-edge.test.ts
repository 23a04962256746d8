/** Only the edge's requests pass, and their address cannot be forged. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WithCallerAddress } from '../../../../lib/http/edge/caller-address.ts';
import { requireEdge } from '../../../../lib/http/edge/require-edge.ts';
import type { Exchange, HttpEvent } from '../../../../lib/http/exchange.ts';
import { anyText } from '../../../any-text.ts';
import { httpEvent } from '../../../http-event.ts';
import { exchangeOf } from '../run-step.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const TWO = ['first-secret', 'second-secret'].map(sha256);

type Sent = { readonly headers?: Record<string, string>; readonly sourceIp?: string };

/** The exchange after the step; throws what the step throws. */
function pass(edgeSecretHashes: readonly string[], { headers = {}, sourceIp = '203.0.113.9' }: Sent = {}) {
  const plain = httpEvent({ headers });
  const http = { ...plain.requestContext.http, sourceIp };
  const exchange = exchangeOf() as Exchange & WithCallerAddress;
  const event = { ...plain, requestContext: { ...plain.requestContext, http }, exchange };
  const { before } = requireEdge({ edgeSecretHashes });
  try {
    before?.({ event: event as HttpEvent<WithCallerAddress> } as never);
  } catch (error) {
    return { refused: (error as { code?: string }).code, exchange };
  }
  return { refused: undefined, exchange };
}

describe('the secret of the edge', () => {
  test.each(['first-secret', 'second-secret'])('%s passes', (secret) => {
    expect(pass(TWO, { headers: { 'x-origin-secret': secret } }).refused).toBeUndefined();
  });

  test.each([undefined, '', 'first-secre', 'first-secret ', sha256('first-secret'), 'first-secret,x'])(
    '%j is refused, and counted',
    (secret) => {
      const headers = secret === undefined ? {} : { 'x-origin-secret': secret };
      const { refused, exchange } = pass(TWO, { headers });
      expect([refused, exchange.logFields.alarm]).toEqual(['NOT_FROM_EDGE', 'not_from_edge']);
    },
  );

  test('no text passes but the two', () => {
    fc.assert(
      fc.property(anyText(), (secret) => {
        expect(pass(TWO, { headers: { 'x-origin-secret': secret } }).refused).toBe('NOT_FROM_EDGE');
      }),
      { numRuns: 200, seed: 17 },
    );
  });

  test('without an edge nothing is asked', () => {
    expect(pass([]).refused).toBeUndefined();
  });
});

describe("the caller's address", () => {
  const addressOf = (chain: string | undefined, sourceIp = '130.176.0.7') => {
    const headers = {
      'x-origin-secret': 'first-secret',
      ...(chain !== undefined && { 'x-forwarded-for': chain }),
    };
    return pass(TWO, { headers, sourceIp }).exchange.callerAddress;
  };

  test.each([
    ['198.51.100.4, 130.176.0.7', '198.51.100.4'],
    ['198.51.100.4,130.176.0.7', '198.51.100.4'],
    ['10.0.0.1, 6.6.6.6, 198.51.100.4, 130.176.0.7', '198.51.100.4'],
    ['junk, "><, 198.51.100.4, 130.176.0.7', '198.51.100.4'],
    ['2001:db8::7, 130.176.0.7', '2001:db8::7'],
    ['::ffff:198.51.100.4, 130.176.0.7', '198.51.100.4'],
    ['198.51.100.4, junk, 130.176.0.7', undefined],
    [', 130.176.0.7', undefined],
    ['130.176.0.7', '130.176.0.7'],
    [undefined, '130.176.0.7'],
  ])('behind the edge, of %j it is %s', (chain, expected) => {
    expect(addressOf(chain)).toBe(expected);
  });

  test('whatever a client writes, it is whom the edge saw', () => {
    fc.assert(
      fc.property(fc.string(), (made) => {
        expect(addressOf(`${made}, 198.51.100.4, 130.176.0.7`)).toBe('198.51.100.4');
      }),
      { numRuns: 200, seed: 17 },
    );
  });

  test('without an edge it is whom API Gateway saw, whatever the header says', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 7.7.7.7', 'x-origin-secret': 'first-secret' };
    expect(pass([], { headers, sourceIp: '198.51.100.4' }).exchange.callerAddress).toBe('198.51.100.4');
    expect(pass([], { sourceIp: '' }).exchange.callerAddress).toBeUndefined();
  });
});
