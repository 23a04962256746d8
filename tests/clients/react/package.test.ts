/** The package of clients/react: its size, its formats, and the compilers and versions of React that accept its types. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundleClient } from '../bundle-client.ts';
import { type InstalledHooks, installHooks } from './installed-hooks.ts';

const run = promisify(execFile);
const MODULES = join(process.cwd(), 'node_modules');
const README = readFileSync('clients/react/README.md', 'utf8');
/** The size beside the peers, in bytes. */
const MAX_BYTES = 4 * 1024;

let hooks: InstalledHooks;
beforeAll(async () => {
  hooks = await installHooks();
});
afterAll(() => hooks?.remove());

const print = async (project: string, file: string, text: string) => {
  writeFileSync(join(project, file), text);
  return (await run(process.execPath, [file], { cwd: project })).stdout;
};

/** Each mistake is an error: the results are typed, and do not become `any` on the way. */
const MISTAKES = `
  import { isServiceError } from 'subscription-management-client';
  import { useCancel, useSkipOrder, useSubscription, useSubscriptions } from 'subscription-management-react';
  export function Mistakes() {
    const { data } = useSubscription('1');
    const skip = useSkipOrder('1');
    const cancel = useCancel('1');
    const list = useSubscriptions();
    return [
      () => cancel.mutate(),
      () => skip.mutate({ cycleIndex: 1 }),
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

  test.each(['react', 'react-19'] as const)(
    'is the same by import and by require, with %s',
    async (react) => {
      const project = hooks.createProject(`runs-${react}`, react);
      const show = 'console.log(Object.keys(hooks).sort().join())';
      const imported = `import * as hooks from 'subscription-management-react'; ${show}`;
      const required = `const hooks = require('subscription-management-react'); ${show}`;
      const names = await print(project, 'by-import.mjs', imported);
      expect(names).toContain('SubscriptionsProvider,subscriptionQueries,useApplyDiscountCode');
      expect(await print(project, 'by-require.cjs', required)).toBe(names);
    },
  );

  test('has the query options in a module that needs no React', async () => {
    const project = hooks.createProject('without-react');
    const names = `import * as queries from 'subscription-management-react/queries'; console.log(Object.keys(queries).join())`;
    expect(await print(project, 'queries.mjs', names)).toContain('subscriptionQueries');
  });

  test.each([
    ['5.4', 'typescript-5.4', 'bundler', 'esnext', 'react'],
    ['5.4', 'typescript-5.4', 'bundler', 'esnext', 'react-19'],
    ['7', 'typescript', 'bundler', 'esnext', 'react'],
    ['7', 'typescript', 'bundler', 'esnext', 'react-19'],
  ] as const)(
    'the README’s examples have types under TypeScript %s (%s, %s, %s) with %s',
    async (_version, compiler, moduleResolution, module, react) => {
      const project = hooks.createProject(`types-${compiler}-${react}`, react);
      const files = [...README.matchAll(/^```tsx (\w+)\n([\s\S]*?)^```$/gm)].map(([, name, text = '']) => {
        writeFileSync(join(project, `${name}.tsx`), text);
        return `${name}.tsx`;
      });
      expect(files).toEqual(['app.tsx', 'screen.tsx', 'errors.tsx', 'persistence.tsx', 'queries.tsx']);
      writeFileSync(join(project, 'mistakes.tsx'), MISTAKES);
      files.push('mistakes.tsx');
      const options = {
        ...{
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2022', 'dom'],
          types: [],
          jsx: 'react-jsx',
        },
        ...{ module, moduleResolution, preserveSymlinks: true },
      };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
      const checked = run(process.execPath, [join(MODULES, compiler, 'bin/tsc'), '-p', project]);
      expect((await checked.catch(({ stdout }) => ({ stdout }))).stdout).toBe('');
    },
  );
});
