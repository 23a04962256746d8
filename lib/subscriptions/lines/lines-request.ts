/** Validates the client's request to change lines, as far as possible without reading the contract. */
import { message } from '../../messages/message.ts';
import { maxPartsPerDocument } from '../../platform/admin-api/query-points.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { SELLING_PLAN_GROUPS_POINTS } from '../selling-plans/selling-plan.ts';

export type LineAddition = {
  readonly productVariantId: string;
  readonly quantity: number;
  readonly sellingPlanId?: string | null;
};
/** The requested values of a line. The quantity is absolute, not a difference. An omitted or null field stays. */
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

/** The points that it costs to read a variant with its product and all its selling plans. */
const VARIANT_COST_POINTS = 2 + SELLING_PLAN_GROUPS_POINTS;
/** The points that it costs to read the contract, mainly for its discounts with their lines. */
const CONTRACT_COST_POINTS = 140;
/** How many variants a client's request can name. One document reads all of them, and its points are limited. */
export const MAX_VARIANTS_PER_REQUEST = maxPartsPerDocument(VARIANT_COST_POINTS, CONTRACT_COST_POINTS);
/** The points of the document that reads the maximum number of variants. */
export const MAX_LINES_DOCUMENT_POINTS =
  CONTRACT_COST_POINTS + MAX_VARIANTS_PER_REQUEST * VARIANT_COST_POINTS;
/** How many lines a client's request can name. Each line is a mutation of ten points in one document. */
export const MAX_LINES_PER_REQUEST = 50;
/** The maximum quantity of a line. It prevents a typing error from becoming an order that the customer cannot pay. */
export const MAX_LINE_QUANTITY = 10_000;

export const EMPTY_LINES_REQUEST: LinesRequest = { add: [], update: [], remove: [] };

/** Parses the client's arguments. Omitted lists become empty. */
export function toLinesRequest(args: Readonly<Record<string, unknown>>): LinesRequest {
  const { add, update, remove } = args as Partial<LinesRequest>;
  return { add: add ?? [], update: update ?? [], remove: remove ?? [] };
}

/** Returns the distinct variants of added lines and of lines whose variant is replaced. */
export function variantIdsOf({ add, update }: LinesRequest): string[] {
  const ids = [...add, ...update].map(({ productVariantId }) => productVariantId);
  return [...new Set(ids.filter((id) => id != null))];
}

/**
 * Returns the user errors of the request itself: QUANTITY_INVALID, or INVALID for an empty request, too many lines or
 * variants, or duplicates.
 */
export function listLinesRequestErrors(request: LinesRequest): OperationError[] {
  const { add, update, remove } = request;
  if (add.length + update.length + remove.length === 0) {
    return [createUserError('INVALID', { field: null, message: message('linesNothingAsked') })];
  }
  const lineCount = add.length + update.length + remove.length;
  if (lineCount > MAX_LINES_PER_REQUEST) {
    const fault = { field: null, message: message('linesTooMany', { most: MAX_LINES_PER_REQUEST }) };
    return [createUserError('INVALID', fault, { limit: MAX_LINES_PER_REQUEST, actual: lineCount })];
  }
  const variantCount = variantIdsOf(request).length;
  if (variantCount > MAX_VARIANTS_PER_REQUEST) {
    const fault = { field: null, message: message('variantsTooMany', { most: MAX_VARIANTS_PER_REQUEST }) };
    return [createUserError('INVALID', fault, { limit: MAX_VARIANTS_PER_REQUEST, actual: variantCount })];
  }
  return [
    ...listQuantityErrors('add', add),
    ...listQuantityErrors('update', update),
    ...listDuplicateErrors(request),
  ];
}

function listQuantityErrors(
  argumentName: 'add' | 'update',
  entries: readonly { readonly quantity?: number | null; readonly lineId?: string }[],
): OperationError[] {
  return entries.flatMap(({ quantity, lineId }, index) => {
    if (quantity == null || (quantity >= 1 && quantity <= MAX_LINE_QUANTITY)) return [];
    return [
      quantityInvalidError([argumentName, index, 'quantity'], {
        lineId,
        limit: MAX_LINE_QUANTITY,
        actual: quantity,
      }),
    ];
  });
}

type InvalidQuantity = {
  /** The line's id. Undefined for a new line. */
  readonly lineId: string | undefined;
  /** The maximum quantity (`limit`), and the requested quantity (`actual`). */
  readonly limit: number;
  readonly actual: number;
};

/** Returns QUANTITY_INVALID for the client's argument at `field`. */
export function quantityInvalidError(
  field: readonly (string | number)[],
  { lineId, ...counts }: InvalidQuantity,
  errorMessage: OperationError['message'] = message('quantityRange', { least: 1, most: MAX_LINE_QUANTITY }),
): OperationError {
  const lineIds = lineId === undefined ? undefined : [lineId];
  return createUserError('QUANTITY_INVALID', { field, message: errorMessage }, { ...counts, lineIds });
}

function listDuplicateErrors({ add, update, remove }: LinesRequest): OperationError[] {
  const namedIds = [
    ...update.map(({ lineId }, index) => ({ lineId, path: ['update', index, 'lineId'] })),
    ...remove.map((lineId, index) => ({ lineId, path: ['remove', index] })),
  ];
  const repeatedLines = namedIds.filter(
    ({ lineId }, index) => namedIds.findIndex((one) => one.lineId === lineId) < index,
  );
  const repeatedVariants = add
    .map(({ productVariantId }, index) => ({ productVariantId, path: ['add', index, 'productVariantId'] }))
    .filter(
      ({ productVariantId }, index) =>
        add.findIndex((one) => one.productVariantId === productVariantId) < index,
    );
  return [
    ...repeatedLines.map(({ path: field, lineId }) =>
      createUserError('INVALID', { field, message: message('lineTwice') }, { lineIds: [lineId] }),
    ),
    ...repeatedVariants.map(({ path: field }) =>
      createUserError('INVALID', { field, message: message('variantTwice') }),
    ),
  ];
}
