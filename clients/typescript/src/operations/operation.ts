/**
 * Turns a document into a function: without the variables that the client sets, and with the unwrapped value. A change
 * with `userErrors` throws, so that a rejected change cannot pass for a successful one.
 */
import { type DeliveryOption, ServiceError, type UserError } from '../errors/service-error.ts';
import type { TypedDocument } from '../request/document.ts';
import type { Arguments, FieldError, Request, RequestOptions, RequestResult } from '../request/request.ts';

export type OperationOptions = Pick<RequestOptions, 'idempotencyKey' | 'deadlineMs' | 'signal' | 'onWaiting'>;

/** An operation's result. `errors` lists the fields that could not be read: the field or an ancestor of it is null. */
export type Answer<Value> = Value & { readonly errors: readonly FieldError[] };

/** The value of the document's first root field. A second one can be `serviceInfo`. */
export type ValueOf<Result> = NonNullable<
  Result[keyof Result extends 'serviceInfo' ? keyof Result : Exclude<keyof Result, 'serviceInfo'>]
>;

type FilledIn = 'customerId' | 'idempotencyKey';

/**
 * An operation.
 * @throws ServiceError with the failure's code; USER_ERRORS when a change was not made.
 */
export type Operation<Variables, Value> = (
  ...given: Arguments<Omit<Variables, FilledIn>, OperationOptions>
) => Promise<Answer<Value>>;

/** The customer of the requests, and the function that sends them. */
export type Requester = {
  readonly request: Request;
  /** The global id of the customer who owns the data. */
  readonly customerId: () => Promise<string>;
};

/**
 * Creates a query. `part` selects the returned value, or null when the object does not exist. It receives the first
 * root's value, the request's id for an error, and all roots.
 */
export function query<Result, Variables, Value extends object = ValueOf<Result> & object>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
  part: (value: ValueOf<Result>, requestId: string | undefined, data: Result) => Value | null = (value) =>
    value as unknown as Value,
): Operation<Variables, Value> {
  return async (variables?: object, options?: OperationOptions) => {
    const isOfCustomer = String(document).includes('$customerId');
    const given = { ...variables, ...(isOfCustomer && { customerId: await requester.customerId() }) };
    const send = requester.request as (...all: unknown[]) => Promise<RequestResult<Result & object>>;
    const { data, errors, requestId } = await send(document, given, options);
    const whole = Object.values(data)[0] as ValueOf<Result> | null;
    const value = whole && part(whole, requestId, data);
    if (value) return { ...value, errors };
    const { contractId, id, customerId } = given as Record<string, unknown>;
    const { code, message } = errors[0] ?? {
      code: 'ABSENT',
      message: `There is no ${contractId ?? id ?? customerId}.`,
    };
    throw new ServiceError(code, { message, status: 200, requestId });
  };
}

/** The payload's fields about a change that was not made. */
type RefusedPayload = {
  readonly userErrors: readonly UserError[];
  /** The available delivery options; only `updateDelivery` returns them. */
  readonly deliveryOptions?: readonly DeliveryOption[];
};

/**
 * Creates a change. The result omits the payload's error fields.
 * @throws USER_ERRORS when the change was rejected.
 */
export function change<Result, Variables>(
  requester: Requester,
  document: TypedDocument<Result, Variables> & object,
): Operation<Variables, Omit<ValueOf<Result>, keyof RefusedPayload>> {
  return query(requester, document, (value, requestId) => {
    const { userErrors, deliveryOptions = [], ...done } = value as unknown as RefusedPayload;
    const [first] = userErrors;
    if (first)
      throw new ServiceError('USER_ERRORS', {
        ...{ message: first.message, status: 200, requestId, userErrors, deliveryOptions },
      });
    return done as unknown as Omit<ValueOf<Result>, keyof RefusedPayload>;
  });
}
