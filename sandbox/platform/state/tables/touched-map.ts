/**
 * A map of records that lists which of them may have changed. Resolvers take the record that they change by its id, and
 * iteration only reads: so the webhooks compare the records that were taken, and not ten thousand after each request.
 */
export class TouchedMap<Key, Value> extends Map<Key, Value> {
  readonly #touched = new Set<Key>();

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    // The constructor of Map would call `set` before the field exists.
    super();
    for (const [key, value] of entries) this.set(key, value);
  }

  override get(key: Key): Value | undefined {
    this.touch(key);
    return super.get(key);
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    this.touch(key);
    return this;
  }

  /** Returns a record that the caller does not change. */
  peek(key: Key): Value | undefined {
    return super.get(key);
  }

  /** Lists a record as possibly changed. */
  touch(key: Key): void {
    if (this.has(key)) this.#touched.add(key);
  }

  /** Returns whether a record may have changed since `takeTouched` was called. */
  hasTouched(): boolean {
    return this.#touched.size > 0;
  }

  /** Returns the records that may have changed since the last call. */
  takeTouched(): Map<Key, Value> {
    const touchedEntries = new Map<Key, Value>();
    for (const key of this.#touched) {
      const value = super.get(key);
      if (value !== undefined) touchedEntries.set(key, value);
    }
    this.#touched.clear();
    return touchedEntries;
  }
}
