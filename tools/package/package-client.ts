/**
 * `npm run package` builds the installable packages from clients/typescript and clients/react: for each a folder that npm
 * can pack, with ES modules, CommonJS for older bundlers and tests, and declarations.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_PACKAGES, type ClientPackageName } from './client-packages.ts';
import { declareClient } from './declare-client.ts';
import { emitModules } from './emit-modules.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');
const MODULE_FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Writes the package of `clients/<client>` into `folder` and replaces its content. */
export async function packageClient(folder: string, client: ClientPackageName = 'typescript'): Promise<void> {
  const sourceFolder = join('clients', client);
  const { schemas } = CLIENT_PACKAGES[client];
  rmSync(folder, { recursive: true, force: true });
  const declarationFiles = await declareClient(PROJECT_ROOT, sourceFolder);
  for (const [formatName, moduleType] of Object.entries(MODULE_FORMATS)) {
    const dir = join(folder, formatName);
    const emittedModules = await emitModules(client, formatName as keyof typeof MODULE_FORMATS);
    for (const [name, text] of [...emittedModules, ...declarationFiles]) {
      mkdirSync(join(dir, name, '..'), { recursive: true });
      writeFileSync(join(dir, name), text);
    }
    writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type: moduleType, sideEffects: false })}\n`);
  }
  for (const name of schemas)
    cpSync(join(PROJECT_ROOT, 'graphql/schema/generated', name), join(folder, name));
  cpSync(join(PROJECT_ROOT, sourceFolder, 'README.md'), join(folder, 'README.md'));
  cpSync(join(PROJECT_ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(createPublishedPackageJson(client), null, 2)}\n`,
  );
}

/** Returns the package.json of the sources, with the paths of the built files. */
function createPublishedPackageJson(client: ClientPackageName): object {
  const manifestText = readFileSync(join(PROJECT_ROOT, 'clients', client, 'package.json'), 'utf8');
  const { private: _private, ...publishedFields } = JSON.parse(manifestText);
  const { entries, schemas } = CLIENT_PACKAGES[client];
  const exportOf = (format: string, module: string) => ({
    types: `./${format}/${module}.d.ts`,
    default: `./${format}/${module}.js`,
  });
  return {
    ...publishedFields,
    // For bundlers that do not read `exports`, such as Metro before React Native 0.79.
    main: `./cjs/${entries['.']}.js`,
    types: `./cjs/${entries['.']}.d.ts`,
    exports: {
      ...Object.fromEntries(
        Object.entries(entries).map(([path, module]) => [
          path,
          { import: exportOf('esm', module), require: exportOf('cjs', module) },
        ]),
      ),
      ...Object.fromEntries(schemas.map((name) => [`./${name}`, `./${name}`])),
      './package.json': './package.json',
    },
    files: [...Object.keys(MODULE_FORMATS), ...schemas],
  };
}

async function packageAllClients(): Promise<void> {
  for (const client of Object.keys(CLIENT_PACKAGES) as ClientPackageName[]) {
    const folder = join(PROJECT_ROOT, 'clients', client, 'dist');
    await packageClient(folder, client);
    console.log(`Packed from ${folder}: npm pack ${folder}`);
  }
}

// Without `await`: a top-level await would delay the evaluation of modules that import this one.
if (import.meta.main) void packageAllClients();
