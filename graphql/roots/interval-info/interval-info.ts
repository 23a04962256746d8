/**
 * `subscriptionIntervalInfo`: a contract, and the plan groups that the products of its lines offer. Lines have only
 * the ids of their products, so the groups need a second request.
 */

import {
  flattenSelection,
  groupByResponseKey,
  responseKeyOf,
} from '../../compile/selection/flatten-selection.ts';
import { createFieldArgumentsReader } from '../../compile/selection/read-arguments.ts';
import { SERVICE_ALIAS } from '../../compile/selection/service-alias.ts';
import {
  createUpstreamWriter,
  declareVariable,
  finishUpstreamDocument,
} from '../../compile/selection/upstream-writer.ts';
import {
  wrapInConditions,
  writeBracedSelection,
  writeSelection,
} from '../../compile/selection/write-selection.ts';
import type { FlattenedField } from '../../plan/client-document.ts';
import type { RootCompileContext, RootHandler } from '../../plan/root-handler.ts';
import type { RootValue } from '../../plan/root-response.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { buildPlatformValueResponse } from '../../response/build-response.ts';
import {
  type ContractRootPlacement,
  flattenRootFields,
  injectContractId,
  listResponseKeys,
  writeContractRoot,
} from '../contract-root.ts';
import { followSequentially } from '../follow-sequentially.ts';
import {
  followIntervalInfo,
  INTERVAL_PRODUCT_STATUS_KEY,
  type IntervalInfoRoot,
  type PlanGroupsField,
} from './follow-interval-info.ts';
import { readConnectionFields } from './merged-connection.ts';

const PAYLOAD_TYPE = 'SubscriptionIntervalInfoPayload';
/** Customers see only the groups of products that are for sale. */
const STATUS_SELECTION = `${INTERVAL_PRODUCT_STATUS_KEY}: status`;
/** The page size of a contract's lines: more than any contract has. */
const LINES_PAGE_SIZE = 250;

export const intervalInfoRoot: RootHandler<IntervalInfoRoot, RootValue> = {
  sendsFollowUp: true,
  compile(context, fieldsAtKey) {
    const rootAlias = `${SERVICE_ALIAS}Interval${context.index}`;
    const writePlacement = (placement: ContractRootPlacement, contracts: Map<string, string>) =>
      writeFirstRequest(context.writer, placement, contracts);
    const {
      texts,
      parts: contracts,
      root,
    } = writeContractRoot(context, fieldsAtKey, { alias: rootAlias, write: writePlacement });
    const { key, fields } = fieldsAtKey;
    const groupFields = selectGroupFields(context, fields);
    const typenames = listResponseKeys(context, fields, '__typename');
    const upstream = writeGroupsDocument(context.writer, groupFields);
    return {
      texts,
      root: {
        ...root,
        special: {
          key,
          alias: rootAlias,
          clientKeyByContractAlias: contracts,
          typenameKeys: typenames,
          groupFields,
          upstream,
        },
      },
    };
  },
  follow: followSequentially(followIntervalInfo),
  respond: buildPlatformValueResponse,
};

/**
 * Writes the roots of the first request. Adds each root that reads a contract separately to `contracts`, with the
 * client's response key.
 */
function writeFirstRequest(
  writer: UpstreamWriter,
  { field, include, alias }: ContractRootPlacement,
  contracts: Map<string, string>,
): string[] {
  const id = injectContractId(writer, field);
  const selectionSet = field.selectionSet;
  const subfields = selectionSet === undefined ? [] : flattenSelection(writer.client, selectionSet);
  const typenameFields = subfields
    .filter(({ field: { name } }) => name.value === '__typename')
    .map((one) => wrapInConditions(writer, one.when, `${responseKeyOf(one.field)}: __typename`));
  const linesField = `${SERVICE_ALIAS}Lines: lines(first: ${LINES_PAGE_SIZE}) { nodes { productId } }`;
  const rootFields = subfields
    .filter(({ field: { name } }) => name.value === 'contract')
    .map((one) => {
      const contractAlias = `${alias}_${responseKeyOf(one.field)}`;
      contracts.set(contractAlias, responseKeyOf(one.field));
      const selectionContext = { typeName: 'SubscriptionContract', isFromCustomer: false };
      const selection = writeBracedSelection(writer, one.field, selectionContext);
      return wrapInConditions(
        writer,
        one.when,
        `${contractAlias}: subscriptionContract(id: ${id})${include}${selection}`,
      );
    });
  const firstRoot = `${alias}: subscriptionContract(id: ${id})${include} { ${[linesField, ...typenameFields].join(' ')} }`;
  return [firstRoot, ...rootFields];
}

/** Returns the fields that select groups, by response key. */
function selectGroupFields(
  context: RootCompileContext,
  fields: readonly FlattenedField[],
): readonly PlanGroupsField[] {
  const groupFields = flattenRootFields(context, fields).filter(
    ({ field }) => field.name.value === 'sellingPlanGroups',
  );
  return [...groupByResponseKey(groupFields)].flatMap(([key, occurrences]) => {
    const [firstOccurrence] = occurrences;
    if (firstOccurrence === undefined) return [];
    const args = createFieldArgumentsReader(PAYLOAD_TYPE, firstOccurrence.field);
    return [{ key, occurrences, args, fields: readConnectionFields(context.writer.client, occurrences) }];
  });
}

/** Writes the second request: the groups of each product in the client's selection. */
function writeGroupsDocument(writer: UpstreamWriter, groups: readonly PlanGroupsField[]) {
  const secondWriter = { ...createUpstreamWriter(writer.client, writer.isActing), injected: writer.injected };
  const idsVariable = declareVariable(secondWriter, `${SERVICE_ALIAS}Products`, '[ID!]!');
  const groupCountVariable = declareVariable(secondWriter, `${SERVICE_ALIAS}Groups`, 'Int!');
  const selectionContext = { typeName: 'SellingPlanGroupConnection', isFromCustomer: false };
  const groupTexts = groups.flatMap(({ key, occurrences }) =>
    occurrences.map(({ field, when }) => {
      const groupSelection =
        field.selectionSet && writeSelection(secondWriter, field.selectionSet, selectionContext);
      const serviceFields = `${SERVICE_ALIAS}Ids: nodes { id } ${SERVICE_ALIAS}Page: pageInfo { hasNextPage }`;
      return wrapInConditions(
        secondWriter,
        when,
        `${key}: sellingPlanGroups(first: ${groupCountVariable}) { ${serviceFields} ${groupSelection} }`,
      );
    }),
  );
  // The internal arguments of the second document are computed together with the root's own.
  for (const argument of secondWriter.scope) writer.scope.add(argument);
  const root = `${SERVICE_ALIAS}Products: nodes(ids: ${idsVariable}) { ... on Product { ${writer.isActing ? STATUS_SELECTION : ''} ${groupTexts.join(' ')} } }`;
  return groupTexts.length === 0 ? undefined : finishUpstreamDocument(secondWriter, [root]);
}
