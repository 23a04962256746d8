/**
 * A list of billing cycles that starts at the next order, or at an earlier one that is not paid yet. The current cycle can be
 * charged before it ends, so it is read with the list. If it is billed, the request is sent again from the cycle after it.
 */
import { type FieldNode, Kind } from 'graphql';
import { type OverdueCycles, writeOverdueCycles } from '../compile/selection/overdue-cycles.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import { declareVariable } from '../compile/selection/upstream-writer.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RootCompileContext } from '../plan/root-handler.ts';
import type { RunContext } from '../plan/run-context.ts';
import { findOverdueStart } from '../run/find-overdue-start.ts';
import { HORIZON_DAYS } from '../run/send-upstream.ts';

const DATE_RANGE_ARGUMENT = 'billingCyclesDateRangeSelector';
const INDEX_RANGE_ARGUMENT = 'billingCyclesIndexRangeSelector';
const DAY_MS = 86_400_000;

export type UpcomingCyclesList = {
  /** The list's arguments, and the root that reads the first cycle. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
  /** The values of the variables when the client's conditions exclude the list. */
  readonly idleVariables: Variables;
  /** The variables: the range, a date within the first cycle, and whether that cycle is read. */
  readonly variableNames: Readonly<Record<'range' | 'from' | 'isRead', string>>;
  /** The response keys of the first cycle, and of the cycles before it. */
  readonly firstCycleAlias: string;
  readonly overdueAlias: string;
  /** The client's variables that may contain a range of dates, by argument. */
  readonly variableByRangeArgument: ReadonlyMap<string, string>;
};

/**
 * Writes a list that starts at the next order.
 * @returns undefined when the document itself gives a range
 */
export function writeUpcomingCycles(
  { writer, index }: RootCompileContext,
  field: FieldNode,
  contractId: string,
): UpcomingCyclesList | undefined {
  const isRangeArgument = (name: string) => name === DATE_RANGE_ARGUMENT || name === INDEX_RANGE_ARGUMENT;
  const selectorArguments = (field.arguments ?? []).filter(
    ({ name, value }) => isRangeArgument(name.value) && value.kind !== Kind.NULL,
  );
  const selectorEntries = selectorArguments.flatMap(({ name, value }) =>
    value.kind === Kind.VARIABLE ? [[name.value, value.name.value] as const] : [],
  );
  if (selectorEntries.length < selectorArguments.length) return undefined;
  const variableNames = {
    range: `${SERVICE_ALIAS}Range${index}`,
    from: `${SERVICE_ALIAS}From${index}`,
    isRead: `${SERVICE_ALIAS}ReadsFirst${index}`,
  };
  const firstCycleAlias = `${SERVICE_ALIAS}First${index}`;
  const rangeVariable = declareVariable(
    writer,
    variableNames.range,
    'SubscriptionBillingCyclesDateRangeSelector',
  );
  const fromVariable = declareVariable(writer, variableNames.from, 'DateTime!');
  const isReadVariable = declareVariable(writer, variableNames.isRead, 'Boolean!');
  const overdueAlias = `${SERVICE_ALIAS}Overdue${index}`;
  const include = ` @include(if: ${isReadVariable})`;
  const cycleInput = `{ contractId: ${contractId}, selector: { date: ${fromVariable} } }`;
  return {
    overrides: { [DATE_RANGE_ARGUMENT]: rangeVariable },
    texts: [
      `${firstCycleAlias}: subscriptionBillingCycle(billingCycleInput: ${cycleInput})${include} { status cycleEndAt }`,
      writeOverdueCycles(writer, { alias: overdueAlias, contractId, include }),
    ],
    idleVariables: { [variableNames.from]: new Date(0).toISOString(), [variableNames.isRead]: false },
    variableNames,
    ...{ firstCycleAlias, overdueAlias },
    variableByRangeArgument: new Map(selectorEntries),
  };
}

/**
 * Returns the values of the list's variables: the client's range, else the coming year. `nowMs`: undefined when the list
 * is not sent.
 */
export function buildUpcomingCyclesVariables(
  { variableNames, variableByRangeArgument, idleVariables }: UpcomingCyclesList,
  variables: Variables,
  nowMs: number | undefined,
): Variables {
  const variableOf = (argument: string) =>
    variables[variableByRangeArgument.get(argument) ?? ''] ?? undefined;
  const [dateRange, indexRange] = [variableOf(DATE_RANGE_ARGUMENT), variableOf(INDEX_RANGE_ARGUMENT)];
  if (dateRange !== undefined) return { ...idleVariables, [variableNames.range]: dateRange };
  if (nowMs === undefined || indexRange !== undefined) return idleVariables;
  const [from, to] = [nowMs, nowMs + HORIZON_DAYS * DAY_MS].map((ms) => new Date(ms).toISOString());
  return {
    [variableNames.isRead]: true,
    [variableNames.from]: from,
    [variableNames.range]: { startDate: from, endDate: to },
  };
}

type FirstResponse = { readonly data: Variables; readonly internalVariables: Variables };

/**
 * Moves the start of the list to an earlier order that is not paid yet; else behind the first cycle, if that is billed.
 * @returns undefined when the list is correct
 */
export async function moveListStart(
  context: RunContext,
  list: UpcomingCyclesList,
  { data, internalVariables }: FirstResponse,
): Promise<Variables | undefined> {
  const { variableNames, overdueAlias } = list;
  const dateRange = internalVariables[variableNames.range] as { readonly startDate: string } | undefined;
  if (!internalVariables[variableNames.isRead] || dateRange === undefined) return undefined;
  const overdueCycles = data[overdueAlias] as OverdueCycles | null | undefined;
  const startDate = await findOverdueStart(context, overdueCycles);
  if (startDate === undefined) return moveStartBehindBilledCycle(list, data, internalVariables);
  if (startDate === dateRange.startDate) return undefined;
  return { [variableNames.range]: { ...dateRange, startDate } };
}

/** Returns undefined when the first cycle is not billed. */
function moveStartBehindBilledCycle(
  { variableNames, firstCycleAlias }: UpcomingCyclesList,
  data: Variables,
  internalVariables: Variables,
): Variables | undefined {
  const cycle = data[firstCycleAlias] as
    | { readonly status: string; readonly cycleEndAt: string }
    | null
    | undefined;
  const dateRange = internalVariables[variableNames.range] as { readonly endDate: string } | undefined;
  if (cycle?.status !== 'BILLED' || dateRange === undefined) return undefined;
  const fromMs = Date.parse(cycle.cycleEndAt) + 1000;
  // Without this check, a cycle that ends before the current start would be read again and again.
  const isStartWithinRange =
    fromMs > Date.parse(String(internalVariables[variableNames.from])) &&
    fromMs < Date.parse(dateRange.endDate);
  if (!isStartWithinRange) return undefined;
  const from = new Date(fromMs).toISOString();
  return { [variableNames.from]: from, [variableNames.range]: { ...dateRange, startDate: from } };
}
