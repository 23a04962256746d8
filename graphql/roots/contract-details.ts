/**
 * `subscriptionContractDetails`: one contract with its lines, delivery and cycles in one platform request, built from
 * three of the platform's roots.
 */
import type { FieldNode } from 'graphql';
import { flattenSelection, responseKeyOf } from '../compile/selection/flatten-selection.ts';
import { NOW_VARIABLE, type OverdueCycles, writeOverdueCycles } from '../compile/selection/overdue-cycles.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import { typeOfField, unwrapTypeReference } from '../compile/selection/type-reference.ts';
import { declareVariable } from '../compile/selection/upstream-writer.ts';
import {
  wrapInConditions,
  writeArguments,
  writeBracedSelection,
  writePlatformParts,
} from '../compile/selection/write-selection.ts';
import { buildNextCyclesRootField, FIRST_PAGE_CYCLES, NEXT_CYCLES_KEY } from '../fields/next-cycles-root.ts';
import { readPauses } from '../fields/read-pauses.ts';
import type { FlattenedField } from '../plan/client-document.ts';
import type { RootCompileContext, RootHandler } from '../plan/root-handler.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';
import { findOverdueStart } from '../run/find-overdue-start.ts';
import {
  CHARGED_FROM_VARIABLE_PREFIX,
  HORIZON_DAYS,
  HORIZON_VARIABLE,
  LIST_FROM_VARIABLE_PREFIX,
} from '../run/send-upstream.ts';
import {
  type ContractRootPlacement,
  injectContractId,
  listResponseKeys,
  writeContractRoot,
} from './contract-root.ts';

const DETAILS_TYPE = 'SubscriptionContractDetails';
/** The suffix of the root's alias. No response key of a client starts like this. */
const NEXT_CYCLES_SUFFIX = `_${SERVICE_ALIAS}Next`;
const OVERDUE_CYCLES_SUFFIX = `_${SERVICE_ALIAS}Overdue`;
const DAY_MS = 86_400_000;

/** The variables of a root that reads the next order; undefined when its document does not select it. */
type NextOrderVariables = { readonly contractId: string; readonly from: string } | undefined;
/** `listFrom`: the variable of the date from which the billing cycles are read. */
type DetailsCompiled = {
  readonly nextOrder: NextOrderVariables;
  readonly alias: string;
  readonly listFrom: string;
};

export const contractDetailsRoot: RootHandler<DetailsCompiled> = {
  hasOwnLists: true,
  compile(context, fieldsAtKey) {
    const rootAlias = `${SERVICE_ALIAS}Details${context.index}`;
    let nextOrderVariables: NextOrderVariables;
    const writePlacement = (placement: ContractRootPlacement, parts: Map<string, string>) => {
      const detailParts = writeDetailParts(context, placement, parts);
      nextOrderVariables ??= detailParts.nextOrder;
      return detailParts.texts;
    };
    const { texts, parts, root } = writeContractRoot(context, fieldsAtKey, {
      alias: rootAlias,
      write: writePlacement,
    });
    const responseKeysOf = (name: string) => listResponseKeys(context, fieldsAtKey.fields, name);
    const detailsAssembly = {
      alias: rootAlias,
      parts,
      typenameKeys: responseKeysOf('__typename'),
      contractKeys: responseKeysOf('contract'),
    };
    return {
      texts,
      root: {
        ...root,
        clientPathByPlatformKey: new Map([
          ...root.clientPathByPlatformKey,
          ...[NEXT_CYCLES_SUFFIX, OVERDUE_CYCLES_SUFFIX].map(
            (suffix) => [`${rootAlias}${suffix}`, [fieldsAtKey.key]] as const,
          ),
        ]),
        nullsAll: new Set([
          ...responseKeysOf('billingCycles').map((cycles) => `${rootAlias}_${cycles}`),
          ...[NEXT_CYCLES_SUFFIX, OVERDUE_CYCLES_SUFFIX].map((suffix) => `${rootAlias}${suffix}`),
        ]),
        read: (data) => assembleDetails(data, detailsAssembly),
        special: {
          ...{ nextOrder: nextOrderVariables, alias: rootAlias },
          listFrom: `${LIST_FROM_VARIABLE_PREFIX}${context.index}`,
        },
      },
    };
  },
  /** A paused contract's next order is the first after the pause, so its cycles are read from there on. */
  async prepare(context, roots) {
    const cycleReads = roots.flatMap(({ root, values }) => {
      const { nextOrder } = root.special;
      return nextOrder === undefined ? [] : [{ ...nextOrder, id: String(values[nextOrder.contractId]) }];
    });
    const pauseByContract = await readPauses(
      context,
      cycleReads.map(({ id }) => id),
    );
    const nowMs = context.now();
    const variableEntries = cycleReads.flatMap(({ id, from }) => {
      const pauseEndMs = pauseByContract.get(id)?.resumesAtMs ?? nowMs;
      const isEndWithinHorizon = nowMs < pauseEndMs && pauseEndMs < nowMs + HORIZON_DAYS * DAY_MS;
      return isEndWithinHorizon ? [[from, new Date(pauseEndMs).toISOString()] as const] : [];
    });
    return Object.fromEntries(variableEntries);
  },
  /** An earlier order that is not paid yet is the first of the list. */
  async findChangedVariables(context, { special: { alias, listFrom } }, { data, internalVariables }) {
    const overdueCycles = data[`${alias}${OVERDUE_CYCLES_SUFFIX}`] as OverdueCycles | null | undefined;
    const startDate = await findOverdueStart(context, overdueCycles);
    const isStartUnchanged = startDate === undefined || startDate === internalVariables[listFrom];
    return isStartUnchanged ? undefined : { [listFrom]: startDate };
  },
};

type WrittenDetailParts = { readonly texts: string[]; readonly nextOrder: NextOrderVariables };

/** Writes the upstream roots of one place. `parts` gets each separate root, with the client's response key. */
function writeDetailParts(
  { writer, index }: RootCompileContext,
  { field, include, alias }: ContractRootPlacement,
  parts: Map<string, string>,
): WrittenDetailParts {
  const id = injectContractId(writer, field);
  const serviceFields: string[] = [`${SERVICE_ALIAS}Contract: id`, `${SERVICE_ALIAS}Status: status`];
  const rootFields: string[] = [];
  const fromVariable = `${CHARGED_FROM_VARIABLE_PREFIX}${index}`;
  let readsNextOrder = false;
  const selectionSet = field.selectionSet;
  for (const detailField of selectionSet === undefined ? [] : flattenSelection(writer.client, selectionSet)) {
    const fieldName = detailField.field.name.value;
    const key = responseKeyOf(detailField.field);
    if (fieldName === '__typename')
      serviceFields.push(wrapInConditions(writer, detailField.when, `${key}: __typename`));
    if (fieldName === 'contract') {
      const cycleTexts = writeNextCycles(writer, detailField, { id, alias, include, from: fromVariable });
      rootFields.push(...cycleTexts);
      readsNextOrder ||= cycleTexts.length > 0;
    }
    if (fieldName === 'currentPause')
      serviceFields.push(
        wrapInConditions(writer, detailField.when, writePauseFields(writer, detailField.field)),
      );
    const detailPart = {
      id,
      alias: `${alias}_${key}`,
      include,
      listFrom: `${LIST_FROM_VARIABLE_PREFIX}${index}`,
    };
    const partText = writeDetailPart(writer, detailField.field, detailPart);
    if (fieldName === 'billingCycles') {
      const overdueCycles = { alias: `${alias}${OVERDUE_CYCLES_SUFFIX}`, contractId: id, include };
      rootFields.push(wrapInConditions(writer, detailField.when, writeOverdueCycles(writer, overdueCycles)));
    }
    if (partText !== undefined) {
      parts.set(`${alias}_${key}`, key);
      rootFields.push(wrapInConditions(writer, detailField.when, partText));
    } else if (canReadOnContract(fieldName)) {
      serviceFields.push(
        wrapInConditions(writer, detailField.when, writeFieldOnContract(writer, detailField.field)),
      );
    }
  }
  return {
    texts: [
      `${alias}: subscriptionContract(id: ${id})${include} { ${serviceFields.join(' ')} }`,
      ...rootFields,
    ],
    nextOrder: readsNextOrder ? { contractId: id.slice(1), from: fromVariable } : undefined,
  };
}

/** Writes the fields of the contract that its pause needs. At least one field is always selected. */
function writePauseFields(writer: UpstreamWriter, field: FieldNode): string {
  const pause = { coordinate: 'SubscriptionContract.currentPause', type: 'SubscriptionPauseInfo' };
  return `${SERVICE_ALIAS}Contract: id${writePlatformParts(writer, field, pause)}`;
}

type DetailPartContext = Readonly<Record<'id' | 'alias' | 'include' | 'listFrom', string>>;

/**
 * Writes a field that is a root at the platform.
 * @returns undefined for a field of the contract itself
 */
function writeDetailPart(
  writer: UpstreamWriter,
  field: FieldNode,
  part: DetailPartContext,
): string | undefined {
  const { id, alias, include, listFrom } = part;
  const typeName = unwrapTypeReference(typeOfField(DETAILS_TYPE, field.name.value) ?? '');
  const writeFieldSelection = () => writeBracedSelection(writer, field, { typeName, isFromCustomer: false });
  switch (field.name.value) {
    case 'contract':
      return `${alias}: subscriptionContract(id: ${id})${include}${writeFieldSelection()}`;
    case 'billingCycles': {
      const [fromVariable, horizonVariable] = [listFrom, HORIZON_VARIABLE].map((name) =>
        declareVariable(writer, name, 'DateTime!'),
      );
      const args = writeArguments(writer, field, DETAILS_TYPE, {
        contractId: id,
        billingCyclesDateRangeSelector: `{ startDate: ${fromVariable}, endDate: ${horizonVariable} }`,
      });
      return `${alias}: subscriptionBillingCycles${args}${include}${writeFieldSelection()}`;
    }
    case 'currentBillingCycle': {
      const nowVariable = declareVariable(writer, NOW_VARIABLE, 'DateTime!');
      const cycleInput = `{ contractId: ${id}, selector: { date: ${nowVariable} } }`;
      return `${alias}: subscriptionBillingCycle(billingCycleInput: ${cycleInput})${include}${writeFieldSelection()}`;
    }
    default:
      return undefined;
  }
}

/** Writes the next cycles together with the contract whose next order is selected, which saves another request. */
function writeNextCycles(
  writer: UpstreamWriter,
  contract: FlattenedField,
  part: Omit<DetailPartContext, 'listFrom'> & { readonly from: string },
): string[] {
  const selectionSet = contract.field.selectionSet;
  const subfields =
    selectionSet === undefined ? [] : flattenSelection(writer.client, selectionSet, contract.when);
  const nextOrderFields = subfields.filter(({ field }) => field.name.value === 'nextOrder');
  return nextOrderFields.map(({ when }) => {
    const dateRange = {
      from: declareVariable(writer, part.from, 'DateTime!'),
      to: declareVariable(writer, HORIZON_VARIABLE, 'DateTime!'),
    };
    const cycles = buildNextCyclesRootField(dateRange, `first: ${FIRST_PAGE_CYCLES}`);
    const root = `${part.alias}${NEXT_CYCLES_SUFFIX}: subscriptionBillingCycles(contractId: ${part.id}, ${cycles.args})`;
    return wrapInConditions(writer, when, `${root}${part.include} ${cycles.selection}`);
  });
}

function canReadOnContract(name: string): boolean {
  return (
    name !== '__typename' &&
    typeOfField('SubscriptionContract', name) === typeOfField(DETAILS_TYPE, name) &&
    !['currentPause', 'portalUrl'].includes(name)
  );
}

function writeFieldOnContract(writer: UpstreamWriter, field: FieldNode): string {
  const typeName = unwrapTypeReference(typeOfField(DETAILS_TYPE, field.name.value) ?? '');
  const args = writeArguments(writer, field, DETAILS_TYPE);
  const selection = writeBracedSelection(writer, field, { typeName, isFromCustomer: false });
  return `${responseKeyOf(field)}: ${field.name.value}${args}${selection}`;
}

/** The keys of the platform's response from which the root's value is assembled. */
type DetailsAssembly = {
  readonly alias: string;
  /** The client's response keys of the fields that have separate roots, by the aliases of these roots. */
  readonly parts: ReadonlyMap<string, string>;
  /** The client's response keys of `__typename` and of `contract`. */
  readonly typenameKeys: readonly string[];
  readonly contractKeys: readonly string[];
};

function assembleDetails(data: Readonly<Record<string, unknown>>, assembly: DetailsAssembly): unknown {
  const { alias, parts, typenameKeys, contractKeys } = assembly;
  const contract = data[alias] as Record<string, unknown> | null | undefined;
  if (contract === null || contract === undefined) return contract;
  const detailsValue: Record<string, unknown> = { ...contract };
  for (const [part, key] of parts) if (Object.hasOwn(data, part)) detailsValue[key] = data[part];
  for (const key of typenameKeys) if (Object.hasOwn(detailsValue, key)) detailsValue[key] = DETAILS_TYPE;
  const cycles = data[`${alias}${NEXT_CYCLES_SUFFIX}`];
  for (const key of cycles ? contractKeys : []) {
    const contractValue = detailsValue[key] as Record<string, unknown> | null | undefined;
    // Add the internal key only to an object that the walk copies, because the walk removes internal keys only there.
    if (contractValue && Object.hasOwn(contractValue, '_svcNextLines'))
      detailsValue[key] = { ...contractValue, [NEXT_CYCLES_KEY]: cycles };
  }
  return detailsValue;
}
