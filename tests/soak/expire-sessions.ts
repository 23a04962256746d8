/** The last act, without faults: who comes back within 90 days goes on, who does not has to sign in again. */
import { type Customer, refreshOnce, refreshRequest } from './customer.ts';
import { insist, type SoakWorld } from './soak-world.ts';

const DAY_SECONDS = 86_400;
/** Half of the idle life and a little. */
const STEP_DAYS = 46;

type ForEach = (work: (customer: Customer) => Promise<void>) => Promise<void>;

export async function expireSessions(
  world: SoakWorld,
  customers: readonly Customer[],
  forEach: ForEach,
): Promise<void> {
  const { ledger } = world;
  // The final state of a customer with an active thief is not determined.
  const honest = new Set(
    customers.filter(({ tokens, theft }) => tokens !== undefined && theft === undefined),
  );
  const loyal = new Set([...honest].filter((_, index) => index % 2 === 0));
  await forEach(async (customer) => {
    if (honest.has(customer)) await refreshOnce(world, customer);
  });
  await world.advance(STEP_DAYS * DAY_SECONDS);
  await forEach(async (customer) => {
    if (loyal.has(customer)) await refreshOnce(world, customer);
  });
  await world.advance(STEP_DAYS * DAY_SECONDS);
  await forEach(async (customer) => {
    const { tokens, email } = customer;
    if (loyal.has(customer)) await refreshOnce(world, customer);
    else if (honest.has(customer) && tokens !== undefined) {
      const answer = await insist(world, () => refreshRequest(world, tokens));
      if (answer?.status === 401) ledger.count('sessions expired');
      else ledger.fail('expired sessions that live', `${email}: ${answer?.status}`);
    }
  });
  ledger.count('sessions alive at the end', [...loyal].filter(({ tokens }) => tokens !== undefined).length);
}
