/** The prefix of the aliases and variables that the service adds to the client's selection. */

/** The prefix of response keys that the service removes before it responds. Clients' names may not begin with it. */
export const SERVICE_ALIAS = '_svc';

export function isServiceAlias(key: string): boolean {
  return key.startsWith(SERVICE_ALIAS);
}
