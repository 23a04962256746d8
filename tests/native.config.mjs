/** The Kotlin and Swift clients: apart from the other tests, because their compilers are large and take a dozen seconds. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.native.ts'], maxWorkers: 1 };
