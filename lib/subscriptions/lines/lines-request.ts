/** Validates a client's request for a contract's lines, before the contract is known. */
import { message } from '../../messages/message.ts';
import { partsOfDocument } from '../../platform/admin-api/query-points.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { SELLING_PLAN_GROUPS_POINTS } from '../selling-plans/selling-plan.ts';

export type LineAddition = {
  readonly productVariantId: string;
  readonly quantity: number;
  readonly sellingPlanId?: string | null;
};
/** Absolute values; an omitted or null field stays. */
export type LineChange = {
  readonly lineId: string;
  readonly quantity?: number | null;
  readonly productVariantId?: string | null;
};
export type LinesRequest = {
  readonly add: readonly LineAddition[];
  readonly update: readonly LineChange[];
  readonly remove: readonly string[];
};

/** A variant with its product and all its plans. */
const VARIANT_POINTS = 2 + SELLING_PLAN_GROUPS_POINTS;
/** The points of the contract itself, mainly its discounts with their lines. */
const CONTRACT_POINTS = 140;
/** One document reads all of them: more would exceed the points of one document. */
export const MAX_VARIANTS = partsOfDocument(VARIANT_POINTS, CONTRACT_POINTS);
/** The points that are calculated for this document. */
export const LINES_POINTS = CONTRACT_POINTS + MAX_VARIANTS * VARIANT_POINTS;
/** Each line is a mutation of ten points in one document. */
export const MAX_LINES = 50;
/** The largest quantity of a line. It prevents that a typing error becomes an order that the customer cannot pay. */
export const MAX_QUANTITY = 10_000;

export const NO_LINES: LinesRequest = { add: [], update: [], remove: [] };

/** Parses the client's arguments; omitted lists are empty. */
export function toLinesRequest(args: Readonly<Record<string, unknown>>): LinesRequest {
  const { add, update, remove } = args as Partial<LinesRequest>;
  return { add: add ?? [], update: update ?? [], remove: remove ?? [] };
}

/** Returns the distinct variants that are added or swapped in. */
export function variantIdsOf({ add, update }: LinesRequest): string[] {
  const ids = [...add, ...update].map(({ productVariantId }) => productVariantId);
  return [...new Set(ids.filter((id) => id != null))];
}

/** Returns QUANTITY_INVALID, or INVALID for an empty request, too many lines or variants, or duplicates. */
export function refuseRequest(request: LinesRequest): OperationError[] {
  const { add, update, remove } = request;
  if (add.length + update.length + remove.length === 0) {
    return [refuse('INVALID', { field: null, message: message('linesNothingAsked') })];
  }
  const lineCount = add.length + update.length + remove.length;
  if (lineCount > MAX_LINES) {
    const fault = { field: null, message: message('linesTooMany', { most: MAX_LINES }) };
    return [refuse('INVALID', fault, { limit: MAX_LINES, actual: lineCount })];
  }
  const variantCount = variantIdsOf(request).length;
  if (variantCount > MAX_VARIANTS) {
    const fault = { field: null, message: message('variantsTooMany', { most: MAX_VARIANTS }) };
    return [refuse('INVALID', fault, { limit: MAX_VARIANTS, actual: variantCount })];
  }
  return [
    ...refuseQuantities('add', add),
    ...refuseQuantities('update', update),
    ...refuseDuplicates(request),
  ];
}

function refuseQuantities(
  name: 'add' | 'update',
  list: readonly { readonly quantity?: number | null; readonly lineId?: string }[],
): OperationError[] {
  return list.flatMap(({ quantity, lineId }, index) => {
    if (quantity == null || (quantity >= 1 && quantity <= MAX_QUANTITY)) return [];
    return [quantityInvalid([name, index, 'quantity'], { lineId, limit: MAX_QUANTITY, actual: quantity })];
  });
}

type Quantity = {
  /** Undefined for a new line. */
  readonly lineId: string | undefined;
  /** The allowed maximum, and the requested quantity. */
  readonly limit: number;
  readonly actual: number;
};

/** Returns QUANTITY_INVALID at the client's argument. */
export function quantityInvalid(
  field: readonly (string | number)[],
  { lineId, ...counts }: Quantity,
  detail: OperationError['message'] = message('quantityRange', { least: 1, most: MAX_QUANTITY }),
): OperationError {
  const lineIds = lineId === undefined ? undefined : [lineId];
  return refuse('QUANTITY_INVALID', { field, message: detail }, { ...counts, lineIds });
}

function refuseDuplicates({ add, update, remove }: LinesRequest): OperationError[] {
  const named = [
    ...update.map(({ lineId }, index) => ({ lineId, path: ['update', index, 'lineId'] })),
    ...remove.map((lineId, index) => ({ lineId, path: ['remove', index] })),
  ];
  const lines = named.filter(({ lineId }, index) => named.findIndex((one) => one.lineId === lineId) < index);
  const variants = add
    .map(({ productVariantId }, index) => ({ productVariantId, path: ['add', index, 'productVariantId'] }))
    .filter(
      ({ productVariantId }, index) =>
        add.findIndex((one) => one.productVariantId === productVariantId) < index,
    );
  return [
    ...lines.map(({ path: field, lineId }) =>
      refuse('INVALID', { field, message: message('lineTwice') }, { lineIds: [lineId] }),
    ),
    ...variants.map(({ path: field }) => refuse('INVALID', { field, message: message('variantTwice') })),
  ];
}
