/**
 * Enforces the table of rights as IAM does on AWS: the emulators refuse a call of a function without the right for it.
 * So every test with a local stack, and `npm start`, detects a missing right. A caller that is not a function may do
 * everything.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { mayCallSecret, mayCallTable, parseTableCall } from '../../infra/definition/evaluate-call.ts';
import { FUNCTION_NAMES } from '../../infra/definition/function-definitions.ts';
import { RIGHTS_BY_FUNCTION } from '../../infra/definition/rights.ts';

/** Returns the invented key id with which a function signs. */
export function accessKeyIdOfFunction(name: string): string {
  return `local-${name}`;
}

type SignedCall = { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array };

/** Returns AWS's error for a call, or undefined when it is allowed. `secretName` is given for Secrets Manager. */
export function findMissingRight({ headers, body }: SignedCall, secretName?: string): string | undefined {
  const accessKey = /Credential=([^/]+)\//.exec(`${headers.authorization}`)?.[1];
  const functionName = FUNCTION_NAMES.find((each) => accessKeyIdOfFunction(each) === accessKey);
  const awsAction = `${headers['x-amz-target']}`.split('.').at(-1) ?? '';
  if (functionName === undefined) return undefined;
  if (secretName !== undefined) {
    if (mayCallSecret(RIGHTS_BY_FUNCTION[functionName], { action: awsAction, secretName })) return undefined;
    return accessDeniedMessage(functionName, `secretsmanager:${awsAction}`, secretName);
  }
  const tableCall = parseTableCall(awsAction, JSON.parse(Buffer.from(body).toString('utf8')));
  if (mayCallTable(RIGHTS_BY_FUNCTION[functionName], tableCall)) return undefined;
  return accessDeniedMessage(
    functionName,
    `dynamodb:${awsAction}`,
    `${tableCall.index ?? 'the table'}, ${tableCall.leadingKeys.join(', ')}`,
  );
}

function accessDeniedMessage(name: string, action: string, resource: string): string {
  return `${name} is not authorized to perform ${action} on ${resource}: see infra/definition/rights.ts`;
}
