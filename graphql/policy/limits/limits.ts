/** All limits of a document. A document that exceeds one is rejected with QUERY_TOO_COMPLEX. */
import { MAX_PAGE } from '../../../lib/platform/admin-api/page-size.ts';
import type { Surface } from '../../schema/schema.ts';

export type Limits = {
  /** Characters of the text, comments included. Long values belong into variables. */
  readonly characters: number;
  /** Lexical tokens. */
  readonly tokens: number;
  /** Brackets of any kind inside brackets: the parser descends into them. */
  readonly nesting: number;
  /** Fields inside fields, those of fragments included. */
  readonly depth: number;
  /** Aliases of one operation, `__typename`'s too; a fragment's count at each of its uses. */
  readonly aliases: number;
  readonly directives: number;
  readonly operations: number;
  /** Fields of all operations, a fragment's counted at each of its uses. */
  readonly selections: number;
  /** `first` or `last` of one list. */
  readonly page: number;
  /** Whether wrong sizes are refused here. With keys, the platform refuses them. */
  readonly limitsPages: boolean;
  /** Objects that an operation can bring, counted linearly by `first` and `last`; none for stores. */
  readonly objects: number | undefined;
};

const both = {
  characters: 200_000,
  nesting: 64,
  depth: 15,
  directives: 50,
  operations: 10,
  selections: 10_000,
  page: MAX_PAGE,
} as const;

export const LIMITS: Readonly<Record<Surface, Limits>> = {
  admin: { ...both, tokens: 6_000, aliases: 100, limitsPages: false, objects: undefined },
  customer: { ...both, tokens: 2_000, aliases: 30, limitsPages: true, objects: 2_000 },
};

/** The lists whose pages are smaller, by their field's name: each item takes much of the platform. */
export const SMALLER_PAGES: Readonly<Record<string, number>> = { subscriptionLineOptions: 50 };

/** Ids of one `nodes`, as many as a page has. */
export const MAX_IDS = MAX_PAGE;

/** Roots of one query that take requests to the platform beside the first. */
export const MAX_FOLLOWED_ROOTS = 5;

/** Bounds of an image's transformation (platform document "Limits"), both ends included. */
export const IMAGE_BOUNDS: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  maxWidth: [1, 5760],
  maxHeight: [1, 5760],
  scale: [1, 3],
};
