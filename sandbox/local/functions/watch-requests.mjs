/**
 * Finds requests that a function sends after its response. On Lambda such a request may never leave, or leave during
 * another invocation. Every outgoing request is assigned to the invocation whose code sent it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';

const currentInvocation = new AsyncLocalStorage();
const invocationByRequest = new WeakMap();
let lateRequests = [];

/** Starts to watch `fetch` and `node:http`. */
export function watchRequests() {
  subscribe('http.client.request.created', ({ request }) => {
    onRequestStart(request, `${request.method} ${request.host}${stripQuery(request.path)}`);
    // The two channels below do not report a response that switches the protocol (101).
    request.once('close', () => onRequestEnd(request));
  });
  subscribe('http.client.response.finish', ({ request }) => onRequestEnd(request));
  subscribe('http.client.request.error', ({ request }) => onRequestEnd(request));
  subscribe('undici:request:create', ({ request }) =>
    onRequestStart(request, `${request.method} ${request.origin}${stripQuery(request.path)}`),
  );
  subscribe('undici:request:headers', ({ request }) => onRequestEnd(request));
  subscribe('undici:request:error', ({ request }) => onRequestEnd(request));
}

/**
 * Runs an invocation. `unfinishedRequests`: its requests that had no response when it returned its own. A request that
 * was destroyed before it had a socket is never sent; Node reports its end only when the socket is there.
 */
export async function runInvocation(requestId, run) {
  const invocation = { requestId, hasResponded: false, open: new Map() };
  const outcome = await currentInvocation.run(invocation, run);
  invocation.hasResponded = true;
  const unfinished = [...invocation.open].filter(([request]) => !request.destroyed);
  return { outcome, unfinishedRequests: unfinished.map(([, name]) => name) };
}

/** Removes and returns the requests that invocations have sent after their response, since the last call. */
export function takeLateRequests() {
  const takenRequests = lateRequests;
  lateRequests = [];
  return takenRequests;
}

function onRequestStart(request, name) {
  const invocation = currentInvocation.getStore();
  if (invocation === undefined) return;
  if (invocation.hasResponded) lateRequests.push({ requestId: invocation.requestId, request: name });
  invocationByRequest.set(request, invocation);
  invocation.open.set(request, name);
}

function onRequestEnd(request) {
  invocationByRequest.get(request)?.open.delete(request);
}

/** Returns the address without its query, which may contain data that must not be logged. */
function stripQuery(path) {
  return path.split('?')[0];
}
