/**
 * Finds what a function sends after its answer. On Lambda such a request may never leave, or leave during
 * another invocation. Every outgoing request is counted to the invocation whose code made it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';

const invocations = new AsyncLocalStorage();
const owners = new WeakMap();
let lateRequests = [];

/** Starts to watch `fetch` and `node:http`. */
export function watchRequests() {
  subscribe('http.client.request.created', ({ request }) => {
    onRequestStart(request, `${request.method} ${request.host}${pathOf(request.path)}`);
    // An answer of another protocol (101) is no answer to the two channels below.
    request.once('close', () => ended(request));
  });
  subscribe('http.client.response.finish', ({ request }) => ended(request));
  subscribe('http.client.request.error', ({ request }) => ended(request));
  subscribe('undici:request:create', ({ request }) =>
    onRequestStart(request, `${request.method} ${request.origin}${pathOf(request.path)}`),
  );
  subscribe('undici:request:headers', ({ request }) => ended(request));
  subscribe('undici:request:error', ({ request }) => ended(request));
}

/**
 * Runs an invocation. `unfinishedRequests`: those that it had sent and that had no answer when it gave its own.
 */
export async function runInvocation(requestId, run) {
  const invocation = { requestId, answered: false, open: new Map() };
  const outcome = await invocations.run(invocation, run);
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
  const invocation = invocations.getStore();
  if (invocation === undefined) return;
  if (invocation.answered) lateRequests.push({ requestId: invocation.requestId, request: name });
  owners.set(request, invocation);
  invocation.open.set(request, name);
}

function ended(request) {
  owners.get(request)?.open.delete(request);
}

/** The address without its query, which may hold what no log may. */
function pathOf(path) {
  return path.split('?')[0];
}
