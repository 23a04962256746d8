/** Everything that this service asks for beside the client's selection has one prefix. */

/** The prefix of fields that we ask for and clients never see; clients may not use it. */
export const SERVICE_ALIAS = '_svc';

export function isServiceAlias(key: string): boolean {
  return key.startsWith(SERVICE_ALIAS);
}
