/**
 * Resolves a name by direct DNS queries. The operating system's lookup blocks one of four threads for each name, so a
 * few unresponsive names would delay all others.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isLoopback } from '../config/browser-origin.ts';
import { settleAll } from '../domain/settle-all.ts';

const TIMEOUT_MS = 2000;
const TRIES = 2;

/** RFC 6761, section 6.3: this name is never queried. */
const LOCALHOST: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Returns the addresses of a name, IPv4 first. Empty when it has none, or the name servers do not respond. */
export async function resolveName(name: string): Promise<readonly LookupAddress[]> {
  if (isLoopback(name)) return LOCALHOST;
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const [v4, v6] = await settleAll([
    resolver.resolve4(name).catch(() => []),
    resolver.resolve6(name).catch(() => []),
  ]);
  return [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))];
}
