/** A map of records that lists the records of a group, such as the orders of a contract, without a scan of all records. */
export class GroupedMap<Key, Value> extends Map<Key, Value> {
  readonly #lists = new Map<string, Value[]>();
  readonly #groupsOf: (value: Value) => readonly string[];

  /** @param groupsOf returns the groups of a record, which never change */
  constructor(groupsOf: (value: Value) => readonly string[], entries: Iterable<readonly [Key, Value]> = []) {
    // The constructor of Map would call `set` before the fields exist.
    super();
    this.#groupsOf = groupsOf;
    for (const [key, value] of entries) this.set(key, value);
  }

  /** Lists the records of a group, in the order in which they were set. */
  inGroup(group: string): readonly Value[] {
    return this.#lists.get(group) ?? [];
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    for (const groupKey of this.#groupsOf(value)) {
      const list = this.#lists.get(groupKey);
      if (list === undefined) this.#lists.set(groupKey, [value]);
      else list.push(value);
    }
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (value === undefined) return false;
    for (const groupKey of this.#groupsOf(value)) {
      const remainingValues = this.inGroup(groupKey).filter((each) => each !== value);
      if (remainingValues.length > 0) this.#lists.set(groupKey, remainingValues);
      else this.#lists.delete(groupKey);
    }
    return super.delete(key);
  }

  override clear(): void {
    this.#lists.clear();
    super.clear();
  }
}
