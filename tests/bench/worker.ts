/**
 * A contender's process: waits for its bundle, then calls the handler as often as ordered. It imports nothing itself,
 * so that a cold start measures only the bundle.
 */
export type Order = {
  readonly bundle: string;
  /** Sent cyclically, over all orders of this process. */
  readonly events: readonly object[];
  readonly calls: number;
  /** Whether to report the bytes of every loaded file, which takes extra time. */
  readonly countsLoaded?: boolean;
  /** A part of each answer. */
  readonly expected: string;
  /** A field of the JSON body that the next event copies from the response before it. */
  readonly carried?: { readonly field: string; readonly value: string };
};
/** CPU is the process's, compiler and garbage collector included. */
export type Done = {
  readonly cpuUs: number;
  readonly body: string;
  readonly loadedBytes: number;
};
type Result = { readonly statusCode: number; readonly body: string };
type Bundle = {
  readonly handler: (event: object, context: object) => Promise<Result>;
  readonly measure: (quick: boolean) => Promise<object>;
};

const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => 30_000,
};
let called = 0;

/** Without a call: what the bundle measures itself, or nothing but its import. */
async function run({ bundle, events, calls, expected, carried, countsLoaded }: Order): Promise<object> {
  if (countsLoaded === true) await countLoaded();
  const cpu = process.cpuUsage();
  const { handler, measure }: Bundle = await import(bundle);
  if (calls === 0 && measure !== undefined) return measure(events.length > 0);
  let answer: Result = { statusCode: 0, body: '' };
  let value = carried?.value;
  for (let call = 0; call < calls; call++) {
    // Lambda parses every event separately.
    const event = structuredClone(events[called++ % events.length]) as { body: string };
    if (carried !== undefined)
      event.body = JSON.stringify({ ...JSON.parse(event.body), [carried.field]: value });
    answer = await handler(event, context);
    if (answer.statusCode !== 200 || !answer.body.includes(expected)) {
      throw new Error(`${answer.statusCode} ${answer.body}`);
    }
    if (carried !== undefined) value = JSON.parse(answer.body)[carried.field];
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: user + system, body: answer.body, loadedBytes };
}

let loadedBytes = 0;

async function countLoaded(): Promise<void> {
  const { registerHooks } = await import('node:module');
  registerHooks({
    load(url, loading, next) {
      const loaded = next(url, loading);
      loadedBytes += Buffer.byteLength(loaded.source ?? '');
      return loaded;
    },
  });
}

process.on('message', (order: Order) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
