/** A request is answered in the language that it names, then in that of its header where it is a customer's, else in English. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { GraphqlResult } from '../../../graphql/response/graphql-result.ts';
import { UTC } from '../../../lib/domain/time-zone.ts';
import { LANGUAGES, type LanguageCode } from '../../../lib/messages/languages.ts';
import { message } from '../../../lib/messages/message.ts';
import { createTranslator } from '../../../lib/messages/translator.ts';
import { neverCalled, type PlanRequest, runPlan } from '../world/harness.ts';

const UNKNOWN_SESSION = 'customerSessionRevoke(sessionId: "gid://platform/CustomerSession/1-x")';
const revoke = (head: string) => `mutation ${head} { gone: ${UNKNOWN_SESSION} { userErrors { message } } }`;
const foreign = (head: string) => `query ${head} { customer(id: "gid://platform/Customer/999") { id } }`;

type TestRequest = Partial<PlanRequest> & Pick<PlanRequest, 'query'>;
const ask = async (request: TestRequest) => runPlan({ as: 'customer', standIn: neverCalled, ...request });

const messagesOf = ({ data, errors }: GraphqlResult) =>
  (data?.gone as { userErrors: { message: string }[] } | undefined)?.userErrors[0]?.message ??
  errors?.[0]?.message;
const unknownSession = async (language: LanguageCode) =>
  (await createTranslator(language, UTC))(message('sessionUnknown'));

test.each<[string, TestRequest, LanguageCode, LanguageCode | undefined]>([
  ['nothing', { query: revoke('') }, 'EN', undefined],
  ['a literal', { query: revoke('@inContext(language: DE)') }, 'DE', 'DE'],
  ['one over a header', { query: revoke('@inContext(language: JA)'), acceptLanguage: 'fr' }, 'JA', 'JA'],
  ['a header', { query: revoke(''), acceptLanguage: 'fr-CA, de' }, 'FR', undefined],
  ['null', { query: revoke('@inContext(language: null)'), acceptLanguage: 'it' }, 'IT', 'IT'],
  ['no argument', { query: revoke('@inContext') }, 'EN', 'EN'],
  [
    'a variable',
    { query: revoke('M($l: LanguageCode) @inContext(language: $l)'), variables: { l: 'PT_BR' } },
    'PT_BR',
    'PT_BR',
  ],
  [
    'a default of a variable',
    { query: revoke('M($l: LanguageCode = ES) @inContext(language: $l)') },
    'ES',
    'ES',
  ],
  [
    'a variable that is null',
    {
      query: revoke('M($l: LanguageCode = ES) @inContext(language: $l)'),
      variables: { l: null },
      acceptLanguage: 'nl',
    },
    'NL',
    'NL',
  ],
  [
    'a variable that is left out',
    { query: revoke('M($l: LanguageCode) @inContext(language: $l)'), acceptLanguage: 'nl' },
    'NL',
    'NL',
  ],
])('%s', async (_what, request, language, response) => {
  const { result } = await ask(request);
  expect(messagesOf(result)).toBe(await unknownSession(language));
  expect(result.extensions).toEqual(response && { context: { language: response } });
});

test.each([
  ['a language that is none of ours', revoke('@inContext(language: ZH)'), {}],
  ['a language with its region', revoke('@inContext(language: DE_AT)'), {}],
  ['a text', revoke('@inContext(language: "DE")'), {}],
  ['a list', revoke('@inContext(language: [DE])'), {}],
  ['two of them', revoke('@inContext(language: DE) @inContext(language: FR)'), {}],
  ['an argument twice', revoke('@inContext(language: DE, language: FR)'), {}],
  ['another argument', revoke('@inContext(country: DE)'), {}],
  [
    'a field',
    `mutation { gone: ${UNKNOWN_SESSION} @inContext(language: DE) { userErrors { message } } }`,
    {},
  ],
  ['a variable of another type', revoke('M($l: String) @inContext(language: $l)'), { l: 'DE' }],
  ['a variable that nobody declares', revoke('@inContext(language: $l)'), { l: 'DE' }],
  [
    'a variable without a language of ours',
    revoke('M($l: LanguageCode) @inContext(language: $l)'),
    { l: 'zh-CN' },
  ],
])('%s is refused in words, before anything runs', async (_what, query, variables) => {
  for (const as of ['customer', 'store'] as const) {
    const { result } = await ask({ as, query, variables });
    expect(result.data).toBeUndefined();
    expect(result.errors?.[0]?.message).toMatch(/LanguageCode|inContext|argument|country|not defined/);
    expect(result.errors?.[0]?.extensions?.code).toMatch(/GRAPHQL_VALIDATION_FAILED|FIELD_NOT_AVAILABLE/);
  }
});

test('a merchant is spoken to in English, unless the operation names a language', async () => {
  for (const as of ['store', 'store for a customer'] as const) {
    const request = { as, query: revoke('') };
    const english = await ask(request);
    expect(messagesOf(english.result)).toBe(await unknownSession('EN'));
    const german = await ask({ ...request, query: revoke('@inContext(language: DE)') });
    expect(messagesOf(german.result)).toBe(await unknownSession('DE'));
  }
});

test('the platform does not hear of it, and answers that pass as text tell it', async () => {
  const query = 'query Q($l: LanguageCode) @inContext(language: $l) { shop { name } }';
  const standIn = () => ({ data: { shop: { name: 'Harbor' } } });
  for (const acceptsDataText of [true, false]) {
    const request = { as: 'store', query, variables: { l: 'FR' }, standIn, acceptsDataText } as const;
    const { result, sent, isText } = await ask(request);
    expect(isText).toBe(acceptsDataText);
    expect(result).toMatchObject({
      data: { shop: { name: 'Harbor' } },
      extensions: { context: { language: 'FR' }, ...(isText && { cost: { requestedQueryCost: 3 } }) },
    });
    expect(JSON.stringify(sent)).not.toMatch(/inContext|"l"|FR/);
  }
});

test('whoever comes after another is spoken to in their own language', async () => {
  const request = fc.record({
    query: fc.constantFrom(revoke, foreign),
    named: fc.option(fc.constantFrom(...LANGUAGES), { nil: undefined }),
    isVariable: fc.boolean(),
    accepted: fc.constantFrom(undefined, 'de-AT', 'fr;q=0.5,ja', 'zh', 'x'.repeat(4096)),
  });
  const byHeader: Readonly<Record<string, LanguageCode>> = { 'de-AT': 'DE', 'fr;q=0.5,ja': 'JA' };
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 4 }), async (requests) => {
      const answers = requests.map(async ({ query, named, isVariable, accepted }) => {
        const head = isVariable ? 'M($l: LanguageCode) @inContext(language: $l)' : '';
        const literal = named === undefined ? '' : `@inContext(language: ${named})`;
        const { result } = await ask({
          query: query(isVariable ? head : literal),
          ...(isVariable && { variables: { l: named } }),
          ...(accepted !== undefined && { acceptLanguage: accepted }),
        });
        const language = named ?? byHeader[accepted ?? ''] ?? 'EN';
        const key = query === revoke ? 'sessionUnknown' : 'FORBIDDEN';
        expect(messagesOf(result)).toBe((await createTranslator(language, UTC))(message(key)));
      });
      await Promise.all(answers);
    }),
    { numRuns: 30, seed: 18 },
  );
});
