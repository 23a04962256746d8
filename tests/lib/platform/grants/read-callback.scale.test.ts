/** The pasted address can be forged: only the platform's signed response to this request is accepted. */
import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verifyConsentCallback } from '../../../../lib/platform/grants/verify-consent-callback.ts';
import { anyText } from '../../../any-text.ts';
import { propertyRuns } from '../../../full-size.ts';

const request = {
  redirectUri: 'https://service.example/store-connected',
  domain: 'harbor.myshopify.com',
  state: 'the-state-of-this-run',
  clientSecret: 'shpss_secret',
};
const answered = {
  code: 'code-1',
  host: 'YWRtaW4uc2hvcGlmeS5jb20vc3RvcmUvaGFyYm9y',
  shop: request.domain,
  state: request.state,
  timestamp: '1800000000',
};

function signed(facts: Readonly<Record<string, string>>, secret = request.clientSecret): URLSearchParams {
  const query = new URLSearchParams(facts);
  query.sort();
  query.append('hmac', createHmac('sha256', secret).update(`${query}`).digest('hex'));
  return query;
}
const address = (query: URLSearchParams, at = request.redirectUri) => `${at}?${query}`;
const read = (callbackUrl: string) => verifyConsentCallback({ ...request, callbackUrl });

test('the platform’s answer gives the code, whatever is added by it or by pasting', () => {
  expect(read(address(signed(answered)))).toEqual({ code: 'code-1' });
  expect(read(`  ${address(signed({ ...answered, locale: 'da-DK', new: 'a b&c=d é' }))}\n`)).toEqual({
    code: 'code-1',
  });
});

test.each<[string, string, RegExp]>([
  ['another store', address(signed({ ...answered, shop: 'juniper.myshopify.com' })), /another store/],
  [
    'a name like the store’s',
    address(signed({ ...answered, shop: 'Harbor.myshopify.com' })),
    /another store/,
  ],
  ['another question', address(signed({ ...answered, state: 'the-state-of-last-time' })), /another question/],
  [
    'a question with more behind it',
    address(signed({ ...answered, state: `${request.state}x` })),
    /another question/,
  ],
  ['another app', address(signed(answered, 'shpss_other')), /did not sign/],
  ['no secret', address(signed(answered, '')), /did not sign/],
  ['an address that was cut', address(signed(answered)).slice(0, -3), /not copied whole/],
  ['another place', address(signed(answered), 'https://service.example/elsewhere'), /begins with/],
  ['another host', address(signed(answered), 'https://service.example.evil/store-connected'), /begins with/],
  [
    'a name before the host',
    address(signed(answered), request.redirectUri.replace('//', '//person@')),
    /begins with/,
  ],
  [
    'a password before the host',
    address(signed(answered), request.redirectUri.replace('//', '//:word@')),
    /begins with/,
  ],
  ['no answer', request.redirectUri, /no code/],
  ['a merchant who says no', `${request.redirectUri}?error=access_denied&state=${request.state}`, /no code/],
  ['two codes', `${address(signed(answered))}&code=code-2`, /twice/],
  ['two stores', `${address(signed(answered))}&shop=juniper.myshopify.com`, /twice/],
  ['nothing', '', /begins with/],
  ['the code alone', 'code-1', /begins with/],
  ['very much', address(signed({ ...answered, more: 'x'.repeat(5000) })), /begins with/],
])('%s is refused', (_what, pasted, message) => {
  const reading = read(pasted);
  expect(reading).toEqual({ problem: expect.stringMatching(message) });
  expect(JSON.stringify(reading)).not.toContain('code-1');
});

test('whatever one changes in the answer, it is refused', () => {
  const names = Object.keys(answered) as (keyof typeof answered)[];
  const change = fc.record({
    name: fc.constantFrom<keyof typeof answered | 'hmac'>(...names, 'hmac'),
    value: fc.option(anyText(), { nil: undefined }),
  });
  fc.assert(
    fc.property(change, ({ name, value }) => {
      const query = signed(answered);
      fc.pre(query.get(name) !== value);
      if (value === undefined) query.delete(name);
      else query.set(name, value);
      expect(read(address(query))).toEqual({ problem: expect.any(String) });
    }),
    propertyRuns(20_000),
  );
});
