/**
 * `npm run package` builds the installable package from clients/typescript: a folder that npm can pack, with ES
 * modules, CommonJS for older bundlers and tests, declarations, and the schemas that apps generate types from.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleClient } from './bundle-client.ts';
import { declareClient } from './declare-client.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'clients/typescript');
const SCHEMAS = ['customer.graphql', 'admin.graphql'];
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Writes the package into `folder` and replaces its content. */
export async function packageClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const declarations = await declareClient(ROOT);
  for (const [format, type] of Object.entries(FORMATS)) {
    const dir = join(folder, format);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'client.js'), await bundleClient(format as keyof typeof FORMATS));
    writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
    for (const [name, text] of declarations) {
      mkdirSync(join(dir, name, '..'), { recursive: true });
      writeFileSync(join(dir, name), text);
    }
  }
  for (const name of SCHEMAS) cpSync(join(ROOT, 'graphql/schema/generated', name), join(folder, name));
  cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);
}

/** Returns the package.json of the sources, with the paths of the built files. */
function published(): object {
  const { private: _private, ...described } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  const of = (format: string) => ({ types: `./${format}/client.d.ts`, default: `./${format}/client.js` });
  return {
    ...described,
    // For bundlers that do not read `exports`, such as Metro before React Native 0.79.
    main: './cjs/client.js',
    types: './cjs/client.d.ts',
    exports: {
      '.': { import: of('esm'), require: of('cjs') },
      ...Object.fromEntries(SCHEMAS.map((name) => [`./${name}`, `./${name}`])),
      './package.json': './package.json',
    },
    files: [...Object.keys(FORMATS), ...SCHEMAS],
  };
}

if (import.meta.main) {
  const folder = join(SOURCE, 'dist');
  // Without `await`: a top-level await would delay the evaluation of modules that import this one.
  packageClient(folder).then(() => console.log(`Packed from ${folder}: npm pack ${folder}`));
}
