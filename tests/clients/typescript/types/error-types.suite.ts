/** The types of the installed package: what compiles, and what does not, in the supported versions of TypeScript. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { adminSchema } from '../../../../graphql/schema/schema.ts';
import { installed } from '../shared-package.ts';

const run = promisify(execFile);
const MODULES = join(process.cwd(), 'node_modules');
const PACKAGE = 'subscription-management-client';
const SKIP_CODES = 'SubscriptionBillingCycleSkipUserErrorCode';

const skipCodes = () => {
  const type = adminSchema().getType(SKIP_CODES);
  return type && 'getValues' in type ? type.getValues().map(({ name }) => name) : [];
};

/** A switch over all codes of the schema; without the last case it is not exhaustive. */
const exhaustive = () => `
  import { isServiceError, type SkipError } from '${PACKAGE}';
  export function explain(error: unknown): string {
    if (!isServiceError(error, 'skip')) throw error;
    const { code, message } = error;
    switch (code) {
${skipCodes()
  .map((name) => `      case '${name}':\n`)
  .join('')}      case 'UNKNOWN':
        return code;
      default:
        // A code of a later service.
        code satisfies never;
        return message;
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

type Project = {
  /** The compiler's package, with the form of the modules. */
  readonly compiler: string;
  readonly options: object;
  readonly files: Readonly<Record<string, string>>;
};

/** Compiles the files, and returns the compiler's complaints. */
async function compile({ compiler, options, files }: Project): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(installed.project, name), text);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ target: 'es2022', lib: ['es2022'], types: [], ...options },
  };
  const project = join(installed.project, `tsconfig-${compiler}-${Object.keys(files)[0]}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const checked = run(process.execPath, [join(MODULES, compiler, 'bin/tsc'), '-p', project]);
  return (await checked.catch(({ stdout }) => ({ stdout }))).stdout;
}

const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };
const NODE = { module: 'node16', moduleResolution: 'node16' };

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
      expect(await compile({ compiler, options, files })).toBe('');
    },
  );

  test('make an exhaustive switch fail when the schema has a further code', async () => {
    const types = join(installed.entry, '../operations/generated/shared/types.d.ts');
    const before = readFileSync(types, 'utf8');
    const head = `export type ${SKIP_CODES} = `;
    expect(before).toContain(head);
    writeFileSync(types, before.replace(head, `${head}'NEW_CODE' | `));
    try {
      const complaints = await compile({
        ...{ compiler: 'typescript', options: BUNDLER, files: { 'new-code.ts': exhaustive() } },
      });
      expect(complaints).toContain("Type '\"NEW_CODE\"' does not satisfy the expected type 'never'");
    } finally {
      writeFileSync(types, before);
    }
  });
});
