/** What was done at the platform, and by whom, as the platform itself has it; and the webhooks that it sends of that. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { cycleAt } from '../../../../infra/emulators/platform/state/billing-cycles.ts';
import {
  eventsBetween,
  pictureOf,
  type StoreEvent,
} from '../../../../infra/emulators/platform/webhooks/notice-events.ts';
import type { OperationWorld } from '../../../contract/world/operation-world.ts';
import { factsOf } from './held-facts.ts';
import type { Doer, Made, Night } from './held-model.ts';
import { CONTRACTS } from './held-script.ts';

/** Who of the service is at work, and what that has made. */
export type AtWork = { readonly doer: Doer; readonly made: Made[] };

export function createWatch(
  { platform, contract: contractOf }: OperationWorld,
  tell: (event: StoreEvent) => void,
) {
  const now = () => platform.holder.nowMs;
  const history: (Made | Night)[] = [];
  const fields = new Set<string>();
  const doing = new AsyncLocalStorage<AtWork>();
  const first = new Map(CONTRACTS.map((id) => [id, (cycleAt(contractOf(id), now())?.index ?? 0) + 5]));
  const factsNow = () => CONTRACTS.map((id) => factsOf(contractOf(id), first.get(id) ?? 0));
  let seen = factsNow();
  let picture = pictureOf(platform.store());

  /** Called after whatever may have changed the store. */
  function watch(): void {
    const facts = factsNow();
    for (const [index, contract] of CONTRACTS.entries())
      note(contract, seen[index] ?? {}, facts[index] ?? {});
    seen = facts;
    const next = pictureOf(platform.store());
    const pictures = { before: picture, now: next };
    picture = next;
    for (const event of eventsBetween(pictures, platform.store())) tell(event);
  }

  function note(contract: number, last: Record<string, string>, own: Record<string, string>): void {
    for (const field of new Set([...Object.keys(last), ...Object.keys(own)])) {
      fields.add(`${contract} ${field}`);
      const [before, after] = [last[field] ?? '', own[field] ?? ''];
      if (before === after) continue;
      const { doer, made: all } = doing.getStore() ?? {};
      const made = { contract, field, before, after, doer, isUncertain: false };
      history.push(made);
      all?.push(made);
    }
  }

  const { send } = platform;
  platform.send = async (body, ...more) => {
    try {
      return await send(body, ...more);
    } finally {
      watch();
    }
  };
  return { history, fields, first, doing, watch };
}
