/** The runtimes of the installed package, and its size. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import type * as Client from '../../../clients/typescript/src/client.ts';
import { sourceFolderOfClient } from '../../../tools/package/emit-modules.ts';
import { bundleClient } from '../bundle-client.ts';
import { compileForHermes } from '../compile-for-hermes.ts';
import { clientSizes, compressedSize } from './client-sizes.ts';
import { installed } from './shared-package.ts';

const run = promisify(execFile);
const MODULES = join(process.cwd(), 'node_modules');

describe('the package of clients/typescript', () => {
  test('is no larger than it may be', async () => {
    for (const { name, bytes, maximum } of await clientSizes())
      expect([name, bytes <= maximum]).toEqual([name, true]);
  });

  test('costs less than 5 KB for one document, and less than 1 KB for the check of errors alone', async () => {
    const modules = globSync('operations/generated/*/*.ts', { cwd: sourceFolderOfClient('typescript') });
    expect(modules.length).toBeGreaterThan(40);
    const sizes = await Promise.all(
      modules.map(async (name) => ({ name, bytes: await compressedSize(`export * from './${name}';`) })),
    );
    expect(sizes.filter(({ bytes }) => bytes >= 5 * 1024)).toEqual([]);
    // A document has only its own fragments.
    expect(Math.min(...sizes.map(({ bytes }) => bytes))).toBeLessThan(400);
    expect(await compressedSize("export { isServiceError } from './client.ts';")).toBeLessThan(1024);
  });

  test('has each document in a module of its own, found by import and by require', async () => {
    const from = "'subscription-management-client/documents/changes/skip-order'";
    const graphql = join(MODULES, 'graphql/index');
    const print = 'console.log(parse(String(SkipOrderDocument)).definitions[0].name.value)';
    const scripts = {
      'document.mjs': `import { SkipOrderDocument } from ${from}; import { parse } from '${graphql}.mjs'; ${print}`,
      'document.cjs': `const { SkipOrderDocument } = require(${from}); const { parse } = require('${graphql}'); ${print}`,
    };
    for (const [name, text] of Object.entries(scripts)) {
      writeFileSync(join(installed.project, name), text);
      const { stdout } = await run(process.execPath, [name], { cwd: installed.project });
      expect(stdout).toBe('SkipOrder\n');
    }
  });

  test('leaves out what an app does not import', async () => {
    const entry = "export { createCustomerClient, createWebStorage } from './client.ts';";
    const text = await bundleClient('esm', { entry, minify: true });
    expect(text).toMatch(/"storage".*localStorage|localStorage.*"storage"/s);
    expect(text).not.toMatch(
      /AFTER_FIRST_UNLOCK|appUrlOpen|openAuth|adminKeys|location\.assign|new Map;return\{get/,
    );
  });

  test('stands alone: no dependency, nothing that runs on import, only files that are used', () => {
    const described = JSON.parse(readFileSync(join(installed.entry, '../../package.json'), 'utf8'));
    expect(described).toMatchObject({ sideEffects: false, license: 'MIT' });
    expect(Object.keys(described)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/ependencies$/)]),
    );
    expect(
      installed.files.filter(
        (path) => !/^(esm|cjs)\/|^(README\.md|LICENSE|\w+\.graphql|package\.json)$/.test(path),
      ),
    ).toEqual([]);
  });

  test('is found by import and by require, and is the same', async () => {
    const print = 'console.log(Object.keys(client).sort().join())';
    writeFileSync(
      join(installed.project, 'by-import.mjs'),
      `import * as client from 'subscription-management-client'; ${print}`,
    );
    writeFileSync(
      join(installed.project, 'by-require.cjs'),
      `const client = require('subscription-management-client'); ${print}`,
    );
    const [imported, required] = await Promise.all(
      ['by-import.mjs', 'by-require.cjs'].map((name) =>
        run(process.execPath, [name], { cwd: installed.project }),
      ),
    );
    expect(imported?.stdout).toContain('createCustomerClient');
    expect(required?.stdout).toBe(imported?.stdout);
  });

  test('can be compiled for React Native’s engine', async () => {
    expect((await compileForHermes(await bundleClient('iife'))).length).toBeGreaterThan(0);
    await expect(compileForHermes('async function* pages() {}')).rejects.toThrow('async generators');
  });

  test('runs where there is nothing but fetch, and hangs nowhere', async () => {
    const pending: string[] = [];
    const answer = (status: number, json: object) => ({
      status,
      headers: { get: () => null },
      text: async () => JSON.stringify(json),
    });
    const fetch = async (url: string, { body }: { body: string }) => {
      pending.push(new URL(url).pathname);
      if (body.includes('busy'))
        return answer(503, {
          errors: [{ message: 'Busy', extensions: { code: 'TEMPORARILY_UNAVAILABLE' } }],
        });
      return answer(200, {
        data: {
          customer: {
            subscriptionContracts: {
              nodes: [{ id: 'a' }],
              pageInfo: { hasNextPage: pending.length < 2, endCursor: 'a' },
            },
          },
        },
      });
    };
    const context = vm.createContext({ fetch });
    vm.runInContext(await bundleClient('iife'), context);
    const { createMerchantClient } = (context as { client: typeof Client }).client;
    const merchant = createMerchantClient({ serviceUrl: 'https://service.example', adminKey: 'SVC_AT_test' });
    const found: string[] = [];
    for await (const { id } of merchant.forCustomer('gid://platform/Customer/1').subscriptions.all())
      found.push(id);
    expect(found).toEqual(['a', 'a']);
    await expect(merchant.request('query { busy }')).rejects.toMatchObject({
      code: 'TEMPORARILY_UNAVAILABLE',
    });
  });
});
