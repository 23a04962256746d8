/** Iterates over lists by page or by item. The iterators are written by hand: Hermes has no async generators. */
import type { TypedDocument } from '../request/document.ts';
import {
  type Answer,
  createQueryOperation,
  type Operation,
  type OperationOptions,
  type Requester,
  type ValueOf,
} from './operation.ts';

/** A page of a list. */
export interface Connection<Node> {
  /** The items of the page. */
  readonly nodes: readonly Node[];
  /** Where the page ends. */
  readonly pageInfo: {
    /** Whether there are items after this page. */
    readonly hasNextPage: boolean;
    /** The cursor of the last item, for `after`. */
    readonly endCursor?: string | null;
  };
}

type ListVariables<Variables> = Omit<Variables, 'customerId'>;

/**
 * A list operation. A call returns one page; `pages` iterates over the pages, and `all` over their items. A job
 * continues after the last page that it has processed: pass the page's `pageInfo.endCursor` as `after`. After an error
 * the next step reads the same page again.
 */
export type ListOperation<Variables, Page extends Connection<unknown>> = Operation<Variables, Page> & {
  /** Iterates over the pages. */
  readonly pages: (
    ...given: Parameters<Operation<ListVariables<Variables>, Page>>
  ) => AsyncIterableIterator<Answer<Page>>;
  /** Iterates over the items of all pages. */
  readonly all: (
    ...given: Parameters<Operation<ListVariables<Variables>, Page>>
  ) => AsyncIterableIterator<Page['nodes'][number]>;
};

/** Creates a list operation. `selectPage` selects the connection of the value, and receives all roots. */
export function createListOperation<
  Result,
  Variables,
  Page extends Connection<unknown> = Extract<ValueOf<Result>, Connection<unknown>>,
>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
  selectPage?: (value: ValueOf<Result>, requestId: string | undefined, data: Result) => Page | null,
): ListOperation<Variables, Page> {
  return toListOperation<Variables, Page>(
    createQueryOperation(requester, document, selectPage) as ReadPage<Page>,
  );
}

/**
 * Creates a list operation whose pages are full, except the last. The service leaves out orders that are no longer the
 * customer's, so a page of its own can be short or empty.
 * `defaultPageSize`: the number of items in a page when `first` is absent.
 */
export function createFullPageListOperation<Result, Variables, Page extends Connection<unknown>>(
  ...[requester, document, selectPage, defaultPageSize]: [
    ...Parameters<typeof createListOperation<Result, Variables, Page>>,
    number,
  ]
): ListOperation<Variables, Page> {
  const readPage = createQueryOperation(requester, document, selectPage) as ReadPage<Page>;
  return toListOperation<Variables, Page>(async (variables, options) => {
    const { first } = { ...variables } as { readonly first?: number | null };
    let currentPage = await readPage(variables, options);
    for (;;) {
      const remainingCount = (first ?? defaultPageSize) - currentPage.nodes.length;
      const { hasNextPage, endCursor: after } = currentPage.pageInfo;
      if (remainingCount <= 0 || !hasNextPage || !after) return currentPage;
      const nextPage = await readPage({ ...variables, first: remainingCount, after }, options);
      const nodes = [...currentPage.nodes, ...nextPage.nodes];
      currentPage = { ...nextPage, nodes, errors: [...currentPage.errors, ...nextPage.errors] };
      if (nextPage.pageInfo.endCursor === after) return currentPage;
    }
  });
}

type ReadPage<Page> = (variables?: object, options?: OperationOptions) => Promise<Answer<Page>>;

function toListOperation<Variables, Page extends Connection<unknown>>(
  readPage: ReadPage<Page>,
): ListOperation<Variables, Page> {
  const pages = (variables: object = {}, options?: OperationOptions) =>
    iteratePages((after) => readPage({ ...variables, ...(after !== undefined && { after }) }, options));
  const all = (...given: Parameters<typeof pages>) => iterateItems(pages(...given));
  return Object.assign(readPage, { pages, all }) as unknown as ListOperation<Variables, Page>;
}

/** Iterates over all pages. `readPage` receives the cursor of the previous page, or undefined for the first page. */
function iteratePages<Page extends Connection<unknown>>(
  readPage: (after: string | undefined) => Promise<Page>,
): AsyncIterableIterator<Page> {
  let afterCursor: string | undefined;
  let isIterationDone = false;
  return createIterator(async () => {
    if (isIterationDone) return undefined;
    const page = await readPage(afterCursor);
    const { hasNextPage, endCursor } = page.pageInfo;
    isIterationDone = !hasNextPage || !endCursor || endCursor === afterCursor;
    afterCursor = endCursor ?? undefined;
    return { value: page };
  });
}

export function iterateItems<Item>(
  pages: AsyncIterableIterator<{ readonly nodes: readonly Item[] }>,
): AsyncIterableIterator<Item> {
  let pageItems: readonly Item[] = [];
  let itemIndex = 0;
  return createIterator(async () => {
    while (itemIndex >= pageItems.length) {
      const { done, value } = await pages.next();
      if (done) return undefined;
      pageItems = value.nodes;
      itemIndex = 0;
    }
    return { value: pageItems[itemIndex++] as Item };
  });
}

/**
 * Creates an iterator. `step` returns the next item, or undefined after the last. Steps run sequentially, as in a
 * generator.
 */
export function createIterator<Item>(
  step: () => Promise<{ readonly value: Item } | undefined>,
): AsyncIterableIterator<Item> {
  let previousRead: Promise<unknown> = Promise.resolve();
  const itemIterator: AsyncIterableIterator<Item> = {
    next() {
      const readResultPromise = previousRead
        .then(step)
        .then((item) => (item ? { done: false, ...item } : ITERATION_END));
      previousRead = readResultPromise.catch(() => undefined);
      return readResultPromise;
    },
    [Symbol.asyncIterator]: () => itemIterator,
  };
  return itemIterator;
}

const ITERATION_END = { done: true, value: undefined } as const;
