/** All limits of a document. A document that exceeds one is rejected with QUERY_TOO_COMPLEX. */
import { MAX_PAGE_SIZE } from '../../../lib/platform/admin-api/page-size.ts';
import type { Surface } from '../../schema/schema.ts';

export type DocumentLimits = {
  /** Characters of the text, including comments. Long values should be variables. */
  readonly characters: number;
  /** Lexical tokens. */
  readonly tokens: number;
  /** Nested brackets of any kind: the parser is recursive. */
  readonly nesting: number;
  /** Nested fields, including those of fragments. */
  readonly depth: number;
  /** Aliases of one operation, including those of `__typename`. Aliases of a fragment count at each of its uses. */
  readonly aliases: number;
  readonly directives: number;
  readonly operations: number;
  /** Fields of all operations. Fields of a fragment count at each of its uses. */
  readonly selections: number;
  /** `first` or `last` of one list. */
  readonly page: number;
  /** Whether the service refuses invalid page sizes. For store keys the platform refuses them. */
  readonly limitsPages: boolean;
  /**
   * Objects that an operation can return, by `first` and `last`. Undefined for store keys, which have no such limit.
   */
  readonly objects: number | undefined;
};

const SHARED_LIMITS = {
  characters: 200_000,
  nesting: 64,
  depth: 15,
  directives: 50,
  operations: 10,
  selections: 10_000,
  page: MAX_PAGE_SIZE,
} as const;

export const LIMITS_BY_SURFACE: Readonly<Record<Surface, DocumentLimits>> = {
  admin: { ...SHARED_LIMITS, tokens: 6_000, aliases: 100, limitsPages: false, objects: undefined },
  customer: { ...SHARED_LIMITS, tokens: 2_000, aliases: 30, limitsPages: true, objects: 2_000 },
};

/** Lists with smaller pages, by field name: each item costs the platform much. */
export const MAX_PAGE_BY_FIELD: Readonly<Record<string, number>> = { subscriptionLineOptions: 50 };

/** Ids of one `nodes` field: as many as a page can have. */
export const MAX_NODE_IDS = MAX_PAGE_SIZE;

/** Fields that the compiler may select for one operation, with fragments expanded at each use. */
export const MAX_SELECTED_FIELDS = 20_000;

/** graphql-js bounds its work when it follows fragments, and the variables in them, from each operation. */
export const MAX_FRAGMENT_WORK = 50_000;

/** Roots of one query that send further requests to the platform. */
export const MAX_ROOTS_WITH_FURTHER_REQUESTS = 5;

/** Bounds of an image's transformation (platform document "Limits"), both ends included. */
export const IMAGE_BOUNDS: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  maxWidth: [1, 5760],
  maxHeight: [1, 5760],
  scale: [1, 3],
};
