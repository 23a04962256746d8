/** Counts the platform's round trips in sequence for an app's opening screen: a count of waits, not a time. */
import { HomeDocument } from '../../../clients/typescript/src/operations/generated/reads/home.ts';
import { createPreparedDocuments } from '../../../graphql/compile/prepare-document.ts';
import { type ActorRequest, executeRequest } from '../../../graphql/endpoint/execute-request.ts';
import { refuseIntrospection } from '../../../graphql/roots/introspection/refuse-introspection.ts';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { newPlatform } from '../../sandbox/platform/admin/harness.ts';
import { countTrips } from './count-trips.ts';

/** `first`: a session that remembers no contracts. `returning`: the next opening of the same session. */
export type OpeningTrips = { readonly first: number; readonly returning: number };

const customerId = 'gid://platform/Customer/7001001';
const quiet = () => undefined;

/** Opens the screen twice for a customer with three subscriptions, on the emulated platform. */
export async function countOpeningTrips(): Promise<OpeningTrips> {
  const platform = newPlatform();
  let numbers: readonly string[] = [];
  const documents = createPreparedDocuments();
  const now = () => platform.holder.nowMs;
  const open = async () => {
    const counted = countTrips(async ({ document, variables }: AdminOperation) => {
      platform.api.reset();
      const { data = null, errors = [] } = await platform.ask(document, variables);
      return { data, errors, cost: undefined };
    });
    const contracts = {
      numbers,
      replace: async (next: readonly string[]) => {
        numbers = next;
      },
    };
    const { errors } = await executeRequest(
      {
        ...{
          surface: 'customer',
          documents,
          introspect: refuseIntrospection,
          now,
          wait: async () => undefined,
        },
        ...{ namespaces: { client: 'platform', platform: 'shopify' }, table: createMemoryTable() },
        ...{ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } },
        sendAdminOperation: counted.answer,
      } as unknown as Parameters<typeof executeRequest>[0],
      {
        actor: customerWith(contracts),
        request: { query: HomeDocument.toString(), operationName: undefined, variables: { customerId } },
        ...{ requestId: 'request', startedAtMs: now(), recordAction: quiet, acceptsDataText: false },
        acceptLanguage: undefined,
      },
    );
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return counted.trips();
  };
  // The first opening also loads modules, so it is not counted.
  await open();
  numbers = [];
  return { first: await open(), returning: await open() };
}

function customerWith(contracts: object): ActorRequest['actor'] {
  const session = {
    sessionId: 'session',
    generation: 1,
    confirmation: Promise.resolve(),
    rememberedContracts: contracts,
  };
  const store = { shopId: 81234567001, domain: 'harbor-coffee.myshopify.com', status: 'installed' };
  const actor = { kind: 'customer', shopId: store.shopId, customerId: 7001001, session, store };
  return actor as unknown as ActorRequest['actor'];
}
