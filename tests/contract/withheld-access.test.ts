/**
 * Each operation of both schemas, played by each caller with each scope and kind of protected data taken away that it
 * needs: either all of it goes on working, or it is refused for good, for what is missing, with nothing changed.
 */
import { describe, expect, test } from '@jest/globals';
import type { ProtectedKind, Withheld } from '../../infra/local/platform/state/store-access.ts';
import { LEVEL_1, LEVEL_2 } from '../../lib/platform/protected-data.ts';
import { neededAccess } from '../../lib/stores/needed-access.ts';
import { examples, prepare, queries } from '../docs/operations-page.ts';
import { schemaRoots } from '../graphql/plan/schema-roots.ts';
import type { Acting } from './operation-world.ts';
import {
  type Answer,
  createWithheldWorld,
  nameOf,
  type Request,
  type WithheldWorld,
} from './withheld-world.ts';

const ACTORS: readonly Acting[] = ['customer', 'store', 'store for a customer'];
const MISSING = 'STORE_ACCESS_MISSING';

const levelOf = (kind: ProtectedKind) => (kind === 'customer' ? LEVEL_1 : LEVEL_2);

type Played = { readonly answer: Answer; readonly facts: string };

/** What is wrong with the answer to a request without that access, compared with the one with it. */
function faultsOf(request: Request, lack: Withheld, [whole, without, before]: [Played, Played, string]) {
  const { answer, facts } = without;
  const faults: string[] = [];
  const known = new Set(whole.answer.codes);
  const strange = answer.codes.filter((code) => code !== MISSING && !known.has(code));
  if (strange.length > 0) faults.push(`codes ${strange.join(', ')}`);
  if (answer.isRetryable) faults.push('invites a repeat');
  if (facts !== before && facts !== whole.facts) faults.push('changed in part');
  const open = answer.recorded.filter(({ outcome }) => outcome === 'open');
  if (open.length > 0) faults.push(`open: ${open.map(({ action }) => action).join(', ')}`);
  const told = answer.recorded.some(({ outcome }) => outcome === 'done' || outcome === 'seen');
  if (told && facts === before) faults.push('told, and not done');
  const isSilent = answer.codes.length === 0 && answer.text !== whole.answer.text && facts === before;
  if (isSilent && !answer.text.includes('userErrors":[{')) faults.push('says nothing');
  return [...faults, ...wordsOf(request, lack, answer)];
}

/** Merchants hear what is missing; customers hear nothing of it. */
function wordsOf({ as }: Request, { scopes = [], data = [] }: Withheld, { codes, text }: Answer): string[] {
  const levels = data.map(levelOf);
  const isTold = [...scopes, ...levels].some((handle) => text.includes(handle));
  if (as !== 'customer') return codes.includes(MISSING) && !isTold ? [`does not say what: ${text}`] : [];
  return /(read|write)_[a-z]+|approved|shopify|scope/.test(text) ? [`tells a customer: ${text}`] : [];
}

/** Examples that a lack stops, each for the caller that the page has it for. */
const stopped = new Map<string, Set<string>>();

function noteStopped(name: string, { scopes = [], data = [] }: Withheld, { codes }: Answer): void {
  if (!codes.includes(MISSING)) return;
  const handles = [...scopes.slice(0, 1), ...data.map(levelOf)];
  for (const handle of handles) stopped.set(handle, (stopped.get(handle) ?? new Set()).add(name));
}

type Noting = (lack: Withheld, answer: Answer) => void;

async function faultsOfRequest(
  world: WithheldWorld,
  request: Request,
  as: string,
  note: Noting = () => undefined,
): Promise<string[]> {
  // What is pending at the platform ends with the next request.
  await world.platform.ask('{ shop { id } }');
  const before = world.facts();
  const played = async () => ({ answer: await world.run(request), facts: world.facts() });
  const whole = await world.undone(played);
  const closed = whole.answer.codes.some((code) => /^(FIELD_NOT|GRAPHQL_)/.test(String(code)));
  if (closed) return [];
  const lacks = await world.undone(() => world.neededBy(() => world.run(request)));
  const found: string[] = [];
  for (const lack of lacks) {
    const without = await world.undone(async () => {
      world.withhold(lack);
      return played();
    });
    note(lack, without.answer);
    const faults = faultsOf(request, lack, [whole, without, before]);
    if (faults.length > 0) found.push(`${as} without ${nameOf(lack)}: ${faults.join('; ')}`);
  }
  return found;
}

const roots = [...schemaRoots('admin', 'mutation'), ...schemaRoots('admin', 'query')];

describe.each(ACTORS)('as a %s', (as) => {
  test.each(examples)('$name', async ({ name, as: asOnPage, query }) => {
    const world = createWithheldWorld((given) => prepare(given, name));
    const note: Noting = (...told) => {
      if (as === asOnPage) noteStopped(name, ...told);
    };
    expect(await faultsOfRequest(world, { as, query }, name, note)).toEqual([]);
  });

  test('the queries of the page', async () => {
    const world = createWithheldWorld();
    for (const query of queries) {
      expect(await faultsOfRequest(world, { as, query }, query.slice(0, 40))).toEqual([]);
    }
  });

  test('every root of the schemas', async () => {
    const world = createWithheldWorld();
    const faults: string[] = [];
    for (const { name, query } of roots) {
      faults.push(...(await faultsOfRequest(world, { as, query: withIds(world, query) }, name)));
    }
    expect(faults).toEqual([]);
  });
});

test.each(neededAccess)('the table of access tells what stops without $handle', ({ handle, stops = [] }) => {
  const told = stops === 'every change' ? examples.map(({ name }) => name) : stops;
  expect([...(stopped.get(handle) ?? [])].sort()).toEqual([...told].sort());
});

/** Ids of things that there are, the acting customer's own where somebody owns such things. */
function withIds({ platform, contract }: WithheldWorld, query: string): string {
  const { content, originOrderId } = contract(9_101_001);
  const [first] = content.lines;
  const store = platform.store();
  const ids: Readonly<Record<string, unknown>> = {
    CustomerPaymentMethod: content.paymentMethodId,
    Location: store.locations.keys().next().value,
    MailingAddress: `${content.customerId}1?model_name=CustomerAddress`,
    Order: originOrderId ?? store.orders.keys().next().value,
    Product: first?.productId,
    ProductVariant: first?.variantId,
    SellingPlanGroup: store.sellingPlanGroups.keys().next().value,
    SubscriptionLine: first?.id,
  };
  return query.replace(/(gid:\/\/platform\/(\w+))\/9101001/g, (text, head: string, type: string) =>
    ids[type] === undefined ? text : `${head}/${ids[type]}`,
  );
}
