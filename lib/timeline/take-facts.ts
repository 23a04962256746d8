/**
 * A fact's head keeps what was told of it last, beside the contract's entries and in none of their pages. A draft's
 * commit is refused if the contract has changed since; a status, a skip or a move is not: of several at once that ask
 * for the same, and all hear that it is done, one tells it.
 */

import { parseGid } from '../domain/gid.ts';
import { settleAll } from '../domain/settle-all.ts';
import type { Table } from '../storage/table.ts';
import { type ChangedFact, factText } from './changed-fact.ts';
import type { TimelineRef } from './event-record.ts';
import { timelinePartition } from './event-record.ts';

/** Facts that one request can set without a draft. */
const SET_AT_ONCE =
  /^(?:status|nextBillingDate|currentPause\.resumesAt|billingAttempts\..+|billingCycles\..+|lines\..+\.(?:variantId|currentPrice))$/;
/** A billing attempt has a head of its own: whenever it is told, it is told once. */
const ATTEMPTS = 'billingAttempts.';

export function attemptFact(attemptId: string): ChangedFact {
  const field = `${ATTEMPTS}${parseGid(attemptId)?.tail ?? attemptId}`;
  return { coordinate: 'SubscriptionBillingAttempt.id', field, before: null, after: attemptId };
}

/** Heads sort behind the digits of every entry. */
const HEAD = '~';

/** Who tells an attempt: the id of an intent, or of an entry. */
export async function tellerOfAttempt(
  { table }: { readonly table: Pick<Table, 'get'> },
  ref: TimelineRef,
  attemptId: string,
): Promise<string | undefined> {
  const { field } = attemptFact(attemptId);
  const head = await table.get({ pk: timelinePartition(ref), sk: `${HEAD}${field}` });
  return head && String(head.intentId);
}

/**
 * A head is free if nothing was told since the state before the change was read, or something else, or by this intent.
 */
const FREE = 'attribute_not_exists(pk) OR #after <> :after OR toldAtMs < :readAtMs OR intentId = :mine';

export type Telling = TimelineRef & {
  readonly intentId: string;
  readonly changes: readonly ChangedFact[];
  /** When the state before the change was read, and when the change was known to be made; epoch milliseconds. */
  readonly readAtMs: number;
  readonly toldAtMs: number;
};

/**
 * The facts that are this change's to tell: the others were told by somebody who asked for the same at once. May be
 * repeated. TEMPORARILY_UNAVAILABLE.
 */
export async function takeFacts(table: Table, telling: Telling): Promise<readonly ChangedFact[]> {
  const { changes, contract } = telling;
  if (contract === undefined) return changes;
  const taken = await settleAll(
    changes.map(
      (fact) => fact.before === fact.after || !SET_AT_ONCE.test(fact.field) || isTaken(table, telling, fact),
    ),
  );
  return changes.filter((_, index) => taken[index]);
}

async function isTaken(table: Table, telling: Telling, { field, after }: ChangedFact): Promise<boolean> {
  const { shopId, intentId, readAtMs, toldAtMs } = telling;
  const head = { pk: timelinePartition(telling), sk: `${HEAD}${field}` };
  const text = factText(field, after) ?? '';
  const outcome = await table.put(
    { ...head, shopId, after: text, intentId, toldAtMs },
    {
      condition: FREE,
      names: { '#after': 'after' },
      values: { ':after': text, ':readAtMs': readAtMs, ':mine': intentId },
    },
  );
  return outcome === 'done';
}
