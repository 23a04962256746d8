/**
 * Each test file loads its modules separately, although the file before it loaded most of them. A worker caches the
 * engine's compilation of a module's text: a script itself, whose functions are compiled at their first call, and an ES
 * module, which the engine binds to one global object, as serialized code.
 */
import vm from 'node:vm';

/** The compiled code of each file, with its text, because the engine compares only lengths. */
const scripts = new Map();
const modules = new Map();

/** From now on modules are compiled once in this process. */
export function keepCompiledCode() {
  const { compileFunction, SourceTextModule } = vm;
  vm.compileFunction = (text, parameters, options) =>
    scriptOf(text, parameters, options.filename)?.runInContext(options.parsingContext) ??
    compileFunction(text, parameters, options);
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(text, options) {
      const cachedData = find(modules, options.identifier, text);
      super(text, { ...options, ...(cachedData && { cachedData }) });
      if (cachedData === undefined) modules.set(options.identifier, { text, made: this.createCachedData() });
    }
  };
}

/** A script whose value is the function, for any global object; undefined where it needs what only its own loader has. */
function scriptOf(text, parameters, filename) {
  const known = find(scripts, filename, text);
  if (known !== undefined) return known;
  if (text.startsWith('#!') || /\bimport\s*\(/.test(text)) return undefined;
  const head = `(function (${parameters.join()}) {`;
  try {
    const made = new vm.Script(`${head}${text}\n})`, { filename, columnOffset: -head.length });
    scripts.set(filename, { text, made });
    return made;
  } catch {
    // The module's loader reports the error, or reads the text as an ES module.
    return undefined;
  }
}

function find(cachedPath, filename, text) {
  const known = cachedPath.get(filename);
  return known?.text === text ? known.made : undefined;
}
