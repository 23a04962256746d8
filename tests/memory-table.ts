/**
 * The table in memory, for tests with very many requests: the conditions and updates that the service writes, and no
 * more. tests/lib/subscriptions/pause/pause-record.test.ts runs on it and on the started one alike.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ScanTable } from '../lib/storage/scan.ts';
import type { Item, ItemKey, Table, WriteCondition } from '../lib/storage/table.ts';

type Values = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;
type Scope = { readonly item: Values; readonly names: Names; readonly values: Values };

/** An empty table, with the index of actions; a scan sees all of it in one page. */
export function createMemoryTable(): Table & { readonly scan: ScanTable } {
  const partitions = new Map<string, Map<string, Item>>();
  const find = ({ pk, sk }: ItemKey) => partitions.get(pk)?.get(sk);
  const holds = (key: ItemKey, { condition, names = {}, values = {} }: WriteCondition) =>
    condition === undefined || isTrue(condition, { item: find(key) ?? {}, names, values });
  const write = (item: Item) => {
    if (!partitions.has(item.pk)) partitions.set(item.pk, new Map());
    partitions.get(item.pk)?.set(item.sk, freezeCopy(item));
  };
  return {
    get: async (key) => find(key),
    batchGet: async (keys) => keys.map(find),
    async put(item, condition = {}) {
      if (!holds(item, condition)) return 'refused';
      write(item);
      return 'done';
    },
    async update({ key, update, ...condition }) {
      if (!holds(key, condition)) return { outcome: 'refused' };
      const { names = {}, values = {} } = condition;
      const item = updated({ ...key, ...find(key) }, update, { names, values });
      write(item);
      return { outcome: 'done', item: find(key) ?? item };
    },
    async delete(key, condition = {}) {
      if (!holds(key, condition)) return 'refused';
      partitions.get(key.pk)?.delete(key.sk);
      return 'done';
    },
    async scan({ filter, names = {}, values = {} }) {
      const items = [...partitions.values()].flatMap((partition) => [...partition.values()]);
      const found = items.filter((item) => isTrue(filter, { item, names, values }));
      return { items: found, nextKey: undefined };
    },
    async query({ keyCondition, index, condition, descending = false, limit, startKey, ...given }) {
      const { names = {}, values = {} } = given;
      const sort = index === undefined ? 'sk' : 'actionSk';
      const partition = partitions.get(String(values[':pk']));
      // Most queries of a store that has nothing to do read an empty partition.
      if (index === undefined && (partition?.size ?? 0) === 0) return { items: [], nextKey: undefined };
      const inPartition = index === undefined ? [partition] : [...partitions.values()];
      const items = inPartition
        .flatMap((one) => [...(one?.values() ?? [])])
        .filter((item) => isTrue(keyCondition, { item, names, values }))
        .sort((a, b) => ((a[sort] as string) < (b[sort] as string) === descending ? 1 : -1));
      const from = startKey === undefined ? 0 : items.findIndex(({ sk }) => sk === startKey.sk) + 1;
      const page = items.slice(from, limit === undefined ? undefined : from + limit);
      const isMore = from + page.length < items.length;
      // As DynamoDB does, the filter comes after the page.
      const found = page.filter(
        (item) => condition === undefined || isTrue(condition, { item, names, values }),
      );
      return { items: found, nextKey: isMore ? page.at(-1) : undefined };
    },
  };
}

/** As it comes back from the wire: nothing that others can change, nothing undefined. */
function freezeCopy(item: Item): Item {
  return copyValue(item, Object.freeze) as Item;
}

function copyValue(value: unknown, finish: <Value>(copied: Value) => Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return finish(value.map((part) => copyValue(part, finish)));
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = (value as Values)[name];
    if (part !== undefined) result[name] = copyValue(part, finish);
  }
  return finish(result);
}

const TOKEN = /attribute_(?:not_)?exists|size|BETWEEN|AND|OR|<=|>=|<>|[<>=(),]|[:#]?\w+(?:\.#?\w+)*/g;
const COMPARE: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** DynamoDB rejects an expression with a reserved word as an attribute name; `#name` replaces such a name. */
const RESERVED = new Set(
  /RESERVED_WORDS = \{([^}]*)\}/
    .exec(readFileSync(createRequire(import.meta.url).resolve('dynalite/validations/index.js'), 'utf8'))?.[1]
    ?.match(/\w+(?=:)/g),
);
const OPERATORS = new Set(['AND', 'BETWEEN', 'EXISTS', 'OR', 'REMOVE', 'SET', 'SIZE']);
const allowed = new Set<string>();

function refuseReserved(expression: string): void {
  if (allowed.has(expression)) return;
  const attributes = expression.match(/(?<![#:\w])[a-z_]\w*/gi) ?? [];
  const reserved = attributes.find(
    (word) => RESERVED.has(word.toUpperCase()) && !OPERATORS.has(word.toUpperCase()),
  );
  if (reserved !== undefined) throw new Error(`${reserved} is a reserved word of DynamoDB: ${expression}`);
  allowed.add(expression);
}

type Test = (scope: Scope) => boolean;
type Operand = (scope: Scope) => unknown;

const tests = new Map<string, Test>();

function isTrue(condition: string, scope: Scope): boolean {
  const known = tests.get(condition) ?? parseCondition(condition);
  tests.set(condition, known);
  return known(scope);
}

/** A condition: comparisons, BETWEEN, the size of maps and attribute_exists, joined by AND (binds closer) and OR, with brackets. */
function parseCondition(condition: string): Test {
  refuseReserved(condition);
  const tokens = condition.match(TOKEN) ?? [];
  const take = () => tokens.shift() ?? '';
  const operand = (): Operand => {
    const isSize = tokens[0] === 'size';
    const [token = ''] = isSize ? tokens.splice(0, 4).slice(2) : [take()];
    if (isSize) return ({ item, names }) => Object.keys(valueAt(item, pathOf(token, names)) ?? {}).length;
    if (token.startsWith(':')) return ({ values }) => values[token];
    if (!token.includes('.')) return ({ item, names }) => item[names[token] ?? token];
    return ({ item, names }) => valueAt(item, pathOf(token, names));
  };
  const any = (): Test => {
    const parts = [all()];
    while (tokens[0] === 'OR') {
      take();
      parts.push(all());
    }
    return (scope) => parts.some((part) => part(scope));
  };
  const all = (): Test => {
    const parts = [one()];
    while (tokens[0] === 'AND') {
      take();
      parts.push(one());
    }
    return (scope) => parts.every((part) => part(scope));
  };
  const one = (): Test => {
    if (tokens[0] === '(') {
      take();
      const result = any();
      take();
      return result;
    }
    if (/^attribute_/.test(tokens[0] ?? '')) {
      const [isNot] = [take() === 'attribute_not_exists', take()];
      const value = operand();
      take();
      return (scope) => (value(scope) === undefined) === isNot;
    }
    const [left, operator, right] = [operand(), take(), operand()];
    if (operator === 'BETWEEN') {
      take();
      const upper = operand();
      return (scope) => isBetween(left(scope), right(scope), upper(scope));
    }
    const compare = COMPARE[operator];
    if (compare === undefined) throw new Error(`What is ${operator} in ${condition}?`);
    return (scope) => {
      const [a, b] = [left(scope), right(scope)];
      return isOrdered(a, b) && compare(a as never, b as never);
    };
  };
  const result = any();
  if (tokens.length > 0) throw new Error(`What is ${tokens.join(' ')} in ${condition}?`);
  return result;
}

function isBetween(value: unknown, lower: unknown, upper: unknown): boolean {
  return (
    isOrdered(value, lower) &&
    isOrdered(value, upper) &&
    (value as string) >= (lower as string) &&
    (value as string) <= (upper as string)
  );
}

/** Attributes that are not there, or of another type, compare with nothing. */
function isOrdered(a: unknown, b: unknown): boolean {
  return a !== undefined && typeof a === typeof b;
}

/** `map.#name` as the names of attributes, outermost first. */
function pathOf(text: string, names: Names): string[] {
  return (text.includes('.') ? text.split('.') : [text]).map((name) => names[name] ?? name);
}

function valueAt(within: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (value as Values | undefined)?.[name], within);
}

/** The map that holds the last name of `path`. As in DynamoDB it has to be there. */
function mapAt(item: Values, path: readonly string[]): Record<string, unknown> {
  const map = valueAt(item, path.slice(0, -1));
  if (typeof map !== 'object' || map === null) throw new Error(`There is no map for ${path.join('.')}.`);
  return map as Record<string, unknown>;
}

const SETTING = /^(\S+) = (?:if_not_exists\((\S+), (:\w+)\)|(\S+) ([+-]) (:\w+)|(:\w+))$/;

/** `SET a = :a, b.#c = if_not_exists(b.#c, :c), d = d + :one REMOVE e, f.#g`. */
function updated(item: Item, update: string, { names, values }: Omit<Scope, 'item'>): Item {
  refuseReserved(update);
  const [, set = '', remove = ''] = /^(?:SET (.+?))?\s*(?:REMOVE (.+))?$/.exec(update) ?? [];
  if (set === '' && remove === '') throw new Error(`What is ${update}?`);
  const result = copyValue(item, (copied) => copied) as Record<string, unknown>;
  const before = (name: string) => valueAt(item, pathOf(name, names));
  for (const part of set === '' ? [] : set.split(/, (?=#?[\w.#]+ =)/)) {
    const [, name = '', target, otherwise, count, sign, step, plain] = SETTING.exec(part) ?? [];
    const value = values[otherwise ?? step ?? plain ?? ''];
    if (value === undefined) throw new Error(`What is ${part}?`);
    const path = pathOf(name, names);
    const last = path.at(-1) ?? '';
    if (count !== undefined) mapAt(result, path)[last] = sum(before(count), value, sign);
    else mapAt(result, path)[last] = (target === undefined ? undefined : before(target)) ?? value;
  }
  for (const name of remove === '' ? [] : remove.split(', ')) {
    const path = pathOf(name, names);
    delete mapAt(result, path)[path.at(-1) ?? ''];
  }
  return result as Item;
}

function sum(count: unknown, step: unknown, sign: string | undefined): number {
  if (typeof count !== 'number' || typeof step !== 'number') throw new Error('Only numbers are counted.');
  return sign === '+' ? count + step : count - step;
}
