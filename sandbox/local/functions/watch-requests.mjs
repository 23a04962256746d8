/**
 * Finds what a function sends after its answer. On Lambda such a request may never leave, or leave during
 * another invocation. Every outgoing request is counted to the invocation whose code made it.
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
    // An answer of another protocol (101) is no answer to the two channels below.
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
 * Runs an invocation. `unfinishedRequests`: those that it had sent and that had no answer when it gave its own.
 */
export async function runInvocation(requestId, run) {
  const invocation = { requestId, answered: false, open: new Map() };
  const outcome = await currentInvocation.run(invocation, run);
  invocation.answered = true;
  return { outcome, unfinishedRequests: [...invocation.open.values()] };
}

/** Requests made by invocations that had answered already, since the last call. */
export function takeLateRequests() {
  const taken = lateRequests;
  lateRequests = [];
  return taken;
}

function onRequestStart(request, name) {
  const invocation = currentInvocation.getStore();
  if (invocation === undefined) return;
  if (invocation.answered) lateRequests.push({ requestId: invocation.requestId, request: name });
  invocationByRequest.set(request, invocation);
  invocation.open.set(request, name);
}

function onRequestEnd(request) {
  invocationByRequest.get(request)?.open.delete(request);
}

/** The address without its query, which may hold what no log may. */
function stripQuery(path) {
  return path.split('?')[0];
}
