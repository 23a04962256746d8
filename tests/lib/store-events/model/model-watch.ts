/** The platform's own record of changes and actors, and the webhooks that it sends about them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransportError } from '../../../../lib/platform/send-request.ts';
import { findCycleAt } from '../../../../sandbox/platform/state/billing-cycles.ts';
import {
  diffStoreSnapshots,
  type StoreEvent,
  takeStoreSnapshot,
} from '../../../../sandbox/platform/webhooks/diff-store-snapshots.ts';
import type { OperationWorld } from '../../../contract/world/operation-world.ts';
import { factsOf } from './expected/expected-facts.ts';
import type { AheadPeriod, Made, RecordedActor, Request } from './expected/recorded-event.ts';
import { ORDERS_AHEAD } from './model-extra-kinds.ts';
import { CONTRACTS, type LostResponse } from './model-script.ts';

/** A running request or worker of the service, and the changes that it made. */
export type AtWork = Request & {
  readonly made: { isUncertain: boolean }[];
  /** The response to a request is lost; counts down. */
  readonly lost: { left: number; readonly when: LostResponse['when'] } | undefined;
};
type Whose = { readonly actor: RecordedActor | undefined; isUncertain: boolean };

export function createWatch(
  { platform, contract: contractOf }: OperationWorld,
  onEvent: (event: StoreEvent) => void,
) {
  const now = () => platform.holder.nowMs;
  const history: (Made | AheadPeriod)[] = [];
  const fields = new Set<string>();
  const doing = new AsyncLocalStorage<AtWork>();
  const first = new Map(
    CONTRACTS.map((id) => [id, (findCycleAt(contractOf(id), now())?.index ?? 0) + ORDERS_AHEAD]),
  );
  const factsNow = () => {
    const { paymentMethods } = platform.store();
    return CONTRACTS.map((id) => factsOf(contractOf(id), { first: first.get(id) ?? 0, paymentMethods }));
  };
  /** The actors of the attempts and contracts that were created since the start. */
  const attempts = new Map<number, Whose>();
  const contracts = new Map<number, Whose>();
  const old = new Set([...platform.store().attempts.keys(), ...platform.store().contracts.keys()]);
  let seen = factsNow();
  let picture = takeStoreSnapshot(platform.store());

  /** Called after each possible change of the store. */
  function watch(): void {
    const facts = factsNow();
    for (const [index, contract] of CONTRACTS.entries())
      note(contract, seen[index] ?? {}, facts[index] ?? {});
    seen = facts;
    recordNew(attempts, platform.store().attempts.keys());
    recordNew(contracts, platform.store().contracts.keys());
    const next = takeStoreSnapshot(platform.store());
    const pictures = { before: picture, now: next };
    picture = next;
    for (const event of diffStoreSnapshots(pictures, platform.store())) onEvent(event);
  }

  function recordNew(known: Map<number, Whose>, ids: Iterable<number>): void {
    for (const id of ids) {
      if (old.has(id) || known.has(id)) continue;
      const { actor, made } = doing.getStore() ?? {};
      const origin = { actor, isUncertain: false };
      known.set(id, origin);
      made?.push(origin);
    }
  }

  function note(contract: number, last: Record<string, string>, own: Record<string, string>): void {
    for (const field of new Set([...Object.keys(last), ...Object.keys(own)])) {
      fields.add(`${contract} ${field}`);
      const [before, after] = [last[field] ?? '', own[field] ?? ''];
      if (before === after) continue;
      // Another method pays with something else.
      if (
        field === 'customerPaymentMethod.instrument' &&
        last.customerPaymentMethod !== own.customerPaymentMethod
      )
        continue;
      const during = doing.getStore();
      const { actor, made: all } = during ?? {};
      const at = history.length;
      const made = { contract, field, before, after, actor, isUncertain: false, at, during };
      history.push(made);
      all?.push(made);
    }
  }

  const { send } = platform;
  /** An external change before one of the service's next requests. */
  const externalChange = { left: -1, act: () => {} };
  /** One after another: what a request has changed is seen before the next one changes anything. */
  let last: Promise<unknown> = Promise.resolve();
  platform.send = (body, ...more) => {
    const { lost } = doing.getStore() ?? {};
    const isLost = lost !== undefined && lost.left-- === 0;
    const sent = last.then(async () => {
      if (externalChange.left-- === 0) doing.exit(externalChange.act);
      if (isLost && lost.when === 'before') throw new TransportError('Admin API', 'cut', true);
      try {
        const response = await send(body, ...more);
        if (isLost) throw new TransportError('Admin API', 'cut', true);
        return response;
      } finally {
        watch();
      }
    });
    last = sent.catch(() => undefined);
    return sent;
  };
  /** Requests of the service's, in the order in which they began. */
  const requests: AtWork[] = [];
  /**
   * Runs work as an actor of the service; its process may crash, or a response may be lost. Returns whether a response
   * was lost.
   */
  async function as(
    actor: RecordedActor,
    run: () => Promise<unknown>,
    { hasCrashed, lost }: { readonly hasCrashed: () => boolean; readonly lost?: LostResponse | undefined },
  ): Promise<boolean> {
    const own: AtWork = {
      ...{ actor, made: [], from: history.length, to: Infinity },
      lost: lost && { left: lost.at, when: lost.when },
      ...{ fromMs: now(), toMs: Infinity },
    };
    requests.push(own);
    await doing.run(own, run);
    Object.assign(own, { to: history.length, toMs: now() });
    const hasLost = own.lost !== undefined && own.lost.left < 0;
    if (hasCrashed() || hasLost) for (const made of own.made) Object.assign(made, { isUncertain: true });
    return hasLost;
  }
  const start = factsNow();
  return {
    history,
    requests,
    fields,
    first,
    attempts,
    contracts,
    as,
    externalChange,
    watch,
    start,
    factsNow,
  };
}
