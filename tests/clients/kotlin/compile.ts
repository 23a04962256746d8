/**
 * Compiles the Kotlin client with its test program: its core, its Android files and the quickstart of docs/mobile.md
 * against stubs of Android, and the program that the tests control. The result is cached by the content of all inputs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readQuickstart } from '../quickstart.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LOCK = join(import.meta.dirname, 'compiler/package-lock.json');
const HOME = join(ROOT, '.local/kotlin');
const PACKAGE = join(HOME, 'compiler/node_modules/kotlin-compiler');
const SOURCES = ['clients/kotlin/**/*.kt', 'tests/clients/kotlin/**/*.kt'];
/** Part of the compiler's package. */
const LIBRARIES = ['kotlin-stdlib.jar', 'kotlinx-coroutines-core-jvm.jar'].map((jar) =>
  join(PACKAGE, 'lib', jar),
);

class CompileError extends Error {}
/** The compiler is not on this machine and cannot be fetched. */
export class CompilerMissing extends Error {}

/**
 * Returns the class path of the compiled program. Throws CompileError with the compiler's message, file and line, or
 * CompilerMissing.
 */
export function compile(java: string): string {
  installCompiler();
  const sources = [...globSync(SOURCES, { cwd: ROOT }).sort(), writeQuickstart()];
  const classes = join(HOME, contentHash(sources));
  if (!existsSync(classes)) runCompiler(java, sources, classes);
  return [classes, ...LIBRARIES].join(':');
}

/** The imports that Android Studio adds. */
const IMPORTS = [
  ...['android.app.Application', 'android.content.Intent', 'android.os.Bundle', 'android.widget.Button'],
  ...['androidx.activity.ComponentActivity', 'androidx.lifecycle.lifecycleScope'],
  ...['kotlinx.coroutines.launch', 'subscriptions.CustomerClient', 'subscriptions.CustomerClientOptions'],
  ...[
    'subscriptions.Session',
    'subscriptions.android.AuthTabBrowser',
    'subscriptions.android.KeystoreStorage',
  ],
];

/** Writes the quickstart into a file and returns its path. */
function writeQuickstart(): string {
  const imports = IMPORTS.map((name) => `import ${name}\n`).join('');
  const file = join(HOME, 'Quickstart.kt');
  writeFileSync(file, `package quickstart\n\n${imports}\n${readQuickstart('kotlin')}`);
  return file;
}

function runCompiler(java: string, sources: readonly string[], classes: string): void {
  // Compiled in a separate folder, so that an interrupted run leaves no incomplete result.
  const aside = `${classes}.${process.pid}`;
  const options = ['-no-stdlib', '-no-reflect', '-jvm-target', '17', '-Werror', '-cp', LIBRARIES.join(':')];
  const compiler = ['-cp', join(PACKAGE, 'lib/*'), 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler'];
  const { status, stdout, stderr } = spawnSync(
    java,
    ['-XX:TieredStopAtLevel=1', ...compiler, ...options, '-d', aside, ...sources],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(aside, { recursive: true, force: true });
    throw new CompileError(`The Kotlin client does not compile.\n${stdout}${stderr}`);
  }
  renameSync(aside, classes);
}

function contentHash(sources: readonly string[]): string {
  const hash = createHash('sha256')
    .update(readFileSync(LOCK))
    .update(readFileSync(import.meta.filename));
  for (const source of sources) hash.update(`\n${source}\n`).update(readFileSync(resolve(ROOT, source)));
  return hash.digest('hex').slice(0, 32);
}

/** By `npm ci`, which compares what it fetched with the hash in the lock file. */
function installCompiler(): void {
  const folder = join(HOME, 'compiler');
  const stamp = join(folder, 'package-lock.json');
  if (existsSync(LIBRARIES[0] ?? '') && existsSync(stamp) && readFileSync(stamp).equals(readFileSync(LOCK)))
    return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(dirname(LOCK), folder, { recursive: true });
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new CompilerMissing(`its compiler could not be fetched: ${stderr.trim().split('\n')[0]}`);
}
