/** The operator's hands in the drill: the verbs themselves, with their trace. */
import type { RestoreReport } from '../../../lib/stores/restore/complete-restore.ts';
import { openTrace } from '../open-trace.ts';
import { OperatorError } from '../operator-error.ts';
import { runVerb } from '../run/run-verb.ts';
import type { Terminal } from '../terminal.ts';
import type { OpenCommand } from '../trace/read-trace.ts';
import type { Options, Verb } from '../verb.ts';
import { keyIssue } from '../verbs/keys/key-issue.ts';
import { keyList } from '../verbs/keys/key-list.ts';
import { keyRevoke } from '../verbs/keys/key-revoke.ts';
import { restoreComplete } from '../verbs/restore-complete.ts';
import { sessionRevoke } from '../verbs/session-revoke.ts';
import { storeInstall } from '../verbs/stores/store-install.ts';
import { storePurge } from '../verbs/stores/store-purge.ts';
import { storeUninstall } from '../verbs/stores/store-uninstall.ts';
import { RESTORED_TABLE, type StandIns, TABLE } from './stand-ins.ts';

type Call = { readonly args?: readonly string[]; readonly options?: Options; readonly input?: string };
export type Completed = RestoreReport & { readonly open: readonly OpenCommand[] };
export type Hands = ReturnType<typeof createHands>;

/** Nobody waits for others to end what they do: in the drill there are none. */
const AT_ONCE = async () => undefined;

export function createHands({ platform, targetOf }: StandIns) {
  const run = async (verb: Verb, { args = [], options = {}, input = '' }: Call, tableName = TABLE) => {
    const call = { target: targetOf(tableName), terminal: nobody(input), args, wait: AT_ONCE };
    return (await runVerb(verb, { ...call, options: { yes: true, json: true, ...options } })).json;
  };
  const storeOf = (domain: string) => {
    const store = platform.stores.find(({ shop }) => shop === domain);
    if (store === undefined) throw new OperatorError(`The emulated platform has no ${domain}.`);
    return store;
  };
  return {
    shopIdOf: (domain: string) => storeOf(domain).shopId,
    install(domain: string) {
      const { accessToken, clientId } = storeOf(domain);
      const input = JSON.stringify({ grant: { accessToken }, clientId });
      return run(storeInstall, { args: [domain], options: { credentials: '-' }, input });
    },
    async issueKey(domain: string): Promise<{ keyId: string; link: string }> {
      const options = { label: 'Drill', use: 'restore drill' };
      return (await run(keyIssue, { args: [domain], options })) as { keyId: string; link: string };
    },
    async keyIds(domain: string, tableName: string): Promise<string[]> {
      const keys = (await run(keyList, { args: [domain] }, tableName)) as { id: string }[];
      return keys.map(({ id }) => id);
    },
    revokeKey: (domain: string, keyId: string) => run(keyRevoke, { args: [domain, keyId] }),
    endSignIns: (domain: string, customerId: number) =>
      run(sessionRevoke, { args: [domain, `${customerId}`], options: { all: true } }),
    uninstall: (domain: string) => run(storeUninstall, { args: [domain] }),
    purge: (domain: string, tableName = TABLE) => run(storePurge, { args: [domain] }, tableName),
    /** A command that is begun, and never ends. */
    breakOff: (domain: string) =>
      openTrace(targetOf(TABLE), { verb: 'store update', args: [domain], options: {} }).before(),
    async restoreComplete(since: string, input: string): Promise<Completed> {
      const options = { table: RESTORED_TABLE, since, events: '-' };
      return (await run(restoreComplete, { options, input }, RESTORED_TABLE)) as Completed;
    },
  };
}

/** Nobody sits at it. */
function nobody(input: string): Terminal {
  return {
    out: () => undefined,
    err: () => undefined,
    columns: Infinity,
    isInteractive: false,
    confirm: async () => false,
    ask: async () => '',
    onInterrupt: () => () => undefined,
    readInput: async () => input,
  };
}
