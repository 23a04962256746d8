/**
 * The roots of billing. All come from the table; only `billingSettings { obstacles }` sends a request to the platform, which
 * reads the granted access.
 */
import {
  createBillingPreviews,
  isValidPreview,
  previewEntryKey,
} from '../../lib/billing/preview/previews.ts';
import type { BillingCharge, OrderRef } from '../../lib/billing/records/charge-record.ts';
import type { BillingCharges } from '../../lib/billing/records/charges.ts';
import type { KeyRange } from '../../lib/billing/records/key-range.ts';
import { type BillingReminder, reminderSortKey } from '../../lib/billing/records/reminders.ts';
import { lineSortKey } from '../../lib/billing/records/runs.ts';
import { settingsOfInstallation } from '../../lib/billing/settings/decide-billing-status.ts';
import { addDays } from '../../lib/billing/settings/run-times.ts';
import { isIsoDay, isoDayIn } from '../../lib/domain/time-zone.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { PageArguments } from '../../lib/platform/admin-api/page-size.ts';
import { timeZoneOf } from '../../lib/storage/stores.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { contractGid } from '../../lib/timeline/event-record.ts';
import type { SelectedServiceField, ServiceSelection } from '../plan/response-shape.ts';
import { serviceValueKey } from '../plan/response-shape.ts';
import type { RunContext } from '../plan/run-context.ts';
import { createBillingDeps } from './billing/billing-deps.ts';
import {
  findChargeValue,
  findRunValue,
  formatTime,
  isStoreStopped,
  parseRunGid,
  toChargeValue,
  toRunValue,
} from './billing/billing-values.ts';
import { readObstacles, toSettingsValue } from './billing/settings-value.ts';
import { createServiceValueRoot, type SelectedValue } from './service-value-root.ts';
import { buildConnection, type PageRequest, parseTextPageRequest } from './webhooks/read-page.ts';

type RootArguments = Readonly<Record<string, unknown>>;

const MAX_BILLING_PAGE_SIZE = 100;
/** The maximum number of reminders that are read for one page, which omits obsolete reminders. */
const MAX_REMINDERS_READ_PER_PAGE = 500;
/** The maximum number of a run's orders that are read for one page of the charges with a certain state. */
const MAX_RUN_LINES_READ_PER_PAGE = 5_000;
/** The maximum number of pages of charges with a certain state in a document: one for each state. */
const MAX_CHARGE_PAGES_WITH_STATE = 8;
const MAX_PREVIEW_DAYS = 14;
const DAY_CURSOR_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const ORDER_CURSOR_PATTERN = /^\d{1,20}#\d{10}$/;
const REMINDER_CURSOR_PATTERN = /^\d{13}#\d{1,20}#\d{10}$/;

export const billingSettingsRoot = createServiceValueRoot(
  'BillingSettings',
  async (context, _args, selected) => {
    const checksAccess = listSelectedFields(selected, 'obstacles').length > 0;
    const obstacles = checksAccess ? await readObstacles(context, { checksAccess }) : [];
    const settings = await createBillingDeps(context).settings.read(context.store.shopId);
    return toSettingsValue(context, settings, obstacles);
  },
);

export const billingRunRoot = createServiceValueRoot('BillingRun', async (context, { id }, selected) => {
  rejectTooManyPagesWithState(selected);
  const [run, date] = [await findRunValue(context, id), parseRunGid(id)];
  if (run === undefined || date === undefined) return undefined;
  const pages = await readFieldsWithArguments(selected, 'charges', (args) =>
    readChargesOfRun(context, date, args),
  );
  return { ...run, ...pages };
});

export const billingRunsRoot = createServiceValueRoot('BillingRunConnection', async (context, args) => {
  const pageRequest = parseTextPageRequest(args, MAX_BILLING_PAGE_SIZE, DAY_CURSOR_PATTERN);
  const runsPage = await collectPage(
    pageRequest,
    createBillingDeps(context).runs.list(context.store.shopId, toRange(pageRequest)),
  );
  const isStopped = await isStoreStopped(context);
  const readItems = runsPage.items.map((run) => ({
    position: run.date,
    node: toRunValue(context, run, isStopped),
  }));
  return buildConnection(pageRequest, { readItems, isMore: runsPage.isMore });
});

export const billingChargeRoot = createServiceValueRoot('BillingCharge', async (context, args) => {
  const ref = parseContractRef(context.store.shopId, String(args.contractId));
  return ref && findChargeValue(context, { ...ref, cycleIndex: Number(args.cycleIndex) });
});

export const billingChargesRoot = createServiceValueRoot('BillingChargeConnection', async (context, args) => {
  const pageRequest = parseTextPageRequest(args, MAX_BILLING_PAGE_SIZE, REMINDER_CURSOR_PATTERN);
  return readChargesInDunning(context, pageRequest);
});

export const billingPreviewRoot = createServiceValueRoot(
  'BillingPreview',
  async (context, { date }, selected) => {
    const day = String(date);
    checkPreviewDay(context, day);
    const { store } = context;
    const billingPreview = await createBillingPreviews(context).find(store.shopId, day);
    const settings = await createBillingDeps(context).settings.read(store.shopId);
    if (!isValidPreview(billingPreview, settingsOfInstallation(settings, store))) return undefined;
    const { preparedAtMs, orderCount, totals } = billingPreview;
    const pages = await readFieldsWithArguments(selected, 'entries', (args) =>
      readPreviewEntries(context, day, args),
    );
    return { date: day, preparedAt: formatTime(preparedAtMs), orderCount, totals, ...pages };
  },
);

/** @throws QUERY_TOO_COMPLEX when the document has too many pages of a state */
function rejectTooManyPagesWithState({ allSelections, variables }: SelectedValue): void {
  const pageCount = allSelections
    .flatMap((selection) => listSelectedFields({ selection }, 'charges'))
    .filter(({ args }) => (args?.(variables).state ?? null) !== null).length;
  if (pageCount <= MAX_CHARGE_PAGES_WITH_STATE) return;
  const message = `The query has ${pageCount} fields "charges" with a state, but the limit is ${MAX_CHARGE_PAGES_WITH_STATE}. Send several queries.`;
  throw new ServiceError('QUERY_TOO_COMPLEX', { message });
}

/** Reads the pages of a field with arguments, each under the name that the response gives it. */
async function readFieldsWithArguments(
  selected: SelectedValue,
  name: string,
  read: (args: RootArguments) => Promise<object>,
): Promise<RootArguments> {
  const pageEntries: [string, object][] = [];
  for (const field of listSelectedFields(selected, name))
    pageEntries.push([serviceValueKey(field), await read(field.args?.(selected.variables) ?? {})]);
  return Object.fromEntries(pageEntries);
}

function listSelectedFields(
  { selection }: { readonly selection: ServiceSelection },
  name: string,
): SelectedServiceField[] {
  return selection.fields.filter((field) => field.name === name);
}

/** Reads a page of a run's lines, with the charges of their orders as they are now. */
async function readChargesOfRun(context: RunContext, date: string, args: RootArguments): Promise<object> {
  const pageRequest = parseTextPageRequest(
    args as PageArguments,
    MAX_BILLING_PAGE_SIZE,
    ORDER_CURSOR_PATTERN,
  );
  const { runs, charges } = createBillingDeps(context);
  const state = args.state ?? undefined;
  const linesPage = await collectSelectedCharges(pageRequest, {
    list: (range) => runs.listLines(context.store.shopId, date, range),
    positionOf: lineSortKey,
    charges,
    isSelected: (charge) => state === undefined || charge.state === state,
    maximum: state === undefined ? pageRequest.size : MAX_RUN_LINES_READ_PER_PAGE,
  });
  return buildChargeConnection(context, pageRequest, linesPage);
}

/** Reads charges by their reminders. A reminder whose time is not that of the charge's next reminder is obsolete. */
async function readChargesInDunning(context: RunContext, pageRequest: PageRequest<string>): Promise<object> {
  const { reminders, charges } = createBillingDeps(context);
  const remindersPage = await collectSelectedCharges(pageRequest, {
    list: (range) => reminders.list(context.store.shopId, range),
    positionOf: reminderSortKey,
    charges,
    isSelected: isCurrentDunningReminder,
    maximum: MAX_REMINDERS_READ_PER_PAGE,
  });
  return buildChargeConnection(context, pageRequest, remindersPage);
}

type ChargeList<Item extends OrderRef> = {
  readonly list: (range: KeyRange) => AsyncGenerator<Item>;
  readonly positionOf: (item: Item) => string;
  readonly charges: Pick<BillingCharges, 'findMany'>;
  readonly isSelected: (charge: BillingCharge, item: Item) => boolean;
  /** How many items are read for one page. */
  readonly maximum: number;
};
type ChargePage = {
  readonly positionedCharges: readonly { readonly position: string; readonly charge: BillingCharge }[];
  readonly isMore: boolean;
  /** The position of the last item that was read, if the page ended because the maximum number of items was read. */
  readonly endPosition: string | undefined;
};

/** Reads items until the page has the requested number of selected charges, the list ends, or `maximum` items were read. */
async function collectSelectedCharges<Item extends OrderRef>(
  pageRequest: PageRequest<string>,
  { list, positionOf, charges, isSelected, maximum }: ChargeList<Item>,
): Promise<ChargePage> {
  const positionedCharges: { readonly position: string; readonly charge: BillingCharge }[] = [];
  const size = Math.min(MAX_BILLING_PAGE_SIZE, maximum);
  let range = { ...pageRequest, size };
  let endPosition: string | undefined;
  for (let readCount = 0; readCount < maximum; readCount += size) {
    const itemPage = await collectPage(range, list(toRange(range)));
    const chargesOfItems = await charges.findMany(itemPage.items);
    for (const [index, item] of itemPage.items.entries()) {
      const charge = chargesOfItems[index];
      if (charge === undefined || !isSelected(charge, item)) continue;
      if (positionedCharges.length === pageRequest.size)
        return { positionedCharges, isMore: true, endPosition: undefined };
      positionedCharges.push({ position: positionOf(item), charge });
    }
    const lastItem = itemPage.items.at(-1);
    if (!itemPage.isMore || lastItem === undefined)
      return { positionedCharges, isMore: false, endPosition: undefined };
    endPosition = positionOf(lastItem);
    range = { ...range, ...(pageRequest.descending ? { below: endPosition } : { above: endPosition }) };
  }
  return { positionedCharges, isMore: true, endPosition };
}

function buildChargeConnection(
  context: RunContext,
  pageRequest: PageRequest<string>,
  { positionedCharges, ...end }: ChargePage,
): object {
  const readItems = positionedCharges.map(({ position, charge }) => ({
    position,
    node: toChargeValue(context, charge),
  }));
  return buildConnection(pageRequest, { readItems, ...end });
}

/**
 * Whether the order is in dunning, and the reminder is the one at which something is done about it next. Earlier reminders
 * can remain in the table.
 */
function isCurrentDunningReminder({ state, remindAtMs }: BillingCharge, { atMs }: BillingReminder): boolean {
  return (state === 'RETRYING' || state === 'ACTION_REQUIRED') && remindAtMs === atMs;
}

async function readPreviewEntries(context: RunContext, date: string, args: RootArguments): Promise<object> {
  const pageRequest = parseTextPageRequest(
    args as PageArguments,
    MAX_BILLING_PAGE_SIZE,
    ORDER_CURSOR_PATTERN,
  );
  const { descending, size, above, below } = pageRequest;
  const [afterPosition, untilPosition] = descending ? [below, above] : [above, below];
  const listedEntries = await createBillingPreviews(context).listEntries(context.store.shopId, date, {
    ...{ limit: size + 1, descending },
    ...(afterPosition !== undefined && { after: afterPosition }),
  });
  const rangeEnd =
    untilPosition === undefined
      ? -1
      : listedEntries.findIndex((entry) => isAtOrPast(previewEntryKey(entry), untilPosition, descending));
  const entriesInRange = rangeEnd < 0 ? listedEntries : listedEntries.slice(0, rangeEnd);
  const readItems = entriesInRange.slice(0, size).map((entry) => ({
    position: previewEntryKey(entry),
    node: {
      contractId: contractGid(entry.contractNumber, context.identity.namespaces.platform),
      cycleIndex: entry.cycleIndex,
      expectedAt: formatTime(entry.expectedAtMs),
      amount: entry.amount ?? null,
      warnings: entry.warnings,
    },
  }));
  return buildConnection(pageRequest, { readItems, isMore: entriesInRange.length > size });
}

function isAtOrPast(position: string, end: string, descending: boolean): boolean {
  return descending ? position <= end : position >= end;
}

/** @throws GRAPHQL_VALIDATION_FAILED for a day that has no preview: an error of this root only */
function checkPreviewDay({ store, now }: RunContext, day: string): void {
  const today = isoDayIn(timeZoneOf(store), now());
  if (isIsoDay(day) && day >= today && day <= addDays(today, MAX_PREVIEW_DAYS)) return;
  const message = `A preview exists for today, ${today}, and for the next ${MAX_PREVIEW_DAYS} days, not for "${day}".`;
  throw new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}

function toRange({ above, below, descending, size }: PageRequest<string>) {
  return { after: above, before: below, descending, pageSize: size + 1 };
}

/** Returns the first items, and whether more follow. */
async function collectPage<Item>(
  { size }: Pick<PageRequest<string>, 'size'>,
  items: AsyncGenerator<Item>,
): Promise<{ readonly items: Item[]; readonly isMore: boolean }> {
  const pageItems: Item[] = [];
  for await (const item of items) {
    if (pageItems.length === size) return { items: pageItems, isMore: true };
    pageItems.push(item);
  }
  return { items: pageItems, isMore: false };
}
