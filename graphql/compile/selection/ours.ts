/** Everything that this service asks for beside the client's selection has one prefix. */

/** The prefix of fields that we ask for and clients never see; clients may not use it. */
export const OURS = '_svc';

/** Whether a key is one of ours. */
export function isOurs(key: string): boolean {
  return key.startsWith(OURS);
}
