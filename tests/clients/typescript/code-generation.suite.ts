/** Runs examples/codegen.ts like users, but without the command line, which only reads and writes files. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import config from '../../../examples/codegen.ts';
import { installed } from './shared-package.ts';

const run = promisify(execFile);
const MODULES = join(process.cwd(), 'node_modules');
/** With a fragment, a list of scalars, a mapped scalar, an enum, and a key that the client fills in. */
const DOCUMENTS = `
  query Mine($id: ID!, $first: Int = 5) {
    customer(id: $id) { subscriptionContracts(first: $first) { nodes { ...Mine } } }
    serviceInfo { languages }
  }
  fragment Mine on SubscriptionContract { id status createdAt nextOrder { total { amount } } }
  mutation Stop($contractId: ID!, $idempotencyKey: String!) {
    subscriptionContractPause(subscriptionContractId: $contractId) @idempotent(key: $idempotencyKey) {
      contract { ...Mine }
      userErrors { message }
    }
  }
`;
const USE = `
  import type { CustomerClient } from 'subscription-management-client';
  import { MineDocument, StopDocument } from './generated/operations.ts';
  export async function use({ request }: CustomerClient) {
    const { data } = await request(MineDocument, { id: 'a' });
    const [one] = data.customer?.subscriptionContracts.nodes ?? [];
    const texts: (string | undefined)[] = [one?.createdAt, one?.nextOrder?.total?.amount, data.serviceInfo.languages[0]];
    const stopped = await request(StopDocument, { contractId: 'a' });
    // @ts-expect-error: it needs its variables.
    await request(StopDocument);
    // @ts-expect-error: values may come that it does not know.
    const status: 'ACTIVE' | 'PAUSED' | undefined = one?.status;
    return [texts, status, stopped.data.subscriptionContractPause?.userErrors[0]?.message];
  }
`;

test('codegen.ts makes documents whose types request knows', async () => {
  const { schema, documents, generates } = config;
  expect(documents).toEqual(['src/**/*.graphql']);
  const [[filename, output] = []] = Object.entries(generates);
  if (filename === undefined || output === undefined || Array.isArray(output)) throw new Error('no output');
  const plugins = output.plugins as readonly string[];
  const pluginMap = await Promise.all(
    plugins.map(async (name) => [name, await import(`@graphql-codegen/${name}`)] as const),
  );
  const text = await codegen({
    schema: parse(readFileSync(join(installed.project, `${schema}`), 'utf8')),
    documents: [{ location: 'src/mine.graphql', document: parse(DOCUMENTS) }],
    filename,
    config: output.config ?? {},
    plugins: plugins.map((name) => ({ [name]: {} })),
    pluginMap: Object.fromEntries(pluginMap),
  });
  mkdirSync(dirname(join(installed.project, filename)), { recursive: true });
  writeFileSync(join(installed.project, filename), text);
  writeFileSync(join(installed.project, 'src/use.ts'), USE);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] },
    skipDefaultLibCheck: true,
    ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
    // One of the packages that the example says to install.
    paths: { '@graphql-typed-document-node/core': [join(MODULES, '@graphql-typed-document-node/core')] },
  };
  const project = join(installed.project, 'tsconfig-codegen.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ['src/use.ts'] }));
  const checked = run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', project]).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect((await checked).stdout).toBe('');
});
