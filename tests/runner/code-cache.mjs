/**
 * Each test file loads its modules anew, and most of them were loaded by the file before it. A worker keeps what the
 * engine made of a module's text: a script as it is, with each function compiled when it was first called, and an ES
 * module, which the engine binds to one global object, in the form that it can read again.
 */
import vm from 'node:vm';

/** What was made of a file's text. The engine compares lengths only, so the text stays beside it. */
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
    // Its loader tells the reason, or reads it as an ES module.
    return undefined;
  }
}

function find(cachedPath, filename, text) {
  const known = cachedPath.get(filename);
  return known?.text === text ? known.made : undefined;
}
