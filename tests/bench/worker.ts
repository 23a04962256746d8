/**
 * A contender's process: waits for its bundle, then calls the handler as often as it is told. It imports nothing
 * itself, so that a cold start is the bundle's own.
 */
type Order = { readonly bundle: string; readonly event: object; readonly calls: number };
type Bundle = {
  readonly handler: (event: object, context: object) => Promise<{ statusCode: number; body: string }>;
  readonly measure: (quick: boolean) => Promise<object>;
};

const context = {
  awsRequestId: 'bench',
  functionName: 'bench',
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => 30_000,
};

async function run({ bundle, event, calls }: Order): Promise<object> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const { handler, measure }: Bundle = await import(bundle);
  if (calls === 0) return measure(event !== null);
  let answer = { statusCode: 0, body: '' };
  for (let call = 0; call < calls; call++) {
    // Lambda parses every event anew.
    answer = await handler(structuredClone(event), context);
    if (answer.statusCode !== 200 || !answer.body.includes('House blend')) {
      throw new Error(`${answer.statusCode} ${answer.body}`);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: user + system, wallMs: performance.now() - startedAt, body: answer.body };
}

process.on('message', (order: Order) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
