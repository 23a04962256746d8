/**
 * A store's billing attempts by id, with indexes: the attempts of a contract, those with an idempotency key, and those
 * that are due. A large store has a million attempts, so no request may read them all.
 */
import type { AttemptRecord } from './contract-records.ts';
import { formatIsoInstant } from './instant.ts';
import { SortedList } from './tables/sorted-list.ts';
import { TouchedMap } from './tables/touched-map.ts';

/** A map of billing attempts, so that snapshots can treat it like the other maps of a store. */
export class AttemptTable extends TouchedMap<number, AttemptRecord> {
  readonly #byContract = new Map<number, AttemptRecord[]>();
  readonly #byKey = new Map<string, AttemptRecord[]>();
  /** The attempts without a request to the bank, in the order in which they are due. */
  readonly #pending = new SortedList<AttemptRecord>(({ settleAt }) => settleAt);
  /** All attempts, in the order of their creation. */
  readonly #byTime = new SortedList<AttemptRecord>(({ createdAt }) => createdAt);
  /** The attempts that wait for an answer: of the bank, or of the customer. */
  readonly #waiting = new Set<AttemptRecord>();

  constructor(entries: Iterable<readonly [number, AttemptRecord]> = []) {
    // The constructor of Map would call `set` before the indexes exist.
    super();
    for (const [id, attempt] of entries) this.set(id, attempt);
  }

  /** Lists the attempts of a contract, in the order of their creation. */
  ofContract(contractId: number): readonly AttemptRecord[] {
    return this.#byContract.get(contractId) ?? [];
  }

  /** Lists the attempts with this idempotency key, in the order of their creation. */
  withKey(idempotencyKey: string): readonly AttemptRecord[] {
    return this.#byKey.get(idempotencyKey) ?? [];
  }

  /** Lists the attempts that were created at this instant or later, in the order of their creation. */
  createdSince(instant: string): readonly AttemptRecord[] {
    return this.#byTime.list(instant);
  }

  /** Lists the open attempts that are due at that instant, including those that wait for an answer. */
  listDue(nowMs: number): readonly AttemptRecord[] {
    const nowText = formatIsoInstant(nowMs);
    for (const attempt of this.#pending.take(nowText)) this.#waiting.add(attempt);
    for (const attempt of this.#waiting) if (attempt.completedAt !== null) this.#waiting.delete(attempt);
    return [...this.#waiting];
  }

  /** Lists the open attempts, in the order of their ids. */
  listOpen(): AttemptRecord[] {
    const openAttempts = [...this.#waiting, ...this.#pending.list()].filter(
      ({ completedAt }) => completedAt === null,
    );
    return openAttempts.sort((one, other) => one.id - other.id);
  }

  /** Returns the instant at which the next attempt is due or expires, in epoch milliseconds, or undefined without one. */
  findNextChangeMs(): number | undefined {
    const expiries = [...this.#waiting].flatMap(({ completedAt, expiresAt }) =>
      completedAt === null && expiresAt != null ? [expiresAt] : [],
    );
    const nextInstant = [...expiries, this.#pending.first()?.settleAt ?? []].flat().sort()[0];
    return nextInstant === undefined ? undefined : Date.parse(nextInstant);
  }

  override set(id: number, attempt: AttemptRecord): this {
    this.delete(id);
    addToList(this.#byContract, attempt.contractId, attempt);
    addToList(this.#byKey, attempt.idempotencyKey, attempt);
    this.#byTime.add(attempt);
    if (attempt.completedAt === null) this.#pending.add(attempt);
    return super.set(id, attempt);
  }

  override delete(id: number): boolean {
    const attempt = this.peek(id);
    if (attempt === undefined) return false;
    removeFromList(this.#byContract, attempt.contractId, attempt);
    removeFromList(this.#byKey, attempt.idempotencyKey, attempt);
    this.#waiting.delete(attempt);
    for (const list of [this.#pending, this.#byTime]) list.remove(attempt);
    return super.delete(id);
  }

  override clear(): void {
    const indexes = [this.#byContract, this.#byKey, this.#waiting, this.#pending, this.#byTime];
    for (const attemptIndex of indexes) attemptIndex.clear();
    super.clear();
  }
}

function addToList<Key>(lists: Map<Key, AttemptRecord[]>, key: Key, attempt: AttemptRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [attempt]);
  else list.push(attempt);
}

function removeFromList<Key>(lists: Map<Key, AttemptRecord[]>, key: Key, attempt: AttemptRecord): void {
  const remainingAttempts = (lists.get(key) ?? []).filter((each) => each !== attempt);
  if (remainingAttempts.length > 0) lists.set(key, remainingAttempts);
  else lists.delete(key);
}
