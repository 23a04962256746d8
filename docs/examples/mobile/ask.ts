/** GraphQL with a token that is still good. */
import { callService, hasCode, keepTrying, ServiceError } from './call-service.ts';
import type { Device } from './device.ts';
import { isChange } from './operation-type.ts';
import { freshAccessToken } from './session.ts';

const PATH = '/api/storefront/unstable/graphql.json';

/** `operationName`: which one, if `query` holds several. */
export type Operation = { query: string; variables?: object; operationName?: string };

/** What could not be answered; `data` has null there, or further up. `path`: from the root. */
export type FieldError = { code: string; message: string; path: (string | number)[] };

/**
 * One GraphQL operation as the customer: what came, with the errors of what did not. A change whose payload came without
 * `userErrors` was made, whatever is missing below it. Throws ServiceError if nothing came.
 */
export async function ask(device: Device, operation: Operation) {
  const send = (accessToken: string) => callService(device, { path: PATH, body: operation, accessToken });
  const once = async () => {
    const accessToken = await freshAccessToken(device);
    try {
      return await send(accessToken);
    } catch (error) {
      // The service's clock decides, not this device's: one refresh, one repeat.
      if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
      return await send(await freshAccessToken(device, accessToken));
    }
  };
  const { data, errors } = await keepTrying(device, once, {
    isChange: isChange(operation.query, operation.operationName),
  });
  const missing: FieldError[] = (errors ?? []).map(toFieldError);
  const [first] = missing;
  const hasSomething = Object.values(data ?? {}).some((value) => value !== null);
  if (first && !hasSomething) throw new ServiceError(first.code, { status: 200, message: first.message });
  return { data, errors: missing };
}

type GraphqlError = { message: string; path?: (string | number)[]; extensions?: { code?: string } };

function toFieldError({ message, path = [], extensions }: GraphqlError): FieldError {
  return { code: extensions?.code ?? 'UNKNOWN', message, path };
}
