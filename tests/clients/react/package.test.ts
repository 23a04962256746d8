/** The package of clients/react: its size, its formats, and the compilers and versions of React that accept its types. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { withEsbuild } from '../../../tools/build/with-esbuild.ts';
import { bundleClient } from '../bundle-client.ts';
import { compileForHermes } from '../compile-for-hermes.ts';
import { BUNDLER, type Compiler, compileTypes, NODE } from '../compile-types.ts';
import { readQuickstart } from '../quickstart.ts';
import { addNewCode, casesOfSkip } from '../skip-codes.ts';
import { type InstalledHooks, installHooks } from './installed-hooks.ts';

const run = promisify(execFile);
const README = readFileSync('clients/react/README.md', 'utf8');
/** The size beside the peers, in bytes. */
const MAX_BYTES = 4 * 1024;

const REACTS = ['react', 'react-19'] as const;

let hooks: InstalledHooks;
beforeAll(async () => {
  hooks = await installHooks();
  for (const react of REACTS) {
    const project = hooks.createProject(react, react);
    // The packages of devices, with their own signatures.
    cpSync('tests/clients/apps', join(project, 'quickstarts/node_modules'), { recursive: true });
    const later = join(project, 'later/node_modules');
    hooks.copyPackages(later, `later-${react}`);
    addNewCode(join(later, 'subscription-management-client'));
  }
});
afterAll(() => hooks?.remove());

const print = async (project: string, file: string, text: string) => {
  writeFileSync(join(project, file), text);
  return (await run(process.execPath, [file], { cwd: project })).stdout;
};

/** Each mistake is an error: the results are typed, and do not become `any` on the way. */
const MISTAKES = `
  import { isServiceError } from 'subscription-management-client';
  import { toAddressInput } from 'subscription-management-client';
  import { useAddAddress, useAddresses, useCancel, useEvents, useLastPayment, usePaymentMethods, useSkipOrder, useStartPaymentMethodUpdate, useStore, useSubscription, useSubscriptions, useUpdateDelivery } from 'subscription-management-react';
  export function Mistakes() {
    const { data } = useSubscription('1');
    const skip = useSkipOrder('1');
    const cancel = useCancel('1');
    const list = useSubscriptions();
    const addAddress = useAddAddress();
    const startUpdate = useStartPaymentMethodUpdate();
    const [address] = useAddresses().data ?? [];
    const [method] = usePaymentMethods().data ?? [];
    const updateDelivery = useUpdateDelivery('1');
    const payment = useLastPayment('1').data;
    const message: string | undefined = useEvents('1').data?.[0]?.message;
    const sendNow: 'OFF' | 'MOVE' | (string & {}) | undefined = useStore().data?.sendNow;
    return [
      sendNow,
      () => cancel.mutate(),
      () => skip.mutate({ cycleIndex: 1 }),
      () => addAddress.mutate({ address: { address1: '1 Main Street', countryCode: 'US' } }),
      () => startUpdate.mutate({ paymentMethodId: '1' }),
      startUpdate.data?.updateUrl,
      () => address && updateDelivery.mutate({ deliveryMethod: { shipping: toAddressInput(address) } }),
      () => method && startUpdate.mutate({ paymentMethodId: method.id }),
      payment?.outcome === 'ACTION_REQUIRED' || payment?.errorCode || message,
      // @ts-expect-error: a cache must not keep the URL.
      payment?.nextActionUrl,
      // @ts-expect-error: there is no such outcome.
      payment?.outcome === 'FAILED',
      // @ts-expect-error: there is no such field.
      method?.card,
      // @ts-expect-error: an address is required.
      () => addAddress.mutate({ setAsDefault: true }),
      // @ts-expect-error: the argument is misspelt.
      () => skip.mutate({ cycleIndx: 1 }),
      // @ts-expect-error: the argument is required.
      () => skip.mutate(),
      // @ts-expect-error: the data may be missing.
      data.status,
      // @ts-expect-error: there is no such field.
      data?.state,
      // @ts-expect-error: there is no such field.
      list.data?.[0]?.state,
      // @ts-expect-error: a code of the error is a text.
      skip.error?.code === 7,
      // @ts-expect-error: a skip is never refused with this code.
      isServiceError(skip.error, 'skip') && skip.error.code === 'DISCOUNT_REJECTED',
      // @ts-expect-error: the result has no such field.
      skip.data?.contract,
    ];
  }
`;

/** TanStack's declarations name types of browsers, which React Native's declarations have, too. */
const OF_APP = { jsx: 'react-jsx', lib: ['es2022', 'dom'], preserveSymlinks: true };

/** A switch over all codes with which a skip is refused. */
const exhaustive = () => `
  import { isServiceError } from 'subscription-management-client';
  import type { useSkipOrder } from 'subscription-management-react';
  export function explain({ error }: ReturnType<typeof useSkipOrder>): string | undefined {
    if (!isServiceError(error, 'skip')) return error?.message;
    const { code, message } = error;
    switch (code) {
      ${casesOfSkip()}
    }
  }
`;

describe('the package of clients/react', () => {
  test('adds at most 4 KB to an app that has its peers', async () => {
    const text = await bundleClient('esm', { client: 'react', minify: true });
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('has peers and no dependency, runs nothing on import, and holds only files that are used', () => {
    const described = JSON.parse(readFileSync(hooks.packageFile, 'utf8'));
    expect(described).toMatchObject({ sideEffects: false, license: 'MIT' });
    expect(Object.keys(described.peerDependencies)).toEqual([
      ...['@tanstack/react-query', 'react', 'subscription-management-client'],
    ]);
    expect(described).not.toHaveProperty('dependencies');
    const unexpected = /^(esm|cjs)\/|^(README\.md|LICENSE|package\.json)$/;
    expect(hooks.files.filter((path) => !unexpected.test(path))).toEqual([]);
  });

  test.each(REACTS)('is the same by import and by require, with %s', async (react) => {
    const project = join(hooks.projects, react);
    const show = 'console.log(Object.keys(hooks).sort().join())';
    const imported = `import * as hooks from 'subscription-management-react'; ${show}`;
    const required = `const hooks = require('subscription-management-react'); ${show}`;
    const names = await print(project, 'by-import.mjs', imported);
    expect(names).toContain(
      'SubscriptionsProvider,invalidateSubscription,subscriptionQueries,useAddAddress,',
    );
    expect(await print(project, 'by-require.cjs', required)).toBe(names);
  });

  test('has the query options in a module that needs no React', async () => {
    const project = hooks.createProject('without-react');
    const names = `import * as queries from 'subscription-management-react/queries'; console.log(Object.keys(queries).join())`;
    expect(await print(project, 'queries.mjs', names)).toContain('subscriptionQueries');
  });

  test('is compiled with its peers for React Native’s engine', async () => {
    const project = join(hooks.projects, 'react-19');
    const app = join(project, 'app.js');
    writeFileSync(app, "export * from 'subscription-management-react';");
    const { outputFiles } = await withEsbuild(() =>
      build({
        ...{ entryPoints: [app], bundle: true, write: false, format: 'iife', globalName: 'app' },
        ...{ define: { 'process.env.NODE_ENV': '"production"' }, logLevel: 'silent' },
      }),
    );
    const script = outputFiles[0]?.text ?? '';
    expect(script).toContain('useSkipOrder');
    expect((await compileForHermes(script)).length).toBeGreaterThan(0);
  });

  // The oldest compiler takes seconds for each version of React.
  describe.each<[Compiler, readonly string[]]>([
    ['typescript-5.4', ['react']],
    ['typescript', REACTS],
  ])('under %s', (compiler, versions) => {
    /** Compiles the files in the project of each of these versions of React. */
    const compile = (options: object, files: Readonly<Record<string, string>>, reacts = versions) =>
      compileTypes({
        ...{ folder: hooks.projects, compiler, options: { ...OF_APP, ...options } },
        files: Object.fromEntries(
          reacts.flatMap((react) => Object.entries(files).map(([name, text]) => [`${react}/${name}`, text])),
        ),
      });

    const quickstarts = () => ({
      'quickstarts/web.tsx': readQuickstart('web'),
      'quickstarts/expo.tsx': readQuickstart('expo'),
      'quickstarts/capacitor.ts': readQuickstart('capacitor'),
    });
    const examples = Object.fromEntries(
      [...README.matchAll(/^```tsx (\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text = '']) => [
        `${name}.tsx`,
        text,
      ]),
    );
    let complaints: readonly string[] = [];
    const isLater = (complaint: string) => complaint.includes('/later/');
    beforeAll(async () => {
      complaints = await compile(BUNDLER, {
        ...{ ...examples, ...quickstarts() },
        ...{ 'mistakes.tsx': MISTAKES, 'later/new-code.ts': exhaustive() },
      });
    });

    test('has types that fit the README’s examples and the quickstarts of docs/mobile.md', () => {
      expect(Object.keys(examples)).toEqual([
        ...['app.tsx', 'screen.tsx', 'delivery.tsx', 'move.tsx', 'reasons.tsx', 'rows.tsx', 'payment.tsx'],
        ...['manage.tsx', 'errors.tsx', 'persistence.tsx', 'queries.tsx'],
      ]);
      expect(complaints.filter((complaint) => !isLater(complaint))).toEqual([]);
    });

    test('makes an exhaustive switch fail when the schema has a further code', () => {
      const expected = expect.stringContaining("does not satisfy the expected type 'never'");
      expect(complaints.filter(isLater)).toEqual(versions.map(() => expected));
    });

    test('has types that are the same in ES modules and in CommonJS', async () => {
      const files = { mistakes: MISTAKES, codes: exhaustive() };
      const modules = Object.entries(files).flatMap(([name, text]) => [
        [`${name}.mts`, text],
        [`${name}.cts`, text],
      ]);
      // The format of a module does not depend on the version of React.
      expect(await compile(NODE, Object.fromEntries(modules), ['react-19'])).toEqual([]);
    });
  });
});
