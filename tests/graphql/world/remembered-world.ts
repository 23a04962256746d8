/** Queries of a customer whose session remembers contracts. The platform's round trips in sequence are counted. */
import '../../../graphql/endpoint/remembered-contracts.ts';
import type { CustomerActor } from '../../../lib/credentials/actor.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import { countTrips } from './count-trips.ts';
import { ADA, actorOf, type StandIn, store } from './harness.ts';
import { createResolveWorld, type TestRequest } from './resolve-world.ts';

type Remembered = { numbers: readonly string[]; readonly writes: (readonly string[])[] };

/** Returns the customer with a session over this memory. `replace`: what a write does. */
function rememberingCustomer(
  memory: Remembered,
  { customerId = ADA, replace = async () => undefined }: RememberingOptions = {},
): CustomerActor {
  const actor = actorOf('customer', store);
  if (actor.kind !== 'customer') throw new Error('The actor is no customer.');
  const contracts = {
    numbers: memory.numbers,
    replace: async (numbers: readonly string[]) => {
      memory.writes.push(numbers);
      memory.numbers = numbers;
      await replace();
    },
  };
  return { ...actor, customerId, session: { ...actor.session, rememberedContracts: contracts } };
}

type RememberingOptions = { readonly customerId?: CustomerId; readonly replace?: () => Promise<void> };

/** A platform as it is seeded, and a session that remembers nothing yet. */
export function createRememberedWorld(customerId: CustomerId = ADA) {
  const world = createResolveWorld();
  const memory: Remembered = { numbers: [], writes: [] };

  /** Runs a query. `trips`: the platform's round trips in sequence. */
  async function ask(request: Omit<TestRequest, 'as' | 'actor'>, options: AskOptions = {}) {
    const { answering = world.standIn, replace } = options;
    const counted = countTrips(answering);
    const actor = rememberingCustomer(memory, { customerId, ...(replace && { replace }) });
    const answer = await world.ask({ ...request, as: 'customer', actor }, counted.answer);
    return { ...answer, trips: counted.trips() };
  }

  /** Runs the same query for a session that remembers nothing. */
  const askWithoutMemory = (request: Omit<TestRequest, 'as' | 'actor'>) => {
    const actor = { ...actorOf('customer', store), customerId };
    return world.ask({ ...request, as: 'customer', actor: actor as CustomerActor });
  };

  return { ...world, memory, ask, askWithoutMemory };
}

type AskOptions = { readonly answering?: StandIn; readonly replace?: () => Promise<void> };
