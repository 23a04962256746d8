/** Ranges of sort keys, and the parts of the keys. */
import type { ItemKey, QuerySelection } from '../../storage/table.ts';

/** Both ends are exclusive; an absent end is open. */
export type KeyRange = {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly descending?: boolean | undefined;
  /** The number of items that are read at once. */
  readonly pageSize?: number | undefined;
};

/** Sort keys contain digits, hyphens and number signs: all keys are between these texts. */
const [LOWEST, HIGHEST] = [' ', '~'];

/** Selects the items of a partition in this range, with consistent reads. */
export function selectKeyRange(pk: string, range: KeyRange): QuerySelection {
  const { after, before, descending = false, pageSize } = range;
  // `BETWEEN` includes both ends. The key after `after` ends with the lowest character; `isBeforeEnd` excludes `before`.
  const from = after === undefined ? LOWEST : `${after}${LOWEST}`;
  return {
    keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to',
    values: { ':pk': pk, ':from': from, ':to': before ?? HIGHEST },
    consistent: true,
    descending,
    ...(pageSize !== undefined && { limit: pageSize }),
  };
}

/** Whether an item that `selectKeyRange` selects is in the range. */
export function isBeforeEnd({ sk }: ItemKey, { before }: KeyRange): boolean {
  return sk !== before;
}

/** Formats a cycle's index so that keys have the order of the cycles. */
export function formatCycleKey(cycleIndex: number): string {
  return String(cycleIndex).padStart(10, '0');
}

/** Formats epoch milliseconds so that keys have the order of the times. */
export function formatTimeKey(ms: number): string {
  return String(ms).padStart(13, '0');
}
