/**
 * `subscriptionBillingCycles`: `contractId` is required although the schema has it nullable, and without a range the
 * list starts at the next order.
 */
import type { FieldNode } from 'graphql';
import { writePageArguments } from '../compile/selection/page-arguments.ts';
import { findArgumentEntry } from '../compile/selection/type-reference.ts';
import { replaceArgumentByVariable } from '../compile/selection/upstream-writer.ts';
import { buildUnsentRoot, writeRootFields } from '../compile/write-root.ts';
import type { RootCompileContext, RootHandler } from '../plan/root-handler.ts';
import type { InjectedArgument } from '../plan/upstream-document.ts';
import { startWithArguments } from '../run/start-root.ts';
import {
  buildUpcomingCyclesVariables,
  moveListStart,
  type UpcomingCyclesList,
  writeUpcomingCycles,
} from './upcoming-cycles.ts';

const MISSING_CONTRACT_ID_MESSAGE =
  'The argument "contractId" is required: give the id of the contract whose billing cycles you ask for.';

type BillingCyclesCompiled = {
  readonly contract: InjectedArgument;
  /** The range that starts at the next order; undefined when the document itself gives a range. */
  readonly upcoming: UpcomingCyclesList | undefined;
};

/** The root `subscriptionBillingCycles`. */
export const billingCyclesRoot: RootHandler<BillingCyclesCompiled> = {
  hasOwnLists: true,
  compile(context, { key, fields, access }) {
    const { writer, rootType } = context;
    const rootField = fields[0]?.field;
    if (rootField === undefined) throw new Error('The root stands nowhere.');
    const contract = injectContract(context, rootField);
    const contractId = `$${contract.variable}`;
    const upcomingCycles = writeUpcomingCycles(context, rootField, contractId);
    const pageArguments = writePageArguments(writer, rootField, {
      typeName: rootType,
      addsMissingSize: true,
    });
    const argumentOverrides = { ...pageArguments, ...upcomingCycles?.overrides, contractId };
    const { texts, runVariables } = writeRootFields(context, {
      key,
      fields,
      isDecided: true,
      overrides: argumentOverrides,
    });
    return {
      texts: [...texts, ...(upcomingCycles?.texts ?? [])],
      root: {
        ...buildUnsentRoot(context, key, fields),
        access,
        runVariables,
        idleVariables: upcomingCycles?.idleVariables ?? {},
        clientPathByPlatformKey: new Map([[key, [key]]]),
        nullsAll: new Set([key, ...(upcomingCycles ? [upcomingCycles.overdueAlias] : [])]),
        read: (data) => data[key],
        special: { contract, upcoming: upcomingCycles },
      },
    };
  },
  start(context, root, variables) {
    const { contract, upcoming } = root.special;
    const isContractIdGiven = (contract.read(variables) ?? null) !== null;
    const missingIdOutcome = isContractIdGiven
      ? undefined
      : ({ kind: 'invalid', message: MISSING_CONTRACT_ID_MESSAGE } as const);
    const runningRoot = startWithArguments(context, root, { variables, knownOutcome: missingIdOutcome });
    const isSent = runningRoot.outcome === undefined;
    // The variable is declared as non-null, even if no field of the root is sent.
    const unusedIdVariable = {
      [contract.variable]: `gid://${context.identity.namespaces.platform}/Product/1`,
    };
    const rootVariables = {
      ...(!isSent && (runningRoot.values[contract.variable] ?? null) === null && unusedIdVariable),
      ...(upcoming && buildUpcomingCyclesVariables(upcoming, variables, isSent ? context.now() : undefined)),
    };
    return { ...runningRoot, values: { ...runningRoot.values, ...rootVariables } };
  },
  async findChangedVariables(context, { special: { upcoming } }, firstResponse) {
    return upcoming && moveListStart(context, upcoming, firstResponse);
  },
};

/** Replaces the contract's id by an internal variable, with the platform's type of the argument. */
function injectContract({ writer, rootType }: RootCompileContext, field: FieldNode): InjectedArgument {
  const argumentName = 'contractId';
  const argumentEntry = findArgumentEntry(rootType, field.name.value, argumentName);
  if (argumentEntry === undefined) throw new Error(`The root has no ${argumentName}.`);
  const node = field.arguments?.find((one) => one.name.value === argumentName)?.value;
  const text = replaceArgumentByVariable(writer, { node, entry: argumentEntry, as: 'ID!' });
  const injectedArgument = [...writer.scope].find(({ variable }) => `$${variable}` === text);
  if (injectedArgument === undefined) throw new Error(`The root does not use ${text}.`);
  return injectedArgument;
}
