/**
 * The platform's webhooks to the service: some are lost, duplicated, late or forged, and the processes that receive
 * them crash.
 */
import type { StoreEvent } from '../../../../sandbox/platform/webhooks/diff-store-snapshots.ts';
import { beginProcess } from './model-processes.ts';

const MINUTE_MS = 60_000;

type Late = { readonly topic: string; readonly body: string; readonly dueAtMs: number };
type Deps = {
  readonly shared: Parameters<typeof beginProcess>[0];
  readonly now: () => number;
  /** Returns a random number from 0 to 1, which selects the fault. */
  readonly draw: () => number;
};

export function createWebhookQueue({ shared, now, draw }: Deps) {
  let late: Late[] = [];
  return {
    send({ topic, payload }: StoreEvent): void {
      const copies = draw() < 0.05 ? 0 : draw() < 0.1 ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) {
        const dueAtMs = now() + draw() * draw() * 10 * MINUTE_MS;
        late.push({ topic, body: JSON.stringify(payload), dueAtMs });
      }
    },
    /** Not lost, and at once. */
    sendSurely({ topic, payload }: StoreEvent): void {
      late.push({ topic, body: JSON.stringify(payload), dueAtMs: now() });
    },
    /** Whether one of that topic is not taken yet. */
    holds: (topic: string) => late.some((one) => one.topic === topic),
    /** Delivers the due webhooks in any order, and sends the rejected ones again. */
    async deliver(): Promise<void> {
      const due = late.filter(({ dueAtMs }) => dueAtMs <= now());
      late = late.filter(({ dueAtMs }) => dueAtMs > now());
      for (const one of due.sort(() => draw() - 0.5)) {
        const death = { at: draw() < 0.5 ? 0 : 1, when: draw() < 0.5 ? 'before' : 'after' } as const;
        const process = beginProcess(shared, 'platform-webhooks', draw() < 0.1 ? death : undefined);
        const isForged = draw() < 0.02;
        const status = await process.take({ ...one, domain: shared.store.domain, isForged });
        const must = isForged ? 401 : 200;
        if (status !== must && !process.process.hasCrashed)
          throw new Error(`${one.topic} was answered ${status}`);
        if (status !== 200) late.push({ ...one, dueAtMs: now() + MINUTE_MS });
      }
    },
  };
}
