/** The Kotlin and the Swift client read documents, addresses and JSON as the TypeScript client does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readOperation } from '../../../clients/typescript/src/request/read-operation.ts';
import { parseSignInCallback } from '../../../clients/typescript/src/session/read-callback.ts';
import { type BuiltPhone, type Phone, startPhone } from './phone.ts';

const runs = { numRuns: 300, seed: 20_261_122 };

const pieces = [
  'fragment Mine on Customer @is(it: {a: 1}) { id note(text: "} mutation M { x }") }',
  '# mutation Remarked { x } "\n',
  'query Read($a: I = {b: {c: "\\"}"}}) @on(x: {y: 1}) { a(b: """ } \\""" mutation { """) { query } }',
  'mutation Write { mutation: query(query: {fragment: 1}) { query } }',
  'mutation Keyed($key: String!) { skip(id: 1) @idempotent(key: $key) { a } }',
  'mutation Half($k: String!) { other: skip @idempotent(key: $k) { a } skip { b } }',
  'mutation Two($k: String!, $l: String!) { a @idempotent(key: $k) { a } b @idempotent(key: $l) { b } }',
  'mutation Literal { a @idempotent(key: "one") @skip(if: $no) { a } }',
  'mutation Inner($key: String!, $n: Int) { a @idempotent(key: $key) { b(n: $n) { c } } }',
  'subscription Listen { x }',
  '{ short }',
  '{ cut',
  '}',
  '"""',
];
const names = ['Read', 'Write', 'Keyed', 'Half', 'Two', 'Literal', 'Inner', 'Listen', 'Another', undefined];

/** `malformed`: texts that are not JSON, and that the client's parser refuses. */
export function describeReadings(
  language: string,
  built: BuiltPhone | { readonly missing: string },
  malformed: readonly string[],
): void {
  const describeBuilt = ('missing' in built ? describe.skip : describe) as typeof describe;
  describeBuilt(`the ${language} client`, () => {
    let folder: string;
    let phone: Phone;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'phone-'));
      phone = startPhone({ ...(built as BuiltPhone), folder, browse: async () => null });
    });
    afterAll(async () => {
      await phone?.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    test('reads documents', async () => {
      const documents = fc.array(fc.constantFrom(...pieces), { maxLength: 5 });
      const check = async (parts: string[], operationName: string | undefined) => {
        const document = parts.join('\n');
        const phoneReading = await phone.send({ do: 'readOperation', document, operationName });
        // Only the TypeScript client reports the operation's name, to `onRequest`.
        const { name: _name, ...reading } = readOperation(document, operationName);
        expect(phoneReading).toEqual(reading);
      };
      await fc.assert(fc.asyncProperty(documents, fc.constantFrom(...names), check), runs);
    });

    test('reads addresses', async () => {
      const part = fc.constantFrom(
        ...[
          '?',
          '&',
          '=',
          '#',
          'state',
          'code',
          'error',
          'a',
          'b==',
          '%41',
          '%',
          '+',
          '%zz',
          'ü',
          'shop.1.app://callback',
        ],
      );
      const usual = fc.constantFrom(
        'shop.1.app://callback?state=a&code=b',
        'shop.1.app://callback?state=a&error=b',
      );
      const addresses = fc.tuple(fc.option(usual, { nil: '' }), fc.array(part, { maxLength: 12 }));
      const check = async ([begin, parts]: [string, string[]]) => {
        const url = begin + parts.join('');
        const phoneReading = await phone.send({ do: 'readCallback', url }).catch(({ code }) => code);
        expect(phoneReading).toEqual(outcomeOf(() => nullsOf(parseSignInCallback(url))));
      };
      await fc.assert(fc.asyncProperty(addresses, check), runs);
    });

    test.each(['service.example', 'ftp://service.example'])(
      'is not created for the address %s, which is not of the web',
      async (serviceUrl) => {
        const other = startPhone({ ...(built as BuiltPhone), folder, browse: async () => null });
        const message = expect.stringContaining('There is no serviceUrl with http(s)://.');
        const creating = other.client('wrong', { serviceUrl, shop: 'a.myshopify.com' });
        await expect(creating).rejects.toMatchObject({ message });
        await other.kill();
      },
    );

    test('reads and writes JSON', async () => {
      const check = async (value: unknown) => {
        const text = JSON.stringify(value, null, 1);
        expect(JSON.parse((await phone.send({ do: 'json', text })) as string)).toEqual(JSON.parse(text));
      };
      await fc.assert(fc.asyncProperty(fc.jsonValue(), check), runs);
      for (const text of malformed)
        await expect(phone.send({ do: 'json', text })).rejects.toMatchObject({ code: 'CRASH' });
    });
  });
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

/** Returns the reading as Kotlin prints it: null for missing values. */
function nullsOf({ code = null, error = null, ...rest }: Record<string, unknown>): unknown {
  return { ...rest, code, error };
}
