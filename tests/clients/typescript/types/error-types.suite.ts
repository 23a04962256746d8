/** The types of the installed package: what compiles, and what does not, in the supported versions of TypeScript. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BUNDLER, type Compiler, compileTypes, NODE } from '../../compile-types.ts';
import { copyPackage } from '../../copy-package.ts';
import { addNewCode, casesOfSkip } from '../../skip-codes.ts';
import { installed } from '../shared-package.ts';

const PACKAGE = 'subscription-management-client';
/** The options beyond the strict ones. */
const EXACT = { exactOptionalPropertyTypes: true };

/** A switch over all codes of the schema; without the last case it is not exhaustive. */
const exhaustive = () => `
  import { isServiceError, type SkipError } from '${PACKAGE}';
  export function explain(error: unknown): string {
    if (!isServiceError(error, 'skip')) throw error;
    const { code, message } = error;
    switch (code) {
      ${casesOfSkip()}
    }
  }
  export const codes = (error: SkipError): SkipError['code'] => error.code;
`;

const COMPARISONS = `
  import { isOneOf, isServiceError, ServiceError, type CustomerClient, type SkipError } from '${PACKAGE}';
  export async function use({ subscriptions }: CustomerClient, error: unknown, skip: SkipError) {
    const { status } = await subscriptions.get({ contractId: 'a' });
    const shown: string = status;
    if (isOneOf(status, 'ACTIVE', 'PAUSED')) { const known: 'ACTIVE' | 'PAUSED' = status; void known; }
    // @ts-expect-error: a mistyped value.
    isOneOf(status, 'ACTIV');
    // @ts-expect-error: a mistyped code.
    isServiceError(error, 'TROTTLED');
    // @ts-expect-error: a mistyped function.
    isServiceError(error, 'skipp');
    // @ts-expect-error: a mistyped code.
    if (error instanceof ServiceError && error.code === 'TROTTLED') throw error;
    // @ts-expect-error: a code of another function.
    if (skip.code === 'QUANTITY_INVALID') throw error;
    if (isServiceError(error, 'reschedule') && error.code === 'ORDER_TOO_CLOSE') {
      const { limit, date }: { limit: number; date: string } = error.details;
      void [limit, date];
    }
    if (isServiceError(error, 'updateDelivery') && error.code === 'DELIVERY_OPTION_REQUIRED')
      return error.deliveryOptions[0]?.code;
    if (isServiceError(error, 'THROTTLED')) { const code: 'THROTTLED' = error.code; void code; }
    if (isServiceError(error)) {
      const advice: 'reload' | 'retry' | 'choose-another' | 'sign-in' | 'contact-support' = error.advice;
      return advice;
    }
    return shown;
  }
`;

/** The declarations that the README's examples expect. */
const DECLARED: Readonly<Record<string, string>> = {
  app: `declare const console: { log(...texts: readonly unknown[]): void };
    declare function showSignIn(url: string): Promise<string | null>;\n`,
  merchant: 'declare const keyFromYourSecretStore: string;\n',
};
const README = readFileSync('clients/typescript/README.md', 'utf8');
const examples = Object.fromEntries(
  [...README.matchAll(/^```ts ([\w-]+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    `${name}.ts`,
    `${DECLARED[name] ?? ''}${text}`,
  ]),
);

/** What was read can be given back, with values that this client does not know; a mistyped value cannot. */
const ADDRESSES = `
  import { isOneOf, toAddressInput, type CustomerClient } from '${PACKAGE}';
  export async function giveBack({ account, subscriptions }: CustomerClient, entered: string) {
    const { nodes: [read] } = await account.addresses();
    if (!read) return;
    await subscriptions.updateDelivery({ contractId: 'a', deliveryMethod: { shipping: toAddressInput(read) } });
    const { city, countryCodeV2: countryCode } = read;
    await account.addAddress({ address: { city, countryCode } });
    await account.addAddress({ address: { city, countryCode: 'US' } });
    const { deliveryPolicy, deliveryMethod } = await subscriptions.get({ contractId: 'a' });
    const { interval, intervalCount } = deliveryPolicy;
    await subscriptions.updateInterval({ contractId: 'a', interval: { interval, intervalCount } });
    if (deliveryMethod && 'address' in deliveryMethod)
      await account.updateAddress({ addressId: read.id, address: toAddressInput(deliveryMethod.address) });
    if (isOneOf(entered, 'US', 'CA')) await account.addAddress({ address: { city, countryCode: entered } });
    // @ts-expect-error: a mistyped country.
    await account.addAddress({ address: { city, countryCode: 'UX' } });
    // @ts-expect-error: any text can be no country.
    await account.addAddress({ address: { city, countryCode: String(countryCode) } });
  }
`;

/** Each function that changes something has a type of its error under its own name. */
const aliases = () => {
  const table = readFileSync('clients/typescript/src/errors/change-codes.ts', 'utf8');
  const names = [...table.matchAll(/^ {2}readonly (\w+): /gm)].map(([, name = '']) => name);
  const errors = names.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Error`);
  const sameAs = (name: string, index: number) =>
    `export const is${errors[index]} = (error: ChangeError<'${name}'>): ${errors[index]} => error;`;
  return `import type { ChangeError, ${errors.join(', ')} } from '${PACKAGE}';\n${names.map(sameAs).join('\n')}`;
};

test('the README has an example of each subject', () => {
  expect(Object.keys(examples)).toEqual([
    ...['app.ts', 'errors.ts', 'delivery.ts', 'merchant.ts', 'billing.ts', 'documents.ts', 'other-client.ts'],
  ]);
});

describe.each<Compiler>(['typescript-5.4', 'typescript'])('the types of the package under %s', (compiler) => {
  const compile = (options: object, files: Readonly<Record<string, string>>) =>
    compileTypes({ folder: installed.project, compiler, options: { ...EXACT, ...options }, files });

  test('fit the README’s examples, and make an exhaustive switch fail only when the schema has a further code', async () => {
    const later = join(installed.project, 'later/node_modules', PACKAGE);
    copyPackage(join(installed.project, 'node_modules', PACKAGE), later, 'later');
    addNewCode(later);
    const files = {
      'addresses.ts': ADDRESSES,
      'aliases.ts': aliases(),
      'comparisons.ts': COMPARISONS,
      'switch.ts': exhaustive(),
      'later/switch.ts': exhaustive(),
    };
    expect(await compile(BUNDLER, { ...examples, ...files })).toEqual([
      expect.stringMatching(/^later.* does not satisfy the expected type 'never'/s),
    ]);
  });

  test('are the same in ES modules and in CommonJS', async () => {
    const formats = ['mts', 'cts'].flatMap((extension) => [
      [`switch.${extension}`, exhaustive()],
      [`comparisons.${extension}`, COMPARISONS],
      [`addresses.${extension}`, ADDRESSES],
    ]);
    expect(await compile(NODE, { ...examples, ...Object.fromEntries(formats) })).toEqual([]);
  });
});
