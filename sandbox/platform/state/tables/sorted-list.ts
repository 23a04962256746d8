/** A list in the order of its values' keys. Most values are added at its end and taken from its start, which is quick. */
export class SortedList<Value> {
  readonly #keyOf: (value: Value) => string;
  #values: Value[] = [];
  /** The values before this position were taken. */
  #start = 0;

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf;
  }

  /** Adds a value behind those with the same key. */
  add(value: Value): void {
    const key = this.#keyOf(value);
    const isLastKey = (this.#keyAt(this.#values.length - 1) ?? '') <= key;
    if (isLastKey) this.#values.push(value);
    else
      this.#values.splice(
        this.#findPlace((otherKey) => otherKey > key),
        0,
        value,
      );
  }

  remove(value: Value): void {
    this.#values = this.list().filter((each) => each !== value);
    this.#start = 0;
  }

  clear(): void {
    this.#values = [];
    this.#start = 0;
  }

  first(): Value | undefined {
    return this.#values[this.#start];
  }

  /** Lists all values, or those from the key on. */
  list(fromKey?: string): Value[] {
    return this.#values.slice(fromKey === undefined ? this.#start : this.#findPlace((key) => key >= fromKey));
  }

  /** Removes and returns the first values, up to the last one whose key is at most `lastKey`. */
  take(lastKey: string): Value[] {
    const startPosition = this.#start;
    while ((this.#keyAt(this.#start) ?? '') <= lastKey && this.#start < this.#values.length) this.#start += 1;
    const takenValues = this.#values.slice(startPosition, this.#start);
    if (this.#start > this.#values.length / 2) {
      this.#values = this.list();
      this.#start = 0;
    }
    return takenValues;
  }

  #keyAt(position: number): string | undefined {
    const value = position < this.#start ? undefined : this.#values[position];
    return value === undefined ? undefined : this.#keyOf(value);
  }

  /** Returns the first position whose key passes the test, which all later keys pass, too. */
  #findPlace(test: (key: string) => boolean): number {
    let [lowIndex, highIndex] = [this.#start, this.#values.length];
    while (lowIndex < highIndex) {
      const middleIndex = Math.floor((lowIndex + highIndex) / 2);
      if (test(this.#keyAt(middleIndex) ?? '')) highIndex = middleIndex;
      else lowIndex = middleIndex + 1;
    }
    return lowIndex;
  }
}
