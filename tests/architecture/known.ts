/**
 * What the code still does against the picture in `rooms.ts`. The numbers only shrink: a test fails where there are
 * more, and says where there are fewer.
 */

/** Wrong arrows between two rooms. */
export const KNOWN_WRONG_ARROWS: Readonly<Record<string, number>> = {
  'lib/subscriptions → lib/subscriptions/*': 4,
};

/** Folders that stand in a circle with others. */
export const KNOWN_FOLDERS_IN_CIRCLES: readonly string[] = [
  'lib/subscriptions',
  'lib/subscriptions/charge',
  'lib/subscriptions/cycles',
  'lib/subscriptions/details',
  'lib/subscriptions/draft',
  'lib/subscriptions/interval',
  'lib/subscriptions/pause',
  'tests/bench',
  'tests/bench/deployed',
  'tests/contract',
  'tests/contract/money',
  'tests/contract/operations',
  'tests/faults',
  'tests/graphql',
  'tests/graphql/fields',
  'tests/graphql/run',
  'tests/lib/subscriptions/pause',
];

/** How many files of an area stand in a circle with others. */
export const KNOWN_FILES_IN_CIRCLES: Readonly<Record<string, number>> = {
  'graphql/answer': 4,
  'graphql/compile': 10,
  'graphql/fields': 3,
  'graphql/roots': 3,
  'graphql/run': 2,
  'lib/storage': 4,
  'lib/subscriptions': 13,
  'tests/bench': 3,
  'tests/soak': 3,
};
