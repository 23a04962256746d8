/**
 * `node:http` without its facade. Imported as an ES module it is asked for every name it exports, WebSocket among them,
 * for which Node loads undici: a fifth of a function's cold start, for what no function uses.
 */
import type { Plugin } from 'esbuild';

const NAMESPACE = 'plain-http';
const NAMES = [
  ...['Agent', 'ClientRequest', 'IncomingMessage', 'METHODS', 'OutgoingMessage', 'STATUS_CODES', 'Server'],
  ...['ServerResponse', 'createServer', 'get', 'globalAgent', 'maxHeaderSize', 'request'],
  ...['setMaxIdleHTTPParsers', 'validateHeaderName', 'validateHeaderValue'],
];

/** The plugin. A name that is not here fails the build, not the function. */
export const plainHttp: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: NAMESPACE } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({
      contents: `const http = process.getBuiltinModule('node:http');
export const { ${NAMES.join(', ')} } = http;
export default http;`,
    }));
  },
};
