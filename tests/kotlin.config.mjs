/** The Kotlin client on the JVM: apart from the other tests, because its compiler is 90 MB and takes a dozen seconds. */
import config from './jest.config.mjs';

export default { ...config, testMatch: ['**/*.kotlin.ts'], maxWorkers: 1 };
