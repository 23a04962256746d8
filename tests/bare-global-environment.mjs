/**
 * Jest's environment for Node, with a global object that is the engine's own. Jest wraps it in a proxy, and then
 * each `Math` or `Symbol` that a test or a library reads is a call through it: GraphQL's checks take twice as long.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { keepCompiledCode } from './code-cache.mjs';

keepCompiledCode();
formatStacksNatively();

export default class BareGlobalEnvironment extends TestEnvironment {
  constructor(...args) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
}

/** There are no source maps, so jest's formatter would only put each stack together again, frame by frame. */
function formatStacksNatively() {
  let formatter;
  Object.defineProperty(Error, 'prepareStackTrace', {
    get: () => formatter,
    set(given) {
      formatter = given?.name === 'bound formatStackTrace' ? undefined : given;
    },
  });
}
