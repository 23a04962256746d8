/**
 * Turns a document into a function: without the variables that the client sets, and with the unwrapped value. A change
 * with `userErrors` throws, so that a rejected change cannot pass for a successful one.
 */
import type { ChangeCodes, ChangeName } from '../errors/change-codes.ts';
import { type DeliveryOption, ServiceError, type UserError } from '../errors/service-error.ts';
import type { Advice } from '../generated/error-codes.ts';
import type { TypedDocument } from '../request/document.ts';
import type { Arguments, FieldError, Request, RequestOptions, RequestResult } from '../request/request.ts';
import type { UnknownValue } from './generated/shared/types.ts';

/** The options of each function. */
export type OperationOptions = Pick<RequestOptions, 'idempotencyKey' | 'deadlineMs' | 'signal' | 'onWaiting'>;

/** An operation's result. `errors` lists the fields that could not be read: the field or an ancestor of it is null. */
export type Answer<Value> = Value & {
  /** The fields that could not be read; empty if all were read. */
  readonly errors: readonly FieldError[];
};

/** The value of the document's first root field. A second one can be `serviceInfo`. */
export type ValueOf<Result> = NonNullable<
  Result[keyof Result extends 'serviceInfo' ? keyof Result : Exclude<keyof Result, 'serviceInfo'>]
>;

type ClientSetVariable = 'customerId' | 'idempotencyKey';

/**
 * An operation.
 * @throws ServiceError with the failure's code, or that of the refused change.
 */
export type Operation<Variables, Value> = (
  ...given: Arguments<Omit<Variables, ClientSetVariable>, OperationOptions>
) => Promise<Answer<Value>>;

/** The customer of the requests, and the function that sends them. */
export type Requester = {
  readonly request: Request;
  /** The global id of the customer who owns the data. */
  readonly customerId: () => Promise<string>;
};

/**
 * Creates a query. `selectValue` selects the returned value, or null when the object does not exist. It receives the first
 * root's value, the request's id for an error, and all roots.
 */
export function createQueryOperation<Result, Variables, Value extends object = ValueOf<Result> & object>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
  selectValue: (value: ValueOf<Result>, requestId: string | undefined, data: Result) => Value | null = (
    value,
  ) => value as unknown as Value,
): Operation<Variables, Value> {
  return async (variables?: object, options?: OperationOptions) => {
    const takesCustomerId = String(document).includes('$customerId');
    const allVariables: Record<string, unknown> = {
      ...variables,
      ...(takesCustomerId && { customerId: await requester.customerId() }),
    };
    const sendRequest = requester.request as (...all: unknown[]) => Promise<RequestResult<Result & object>>;
    const { data, errors, requestId } = await sendRequest(document, allVariables, options);
    const rootValue = Object.values(data)[0] as ValueOf<Result> | null;
    const operationValue = rootValue && selectValue(rootValue, requestId, data);
    if (operationValue) return { ...operationValue, errors };
    const { code, message } = errors[0] ?? {
      code: 'ABSENT',
      message: `There is no ${allVariables.contractId ?? allVariables.id ?? allVariables.date ?? allVariables.customerId}.`,
    };
    throw new ServiceError(code, { message, status: 200, requestId });
  };
}

/** The payload's fields about a change that was not made. */
type RefusedPayload = {
  readonly userErrors: readonly UserError[];
  /** The available delivery options; only `updateDelivery` and `updateLines` return them. */
  readonly deliveryOptions?: readonly DeliveryOption[];
};

/** The codes of a document's user errors. */
type CodeOf<Result> =
  ValueOf<Result> extends { readonly userErrors: ReadonlyArray<{ readonly code: infer Code }> }
    ? KnownCode<Code>
    : never;
type KnownCode<Code> = Code extends string ? Exclude<Code, UnknownValue> : never;
/** The functions whose error type has exactly the codes of the document. */
type ChangeNameOfResult<Result> = {
  [Name in ChangeName]: [CodeOf<Result>, ChangeCodes[Name]] extends [ChangeCodes[Name], CodeOf<Result>]
    ? Name
    : never;
}[ChangeName];

/** The documents of functions, by the function's name. A document with other codes than the function does not compile. */
type ChangeDocuments<Changes> = {
  readonly [Name in keyof Changes]: Changes[Name] extends TypedDocument<infer Result, infer _Variables>
    ? Name extends ChangeNameOfResult<Result>
      ? Changes[Name] & object
      : never
    : never;
};
type ChangeOperationsOf<Changes> = {
  readonly [Name in keyof Changes]: Changes[Name] extends TypedDocument<infer Result, infer Variables>
    ? Operation<Variables, Omit<ValueOf<Result>, keyof RefusedPayload>>
    : never;
};

/**
 * Creates changes. Their results omit the payload's error fields.
 * @throws the error of the function when the change was rejected.
 */
export function createChangeOperations<Changes extends ChangeDocuments<Changes>>(
  requester: Requester,
  documents: Changes,
): ChangeOperationsOf<Changes> {
  const operations: Record<string, unknown> = {};
  for (const name in documents)
    operations[name] = createQueryOperation(requester, documents[name], (value, requestId) =>
      requireNoUserErrors(value as RefusedPayload, name, requestId),
    );
  return operations as ChangeOperationsOf<Changes>;
}

function requireNoUserErrors(
  { userErrors, deliveryOptions = [], ...payloadWithoutErrors }: RefusedPayload,
  name: string,
  requestId: string | undefined,
): object {
  const [firstError] = userErrors;
  if (!firstError) return payloadWithoutErrors;
  // Such as `choose-another` for CHOOSE_ANOTHER.
  const advice = firstError.advice?.toLowerCase().replace('_', '-') as Advice | undefined;
  throw new ServiceError(firstError.code ?? 'UNKNOWN', {
    ...firstError,
    ...{ status: 200, advice, requestId, change: name as ChangeName, userErrors, deliveryOptions },
  });
}
