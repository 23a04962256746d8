/**
 * The network is off in tests: any connection beyond this machine is refused before it is tried. Loaded into
 * every test file, into every stack that a test starts, and into that stack's functions.
 */
import dns from 'node:dns';
import net from 'node:net';

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|::ffff:127(\.\d+){3})$/i;
const done = Symbol.for('subscriptions.network-off');

if (!net.Socket.prototype[done]) {
  net.Socket.prototype[done] = true;
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) {
    const host = hostOf(args);
    if (host === undefined || LOOPBACK.test(host)) return connect.apply(this, args);
    process.nextTick(() => this.destroy(refusal(host)));
    return this;
  };
  refuseLookups(dns);
}

/** The host of a connection by name or address; undefined for a pipe, or for this machine by default. */
function hostOf(args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) return first.path === undefined ? first.host : undefined;
  const second = Array.isArray(args[0]) ? args[0][1] : args[1];
  return typeof first === 'number' && typeof second === 'string' ? second : undefined;
}

function refuseLookups(resolver) {
  const { lookup } = resolver;
  resolver.lookup = (host, ...rest) => {
    if (LOOPBACK.test(host)) return lookup(host, ...rest);
    process.nextTick(rest.at(-1), refusal(host));
  };
  const lookupPromise = resolver.promises.lookup;
  resolver.promises.lookup = (host, ...rest) =>
    LOOPBACK.test(host) ? lookupPromise(host, ...rest) : Promise.reject(refusal(host));
}

function refusal(host) {
  const error = new Error(`The network is off in tests: no connection to ${host}. Use a stand-in.`);
  return Object.assign(error, { code: 'ENETWORKOFF' });
}
