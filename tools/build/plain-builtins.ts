/**
 * Imports Node's built-in modules without their ES module facades. A facade reads every exported name, and some names
 * load far more than a function uses: WebSocket of `node:http` loads undici, `webcrypto` of `node:crypto` loads Web
 * Crypto. Together they are a fifth of a function's cold start.
 */
import { isBuiltin } from 'node:module';
import type { ImportKind, Plugin } from 'esbuild';

const ESM_BUILTIN_NAMESPACE = 'plain-builtin';
/** For CommonJS modules of packages, so that no bundle needs its own `require`. */
const COMMONJS_BUILTIN_NAMESPACE = 'required-builtin';
const NAMESPACE_BY_IMPORT_KIND: Readonly<Partial<Record<ImportKind, string>>> = {
  'import-statement': ESM_BUILTIN_NAMESPACE,
  'require-call': COMMONJS_BUILTIN_NAMESPACE,
};
const IDENTIFIER_PATTERN = /^[A-Za-z_$][\w$]*$/;

/**
 * The plugin. The build fails for a name that the building Node does not export; an export that no module imports is
 * not read.
 */
export const plainBuiltinsPlugin: Plugin = {
  name: ESM_BUILTIN_NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z_]+)*$/ }, ({ kind, path }) => {
      const builtinNamespace = NAMESPACE_BY_IMPORT_KIND[kind];
      if (builtinNamespace === undefined || !isBuiltin(path)) return undefined;
      return { path: path.replace(/^(node:)?/, 'node:'), namespace: builtinNamespace, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: ESM_BUILTIN_NAMESPACE }, ({ path }) => ({
      contents: writeModuleWithoutFacade(path),
    }));
    build.onLoad({ filter: /.*/, namespace: COMMONJS_BUILTIN_NAMESPACE }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

function writeModuleWithoutFacade(module: string): string {
  const exportNames = Object.keys(process.getBuiltinModule(module) as object);
  const exportStatements = exportNames
    .filter((name) => IDENTIFIER_PATTERN.test(name) && name !== 'default')
    // A pure call, so that esbuild removes it when no module imports the name.
    .map(
      (name) =>
        `const its_${name} = /* @__PURE__ */ exportOf('${name}');\nexport { its_${name} as ${name} };`,
    );
  return `const all = /* @__PURE__ */ process.getBuiltinModule('${module}');
const exportOf = (name) => all[name];
${exportStatements.join('\n')}
export default all;`;
}
