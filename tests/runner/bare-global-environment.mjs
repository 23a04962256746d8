/**
 * Jest's environment for Node, with the engine's own global object. Jest wraps it in a proxy, and then each `Math` or
 * `Symbol` that a test or a library reads is a call through it: GraphQL's checks take twice as long. All files of a
 * worker share one global object, to which the modules of shared-modules.mjs belong; it is restored after each file.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { keepCompiledCode } from './code-cache.mjs';
import { pictureOf } from './picture-of-globals.mjs';

keepCompiledCode();
formatStacksNatively();

const bare = vm.createContext(vm.constants.DONT_CONTEXTIFY);
const fresh = pictureOf(bare);

export default class BareGlobalEnvironment extends TestEnvironment {
  constructor(...args) {
    const { createContext } = vm;
    const { defineProperties, defineProperty } = Object;
    vm.createContext = () => bare;
    // Makes jest's definitions configurable, so that they can be reset.
    const inherited = (on, how) => (on === bare ? { ...how, configurable: true } : how);
    Object.defineProperty = (on, key, how) => defineProperty(on, key, inherited(on, how));
    Object.defineProperties = (on, all) => {
      for (const key of Reflect.ownKeys(all)) Object.defineProperty(on, key, all[key]);
      return on;
    };
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
      Object.assign(Object, { defineProperties, defineProperty });
    }
  }

  async teardown() {
    await super.teardown();
    fresh.putBack();
  }

  /** Without a right (tests/rights) the first test that fails says enough: the others would wait for it in vain, too. */
  handleTestEvent({ name, test }) {
    if (process.env.WITHOUT_RIGHT === undefined) return;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
    if (name === 'test_done') this.hasFailed ||= test.errors.length > 0;
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
