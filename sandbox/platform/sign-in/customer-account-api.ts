/** The part of the Customer Account API that identifies the signed-in customer. The token is sent without "Bearer". */
import { buildSchema, graphql } from 'graphql';
import type { PlatformRequest } from '../http/platform-request.ts';
import {
  createJsonResponse,
  createMethodNotAllowedResponse,
  type PlatformResponse,
} from '../http/response.ts';
import type { StoreSignIn } from './store-sign-in.ts';

const customerAccountSchema = buildSchema(`
  type Query { customer: Customer! }
  type Customer { id: ID! firstName: String lastName: String displayName: String! emailAddress: CustomerEmailAddress }
  type CustomerEmailAddress { emailAddress: String }
`);

/** Executes GraphQL for the customer of the access token; answers 401 to any other token. */
export async function handleCustomerAccountApi(
  signIn: StoreSignIn,
  request: PlatformRequest,
): Promise<PlatformResponse> {
  if (request.method !== 'POST') return createMethodNotAllowedResponse('POST');
  const token = await signIn.provider().AccessToken.find(request.headers.authorization ?? '');
  const customer = signIn.store().customers.get(Number(token?.accountId));
  if (token === undefined || customer === undefined) {
    return createJsonResponse(401, {
      errors: [{ message: 'Not authenticated: send the access token as it is.' }],
    });
  }
  const query = parseGraphqlBody(request.body);
  if (query === undefined)
    return createJsonResponse(400, { errors: [{ message: 'Send JSON with a "query".' }] });
  const { id, firstName, lastName, email } = customer;
  const rootValue = {
    customer: {
      id: `gid://shopify/Customer/${id}`,
      firstName,
      lastName,
      displayName: `${firstName} ${lastName}`.trim(),
      emailAddress: { emailAddress: email },
    },
  };
  return createJsonResponse(200, await graphql({ schema: customerAccountSchema, rootValue, ...query }));
}

function parseGraphqlBody(body: string) {
  try {
    const { query, variables } = JSON.parse(body);
    return typeof query === 'string' ? { source: query, variableValues: variables ?? {} } : undefined;
  } catch {
    return undefined;
  }
}
