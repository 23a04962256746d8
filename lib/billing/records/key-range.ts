/** Ranges of sort keys, and the formats of numbers in them. */
import type { ItemKey, QuerySelection } from '../../storage/table.ts';

/** Both ends are exclusive; an absent end is open. */
export type KeyRange = {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly descending?: boolean | undefined;
  /** The maximum number of items that one query returns. */
  readonly pageSize?: number | undefined;
};

/** Sort keys consist of digits, hyphens and number signs, so all keys are between these characters. */
const [LOWEST_CHARACTER, HIGHEST_CHARACTER] = [' ', '~'];

/** Selects the items of a partition in this range, with consistent reads. */
export function selectKeyRange(pk: string, range: KeyRange): QuerySelection {
  const { after, before, descending = false, pageSize } = range;
  // `BETWEEN` includes both ends. The key after `after` ends with the lowest character; `isBeforeEnd` excludes `before`.
  const from = after === undefined ? LOWEST_CHARACTER : `${after}${LOWEST_CHARACTER}`;
  return {
    keyCondition: 'pk = :pk AND sk BETWEEN :from AND :to',
    values: { ':pk': pk, ':from': from, ':to': before ?? HIGHEST_CHARACTER },
    consistent: true,
    descending,
    ...(pageSize !== undefined && { limit: pageSize }),
  };
}

/** Whether the item is not the end of the range, which `selectKeyRange` selects, too, although the range excludes it. */
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
