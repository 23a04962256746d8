/** The prefix of everything that this service asks for beside the client's selection. */

/** Fields that we ask for and clients never see; clients may not use the prefix. */
export const OURS = '_svc';

/** Whether a key is one of ours. */
export function isOurs(key: string): boolean {
  return key.startsWith(OURS);
}
