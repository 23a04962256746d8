/** Requests through the plan over the emulated Admin API and a table; the calls to each are counted. */

import type { GraphqlResult } from '../../../graphql/response/graphql-result.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { type Json, newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { NOW_MS, type PlanRequest, runPlan, type Sent, type StandIn } from './harness.ts';

export type TestRequest = Omit<PlanRequest, 'standIn' | 'table' | 'timeline'>;
export type WorldResult = {
  readonly result: GraphqlResult;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
  readonly data: any;
  /** Each error as `CODE at its.path`. */
  readonly errors: readonly string[];
  readonly sent: readonly Sent[];
  /** Requests to the table. */
  readonly reads: readonly string[];
};

/** A platform as it is seeded, and an empty table. */
export function createResolveWorld() {
  const table = createMemoryTable();
  const platform = newPlatform({ contracts: 30 });
  const now = () => NOW_MS;

  const standIn: StandIn = async ({ document, variables }) => {
    // The clock is stopped, so the bucket would not refill.
    platform.api.reset();
    const { data = null, errors = [] }: Json = await platform.ask(document, variables);
    return { data, errors };
  };

  /** Runs a request. `answering` may change the platform's responses. */
  async function ask(request: TestRequest, answering: StandIn = standIn): Promise<WorldResult> {
    const reads: string[] = [];
    const counted = counting(table, reads);
    const logger = { error: () => undefined };
    const newId = () => crypto.randomUUID();
    const timeline = (own: Table) =>
      createTimeline({
        ...{
          table: own,
          scheduledTasks: createScheduledTaskRepository({ table: own, now }),
          logger,
          now,
          newId,
        },
      });
    const { result, sent } = await runPlan({ ...request, standIn: answering, table: counted, timeline });
    const errors = (result.errors ?? []).map(
      ({ extensions, path }) => `${extensions?.code} at ${path?.join('.')}`,
    );
    return { result, data: result.data, errors, sent, reads };
  }

  return { ask, standIn, platform, table };
}

function counting(table: Table, reads: string[]): Table {
  return new Proxy(table, {
    get: (target, name: keyof Table) => {
      const operation = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        // A call without keys does not read the table.
        if (!Array.isArray(args[0]) || args[0].length > 0) reads.push(name);
        return operation(...args);
      };
    },
  });
}
