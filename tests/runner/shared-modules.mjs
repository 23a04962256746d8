/**
 * Jest's runtime, which shares modules without test state between the files of a worker: libraries, and the project's
 * modules that only compute. They are loaded and compiled once, and the engine's optimizations persist. They belong to
 * the one global object of bare-global-environment.mjs. A module is shared if all its imports are.
 */
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';

const { default: Runtime } = createRequire(import.meta.url)('jest-runtime');

/** No module in these folders may have state that another test could see: its top level contains only constants. */
const SHARED = [
  ...['graphql', 'zod', 'fast-check', 'pure-rand', 'lru-cache', 'oauth4webapi'].map(
    (name) => `node_modules/${name}/`,
  ),
  ...['graphql/', 'lib/', 'infra/definition/', 'sandbox/platform/'],
].map((folder) => new URL(`../../${folder}`, import.meta.url).href);

/** Address → module. */
const cache = new Map();
/** The URLs of modules with an import that is not shared. */
const refused = new Set();

/** A shared module resolves its imports at run time in the current file, not in the file that loaded it. */
let importNow;

export default class SharedModulesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    this.hasOwnModules = false;
    const { dynamicImport } = this.esmLoader;
    importNow = dynamicImport;
    this.esmLoader.dynamicImport = (...args) => importNow(...args);
    for (const [address, module] of cache) this.registries.esModuleRegistry.set(address, module);
  }

  /** From here on the file has its own modules, and so do its imports. */
  resetModules() {
    this.hasOwnModules = true;
    super.resetModules();
  }

  teardown() {
    if (!this.hasOwnModules) this.#cacheModules();
    super.teardown();
  }

  #cacheModules() {
    const loaded = this.registries.esModuleRegistry;
    const isShared = (address) => SHARED.some((folder) => address.startsWith(folder));
    const candidates = new Map(
      [...loaded]
        .filter(([address]) => isShared(address) && !cache.has(address) && !refused.has(address))
        .map(([address, module]) => [address, this.#importsOf(address, module)]),
    );
    const isCached = (address) => cache.has(address) || candidates.has(address);
    for (let before = -1; before !== candidates.size; ) {
      before = candidates.size;
      for (const [address, imports] of candidates) {
        if (imports.every(isCached)) continue;
        candidates.delete(address);
        refused.add(address);
      }
    }
    for (const address of candidates.keys()) cache.set(address, loaded.get(address));
  }

  /** Addresses of what a module imports but Node's own; its own is among them if it has not come to its end. */
  #importsOf(address, { status, moduleRequests }) {
    const path = fileURLToPath(address);
    if (status !== 'evaluated' || moduleRequests === undefined) return ['unknown'];
    return moduleRequests
      .filter(({ specifier }) => !isBuiltin(specifier))
      .map(({ specifier }) => this.esmLoader.resolveForImportMeta(path, specifier));
  }
}
