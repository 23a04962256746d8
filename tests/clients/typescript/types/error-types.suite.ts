/** The types of the installed package: what compiles, and what does not, in the supported versions of TypeScript. */
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BUNDLER, compileTypes, NODE } from '../../compile-types.ts';
import { casesOfSkip, withNewCode } from '../../skip-codes.ts';
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
    if (isOneOf(status, 'ACTIVE', 'PAUSED')) { const known: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED' | 'FAILED' = status; void known; }
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

describe('the types of errors and enums', () => {
  test.each([
    ['typescript-5.4', 'ts', BUNDLER],
    ['typescript-5.4', 'mts', NODE],
    ['typescript-5.4', 'cts', NODE],
    ['typescript', 'ts', BUNDLER],
    ['typescript', 'mts', NODE],
    ['typescript', 'cts', NODE],
  ] as const)(
    'accept what is right and reject mistyped values in %s, .%s',
    async (compiler, extension, options) => {
      const files = { [`switch.${extension}`]: exhaustive(), [`comparisons.${extension}`]: COMPARISONS };
      const folder = installed.project;
      expect(await compileTypes({ folder, compiler, options: { ...EXACT, ...options }, files })).toBe('');
    },
  );

  test('make an exhaustive switch fail when the schema has a further code', async () => {
    const complaints = await withNewCode(dirname(installed.entry), () =>
      compileTypes({
        ...{ folder: installed.project, compiler: 'typescript', options: BUNDLER },
        files: { 'new-code.ts': exhaustive() },
      }),
    );
    expect(complaints).toContain("Type '\"NEW_CODE\"' does not satisfy the expected type 'never'");
  });
});
