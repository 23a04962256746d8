/**
 * Writes the request of a field of a contract that is a root field at the platform, and so cannot be read with the
 * contract: its billing cycles.
 */
import { OperationTypeNode } from 'graphql';
import type { FurtherRead } from '../../plan/response-shape.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { writeOverdueCycles } from './overdue-cycles.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import type { ServiceFieldNode } from './service-selection.ts';
import { typeOfField, unwrapTypeReference } from './type-reference.ts';
import { createUpstreamWriter, declareVariable, finishUpstreamDocument } from './upstream-writer.ts';
import { wrapInConditions, writeArguments, writeBracedSelection } from './write-selection.ts';

export const CONTRACT_CYCLES_COORDINATE = 'SubscriptionContract.billingCycles';

/** The response keys of the value and of the cycles before it, and the variables of the contract and of the dates. */
export const FURTHER_READ_KEY = `${SERVICE_ALIAS}Read`;
export const FURTHER_READ_OVERDUE_KEY = `${SERVICE_ALIAS}ReadOverdue`;
export const FURTHER_READ_CONTRACT_VARIABLE = `${SERVICE_ALIAS}ReadContract`;
export const FURTHER_READ_DATES_VARIABLE = `${SERVICE_ALIAS}ReadDates`;

const CONTRACT_TYPE = 'SubscriptionContract';

/** Whether the field needs a further request with the client's selection. */
export function hasFurtherRead(coordinate: string): boolean {
  return coordinate === CONTRACT_CYCLES_COORDINATE;
}

/**
 * Writes the request for the client's selections at all places of the field. `rootWriter`: the writer of the root, whose
 * ownership check includes the ids in these selections.
 */
export function writeFurtherRead(
  rootWriter: UpstreamWriter,
  nodes: readonly ServiceFieldNode[],
): Omit<FurtherRead, 'shape'> {
  const { operation } = rootWriter.client;
  const client = { ...rootWriter.client, operation: { ...operation, operation: OperationTypeNode.QUERY } };
  const furtherWriter = {
    ...createUpstreamWriter(client, rootWriter.isActing),
    injected: rootWriter.injected,
  };
  const argumentOverrides = {
    contractId: declareVariable(furtherWriter, FURTHER_READ_CONTRACT_VARIABLE, 'ID!'),
    billingCyclesDateRangeSelector: declareVariable(
      furtherWriter,
      FURTHER_READ_DATES_VARIABLE,
      'SubscriptionBillingCyclesDateRangeSelector!',
    ),
  };
  const fieldTexts = nodes.map(({ field, when }) => {
    const typeName = unwrapTypeReference(typeOfField(CONTRACT_TYPE, field.name.value) ?? '');
    const args = writeArguments(furtherWriter, field, CONTRACT_TYPE, argumentOverrides);
    const selection = writeBracedSelection(furtherWriter, field, { typeName, isFromCustomer: false });
    return wrapInConditions(
      furtherWriter,
      when,
      `${FURTHER_READ_KEY}: subscriptionBillingCycles${args}${selection}`,
    );
  });
  for (const argument of furtherWriter.scope) rootWriter.scope.add(argument);
  const overdueCycles = writeOverdueCycles(furtherWriter, {
    ...{ alias: FURTHER_READ_OVERDUE_KEY, contractId: argumentOverrides.contractId, include: '' },
  });
  return {
    upstream: finishUpstreamDocument(furtherWriter, [...fieldTexts, overdueCycles]),
    injected: [...furtherWriter.scope],
  };
}
