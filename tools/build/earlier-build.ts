/**
 * Records which inputs produced which build, so that a second start does not bundle again. A build is identified by the
 * content of every bundled file, of the lock file and of the build code.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleRequest } from './bundle.ts';
import type { StoredBuild } from './store-outputs.ts';

type BuildRecord = {
  readonly inputs: readonly string[];
  readonly inputsHash: string | undefined;
  readonly built: StoredBuild;
};
type CompletedBuild = {
  readonly request: BundleRequest;
  readonly inputs: readonly string[];
  readonly built: StoredBuild;
  /** The time when reading the inputs started. */
  readonly startedAtMs: number;
};

/**
 * Finds an earlier build of the same request from the same inputs.
 * @returns undefined when there is none
 */
export function findEarlierBuild(buildsDir: string, request: BundleRequest): StoredBuild | undefined {
  const earlierRecord = readBuildRecord(formatRecordPath(buildsDir, request));
  if (earlierRecord === undefined) return undefined;
  const { inputs, inputsHash, built } = earlierRecord;
  if (!Object.values(built.functions).every(({ path }) => existsSync(path))) return undefined;
  if (inputsHash === undefined || hashInputs(request.root, inputs) !== inputsHash) return undefined;
  const now = new Date();
  utimesSync(built.dir, now, now);
  return built;
}

/** Records a new build, unless an input was changed during the build. */
export function writeBuildRecord(buildsDir: string, completedBuild: CompletedBuild): void {
  const { request, inputs, built, startedAtMs } = completedBuild;
  if (inputs.some((path) => readChangeTime(join(request.root, path)) >= startedAtMs)) return;
  const inputsHash = hashInputs(request.root, inputs);
  const path = formatRecordPath(buildsDir, request);
  const temporaryPath = `${path}.${process.pid}`;
  writeFileSync(temporaryPath, JSON.stringify({ inputs, inputsHash, built } satisfies BuildRecord));
  renameSync(temporaryPath, path);
}

function readChangeTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

/** One record for each request: functions, options and location. */
function formatRecordPath(buildsDir: string, request: BundleRequest): string {
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8);
  return join(buildsDir, `inputs-${requestHash}.json`);
}

/** An unreadable record counts as changed, which costs at most one unnecessary build. */
function readBuildRecord(path: string): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BuildRecord;
  } catch {
    return undefined;
  }
}

function hashInputs(root: string, inputs: readonly string[]): string | undefined {
  const inputsHash = createHash('sha256');
  const builderFiles = globSync('*.ts', { cwd: import.meta.dirname }).map((name) =>
    join(import.meta.dirname, name),
  );
  const lockFile = join(root, 'package-lock.json');
  const files = [...builderFiles.sort(), ...(existsSync(lockFile) ? [lockFile] : []), ...inputs.toSorted()];
  try {
    for (const file of files) {
      const fileContents = readFileSync(file.startsWith('/') ? file : join(root, file));
      inputsHash.update(`${file}\0${fileContents.byteLength}\0`).update(fileContents);
    }
  } catch {
    return undefined;
  }
  return inputsHash.digest('hex');
}
