/**
 * What IAM does on AWS: a function that calls what its definition does not list is refused by the stand-ins. So every
 * test over a local stack, and `npm start` too, finds a missing right. Whoever is no function may do everything.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { functionDefinitions, functionNames } from '../../definition/function-definitions.ts';

/** The made-up key id with which a function signs. */
export function accessKeyOf(name: string): string {
  return `local-${name}`;
}

/** AWS's refusal of a call, or undefined if it is allowed. `secretName`: of calls to Secrets Manager. */
export function rightsRefusal(headers: IncomingHttpHeaders, secretName?: string): string | undefined {
  const accessKey = /Credential=([^/]+)\//.exec(`${headers.authorization}`)?.[1];
  const name = functionNames.find((each) => accessKeyOf(each) === accessKey);
  const operation = `${headers['x-amz-target']}`.split('.').at(-1);
  if (name === undefined) return undefined;
  const { tableActions, secrets } = functionDefinitions[name];
  const allowed =
    secretName === undefined
      ? tableActions
      : Object.entries(secrets)
          .filter(([pattern]) => isNamed(secretName, pattern))
          .flatMap(([, actions]) => actions);
  const action = `${secretName === undefined ? 'dynamodb' : 'secretsmanager'}:${operation}`;
  if (allowed.includes(action)) return undefined;
  const what = secretName === undefined ? 'the table' : secretName;
  return `${name} is not authorized to perform ${action} on ${what}: see infra/definition/function-definitions.ts`;
}

/** `pattern` stands behind the prefix; `*` is a shop id. */
function isNamed(secretName: string, pattern: string): boolean {
  return new RegExp(`(^|/)${pattern.replace('*', '[^/]+')}$`).test(secretName);
}
