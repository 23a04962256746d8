/**
 * Each test file loads its modules anew, and most of them were loaded by the file before it. A worker keeps what the
 * engine made of a module's text, and compiles each text once.
 */
import vm from 'node:vm';

/** Text and compiled form by file. The engine compares lengths only, so the text stays beside it. */
const compiled = new Map();

/** From now on modules are compiled once in this process. */
export function keepCompiledCode() {
  const { compileFunction, SourceTextModule } = vm;
  vm.compileFunction = (text, parameters, options) => {
    const cachedData = find(options.filename, text);
    const compile = compileFunction(text, parameters, {
      ...options,
      ...(cachedData === undefined ? { produceCachedData: true } : { cachedData }),
    });
    if (compile.cachedData !== undefined) keep(options.filename, text, compile.cachedData);
    return compile;
  };
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(text, options) {
      const cachedData = find(options.identifier, text);
      super(text, { ...options, ...(cachedData && { cachedData }) });
      if (cachedData === undefined) keep(options.identifier, text, this.createCachedData());
    }
  };
}

function find(file, text) {
  const known = compiled.get(file);
  return known?.text === text ? known.data : undefined;
}

function keep(file, text, data) {
  compiled.set(file, { text, data });
}
