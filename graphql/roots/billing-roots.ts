/**
 * The roots of billing. All come from the table; only `billingSettings { obstacles }` sends a request to the platform, which
 * reads the granted access.
 */
import { createBillingPreviews, previewEntryKey } from '../../lib/billing/preview/previews.ts';
import type { BillingCharge } from '../../lib/billing/records/charge-record.ts';
import { type BillingReminder, reminderSortKey } from '../../lib/billing/records/reminders.ts';
import { lineSortKey } from '../../lib/billing/records/runs.ts';
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
  createToVisibleStatus,
  findChargeValue,
  findRunValue,
  formatTime,
  parseRunGid,
  toChargeValue,
  toRunValue,
} from './billing/billing-values.ts';
import { readObstacles, toSettingsValue } from './billing/settings-value.ts';
import { createServiceValueRoot, type SelectedValue } from './service-value-root.ts';
import { buildConnection, type PageRequest, parseTextPageRequest } from './webhooks/read-page.ts';

type Arguments = Readonly<Record<string, unknown>>;

const MAX_PAGE_SIZE = 100;
/** The most reminders that one page reads: void ones are not in it. */
const MAX_READ_REMINDERS = 500;
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
  const [run, date] = [await findRunValue(context, id), parseRunGid(id)];
  if (run === undefined || date === undefined) return undefined;
  const pages = await readFieldsWithArguments(selected, 'charges', (args) =>
    readChargesOfRun(context, date, args),
  );
  return { ...run, ...pages };
});

export const billingRunsRoot = createServiceValueRoot('BillingRunConnection', async (context, args) => {
  const pageRequest = parseTextPageRequest(args, MAX_PAGE_SIZE, DAY_CURSOR_PATTERN);
  const runsPage = await collectPage(
    pageRequest,
    createBillingDeps(context).runs.list(context.store.shopId, toRange(pageRequest)),
  );
  const toVisibleStatus = await createToVisibleStatus(context);
  const read = runsPage.items.map((run) => ({
    position: run.date,
    node: toRunValue(context, run, toVisibleStatus),
  }));
  return buildConnection(pageRequest, { read, isMore: runsPage.isMore });
});

export const billingChargeRoot = createServiceValueRoot('BillingCharge', async (context, args) => {
  const ref = parseContractRef(context.store.shopId, String(args.contractId));
  return ref && findChargeValue(context, { ...ref, cycleIndex: Number(args.cycleIndex) });
});

export const billingChargesRoot = createServiceValueRoot('BillingChargeConnection', async (context, args) => {
  const pageRequest = parseTextPageRequest(args, MAX_PAGE_SIZE, REMINDER_CURSOR_PATTERN);
  const { items, isMore, endPosition } = await readChargesInDunning(context, pageRequest);
  const read = items.map(({ reminder, charge }) => ({
    position: reminderSortKey(reminder),
    node: toChargeValue(context, charge),
  }));
  return buildConnection(pageRequest, { read, isMore, endPosition });
});

export const billingPreviewRoot = createServiceValueRoot(
  'BillingPreview',
  async (context, { date }, selected) => {
    const day = String(date);
    checkPreviewDay(context, day);
    const billingPreviews = createBillingPreviews(context);
    const billingPreview = await billingPreviews.find(context.store.shopId, day);
    if (billingPreview === undefined) return undefined;
    const { preparedAtMs, orderCount, totals } = billingPreview;
    const pages = await readFieldsWithArguments(selected, 'entries', (args) =>
      readPreviewEntries(context, day, args),
    );
    return { date: day, preparedAt: formatTime(preparedAtMs), orderCount, totals, ...pages };
  },
);

/** Reads the pages of a field with arguments, each under the name that the response gives it. */
async function readFieldsWithArguments(
  selected: SelectedValue,
  name: string,
  read: (args: Arguments) => Promise<object>,
): Promise<Arguments> {
  const pages: [string, object][] = [];
  for (const field of listSelectedFields(selected, name))
    pages.push([serviceValueKey(field), await read(field.args?.(selected.variables) ?? {})]);
  return Object.fromEntries(pages);
}

function listSelectedFields(
  { selection }: { readonly selection: ServiceSelection },
  name: string,
): SelectedServiceField[] {
  return selection.fields.filter((field) => field.name === name);
}

/** Reads a page of a run's lines, with the charges of their orders as they are now. */
async function readChargesOfRun(context: RunContext, date: string, args: Arguments): Promise<object> {
  const pageRequest = parseTextPageRequest(args as PageArguments, MAX_PAGE_SIZE, ORDER_CURSOR_PATTERN);
  const { runs, charges } = createBillingDeps(context);
  const linePage = await collectPage(
    pageRequest,
    runs.listLines(context.store.shopId, date, toRange(pageRequest)),
  );
  const chargesOfLines = await charges.findMany(linePage.items);
  const lastLine = linePage.items.at(-1);
  const read = linePage.items.flatMap((line, index) => {
    const charge = chargesOfLines[index];
    const isSelected = charge !== undefined && (args.state ?? charge.state) === charge.state;
    return isSelected ? [{ position: lineSortKey(line), node: toChargeValue(context, charge) }] : [];
  });
  return buildConnection(pageRequest, {
    read,
    isMore: linePage.isMore,
    endPosition: lastLine && lineSortKey(lastLine),
  });
}

type ReminderWithCharge = { readonly reminder: BillingReminder; readonly charge: BillingCharge };

/** Reads charges by their reminders. A reminder of another time than the charge's is void. */
async function readChargesInDunning(context: RunContext, page: PageRequest<string>) {
  const { reminders, charges } = createBillingDeps(context);
  const { shopId } = context.store;
  const currentReminders: ReminderWithCharge[] = [];
  let nextPage = page;
  for (let readCount = 0; readCount < MAX_READ_REMINDERS; ) {
    const reminderPage = await collectPage(
      { ...nextPage, size: MAX_PAGE_SIZE },
      reminders.list(shopId, toRange(nextPage)),
    );
    const chargesOfReminders = await charges.findMany(reminderPage.items);
    for (const [index, reminder] of reminderPage.items.entries()) {
      const charge = chargesOfReminders[index];
      if (charge === undefined || !isCurrentDunningReminder(charge, reminder)) continue;
      if (currentReminders.length === page.size)
        return { items: currentReminders, isMore: true, endPosition: undefined };
      currentReminders.push({ reminder, charge });
    }
    const last = reminderPage.items.at(-1);
    if (!reminderPage.isMore || last === undefined)
      return { items: currentReminders, isMore: false, endPosition: undefined };
    readCount += reminderPage.items.length;
    const position = reminderSortKey(last);
    nextPage = { ...nextPage, ...(page.descending ? { below: position } : { above: position }) };
  }
  return {
    items: currentReminders,
    isMore: true,
    endPosition: page.descending ? nextPage.below : nextPage.above,
  };
}

/**
 * Whether the order is in dunning, and the reminder is the one at which something is done about it next. Earlier reminders
 * can remain in the table.
 */
function isCurrentDunningReminder({ state, remindAtMs }: BillingCharge, { atMs }: BillingReminder): boolean {
  return (state === 'RETRYING' || state === 'ACTION_REQUIRED') && remindAtMs === atMs;
}

async function readPreviewEntries(context: RunContext, date: string, args: Arguments): Promise<object> {
  const pageRequest = parseTextPageRequest(args as PageArguments, MAX_PAGE_SIZE, ORDER_CURSOR_PATTERN);
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
  const readEntries = entriesInRange.slice(0, size).map((entry) => ({
    position: previewEntryKey(entry),
    node: {
      contractId: contractGid(entry.contractNumber, context.identity.namespaces.platform),
      cycleIndex: entry.cycleIndex,
      expectedAt: formatTime(entry.expectedAtMs),
      amount: entry.amount ?? null,
      warnings: entry.warnings,
    },
  }));
  return buildConnection(pageRequest, { read: readEntries, isMore: entriesInRange.length > size });
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
  all: AsyncGenerator<Item>,
): Promise<{ readonly items: Item[]; readonly isMore: boolean }> {
  const pageItems: Item[] = [];
  for await (const item of all) {
    if (pageItems.length === size) return { items: pageItems, isMore: true };
    pageItems.push(item);
  }
  return { items: pageItems, isMore: false };
}
