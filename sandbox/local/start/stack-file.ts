/**
 * `.local/stack.json`: the description of a running stack for other programs. It is written when all parts are ready,
 * and removed at the end.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The state of a run, in the order in which it is written. `adminKey` and `webhooksKey` are secrets of a demo store.
 */
export type RunningStackDescription = {
  readonly baseUrl: string;
  readonly platformUrl: string;
  readonly phoneUrl: string;
  readonly shop: string;
  readonly shopId: number;
  readonly adminKey: string;
  /** A key that reads, and manages webhook endpoints. */
  readonly webhooksKey: string;
  /** The first store's customers, in the seed's order. */
  readonly customers: readonly { readonly id: number; readonly email: string }[];
  readonly contracts: readonly string[];
  /** `webhooksKey` manages endpoints, which `adminKey` does not. */
  readonly stores: readonly {
    readonly shop: string;
    readonly shopId: number;
    readonly adminKey: string;
    readonly webhooksKey: string;
  }[];
  readonly dynamoDbUrl: string;
  readonly secretsManagerUrl: string;
  readonly logsUrl: string;
  readonly stsUrl: string;
  readonly tableName: string;
  readonly secretsPrefix: string;
  /** The page of a merchant's server that receives webhooks; undefined with `--no-webhooks`. */
  readonly merchantServerUrl?: string;
  /** The address of the fault control, in a stack with fault points. */
  readonly faultsUrl?: string;
};

/**
 * Writes the complete state. The returned function removes it, unless another run has written its own; so does the exit
 * of the process.
 */
export function writeTemporaryStackFile(path: string, state: RunningStackDescription): () => void {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
  const removeFile = () => {
    if (readFileIfPresent(path) === text) rmSync(path, { force: true });
  };
  process.once('exit', removeFile);
  return removeFile;
}

function readFileIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
