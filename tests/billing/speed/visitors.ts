/** The requests of a store's customers and of its own server: 20 points a second, each request until it is served. */
import { type createClock, createContainer } from '../../lib/platform/admin-api/busy-world.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { tableOf } from '../../rights/guarded-table.ts';

/** `refusalCount`: how often the requester was sent away before it was served. */
export type Visit = { readonly ms: number; readonly refusalCount: number };

type World = Pick<ReturnType<typeof createClock>, 'clock' | 'wait'> & {
  /** Sends a request to the platform, and returns the response. */
  readonly send: (body: string) => Promise<{ readonly status: number; readonly body: string }>;
};

const ROUND_MS = 4000;
const [SERVER_POINTS, CUSTOMER_POINTS] = [20, 30];
const CUSTOMERS = 100;

/** Sends requests until `isOver`, and returns the visits. */
export async function visit({ clock, wait, send }: World, isOver: () => boolean) {
  const table = tableOf('customer-graphql', createMemoryTable());
  const container = createContainer({ clock, wait, table, send: sendPoints });

  async function sendPoints(request: { readonly body: string }) {
    const points = Number(JSON.parse(request.body).query);
    const roots = Array.from({ length: points }, (_, at) => `shop${at}: shop { id }`);
    const { status, body } = await send(JSON.stringify({ query: `{ ${roots.join(' ')} }` }));
    return { status, body, retryAfter: undefined };
  }

  async function askUntilServed(points: number, customer?: number): Promise<Visit> {
    const cameAtMs = clock.nowMs;
    for (let refusalCount = 0; ; refusalCount++) {
      const seconds = await container.ask(points, customer);
      if (seconds === 0) return { ms: clock.nowMs - cameAtMs, refusalCount };
      await wait(seconds * 1000);
    }
  }

  const visits: Promise<Visit>[] = [];
  for (let round = 0; !isOver(); round++, await wait(ROUND_MS)) {
    visits.push(askUntilServed(SERVER_POINTS));
    for (const customer of [2 * round, 2 * round + 1])
      visits.push(askUntilServed(CUSTOMER_POINTS, 1 + (customer % CUSTOMERS)));
  }
  return Promise.all(visits);
}
