/** The steps of the service at which a process may crash: each write and each request, by what they change. */
import { Kind, parse } from 'graphql';
import type { Item, ItemKey } from '../../../lib/storage/table.ts';

/** `before`, `after`: it crashes; `lost`: it does not get the answer. */
export type FaultKind = 'after' | 'before' | 'lost';
type CrashPoint = { met: number } & Record<FaultKind, number>;
export type CrashPoints = ReturnType<typeof createCrashPoints>;

/** Counts how often each step was met, and what went wrong there. */
export function createCrashPoints() {
  const points = new Map<string, CrashPoint>();
  let faultCount = 0;
  return {
    points: points as ReadonlyMap<string, Readonly<CrashPoint>>,
    meet(step: string): void {
      const point = points.get(step) ?? { met: 0, before: 0, after: 0, lost: 0 };
      point.met += 1;
      points.set(step, point);
    },
    count(step: string, kind: FaultKind): void {
      const point = points.get(step);
      if (point !== undefined) point[kind] += 1;
      faultCount += 1;
    },
    /** Whether the step has had less than its share of the faults. */
    isRare(step: string): boolean {
      const { before = 0, after = 0 } = points.get(step) ?? {};
      return 3 * Math.min(before, after) * points.size < faultCount;
    },
    /** Returns which crash the step has had less often. */
    rarerCrash(step: string): 'after' | 'before' {
      const { before = 0, after = 0 } = points.get(step) ?? {};
      return before < after ? 'before' : 'after';
    },
  };
}

/** Names a write by the fixed parts of its key, and by the state of a charge or a run. */
export function nameWrite(operation: string, target: Item | { readonly key: ItemKey }): string {
  const key = 'key' in target ? (target.key as ItemKey) : (target as Item);
  const names = [...key.pk.split('#'), key.sk].filter((part) => /^[A-Za-z_-]+$/.test(part));
  const { state, status } = target as Item;
  const isDay = key.pk.split('#').length > 2 && (names[0] === 'RUN' || names[0] === 'PREVIEW');
  const details = [
    isDay ? 'of a day' : undefined,
    names[0] === 'LEDGER' ? state : undefined,
    names[0] === 'RUN' ? status : undefined,
  ];
  return [operation, ...names, ...details].filter((part) => part !== undefined).join(' ');
}

const requestNames = new Map<string, string>();

/** Names a request by the root fields of its document. */
export function nameRequest(body: string): string {
  const { query } = JSON.parse(body) as { readonly query: string };
  const known = requestNames.get(query) ?? nameDocument(query);
  requestNames.set(query, known);
  return known;
}

function nameDocument(query: string): string {
  const fields = parse(query).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
  );
  const names = fields.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []));
  return [...new Set(names)].join(' ');
}
