/**
 * Compiles the Swift client with its test program: the client in the language modes 5 and 6, and the quickstart of
 * docs/mobile.md, against declarations of Apple's frameworks. The result is cached by the content of all inputs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuiltPhone } from '../native/phone.ts';
import { readQuickstart } from '../quickstart.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HOME = join(ROOT, '.local/swift');
const SWIFTC = process.env.SWIFTC ?? 'swiftc';
const OLDEST = 6;
const filesOf = (pattern: string) => globSync(pattern, { cwd: ROOT }).sort();
const CLIENT = filesOf('clients/swift/*.swift').filter((file) => !file.endsWith('/Package.swift'));
const APP = filesOf('tests/clients/swift/*.swift');
/** Each is a module by the name of its file; the order is that of their imports. */
const FRAMEWORKS = ['Security', 'UIKit', 'AuthenticationServices', 'SwiftUI'];
const stubOf = (framework: string) => join('tests/clients/swift/stubs', `${framework}.swift`);
/** Outside of Apple's systems, the URLSession of Foundation is a module of its own. */
const LINUX = ['-Xfrontend', '-import-module', '-Xfrontend', 'FoundationNetworking'];
/** Ends the program where a closure of an actor is called on another queue, as Swift 6 does for Apple's frameworks. */
const RACES = '-enable-actor-data-race-checks';
const CHECKS = ['-warnings-as-errors', '-strict-concurrency=complete'];

class CompileError extends Error {}

/** Throws CompileError with the compiler's message, file and line. */
export function buildPhone(): BuiltPhone | { readonly missing: string } {
  const { status, stdout } = spawnSync(SWIFTC, ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    return { missing: `there is no Swift compiler: install one of ${OLDEST} or later, or set SWIFTC` };
  const major = Number(/Swift version (\d+)/.exec(stdout)?.[1]);
  if (!(major >= OLDEST)) return { missing: `${SWIFTC} is older than ${OLDEST}` };
  const built = join(HOME, contentHash(stdout));
  if (!existsSync(built)) compile(built);
  return { command: [join(built, 'phone')] };
}

function compile(built: string): void {
  // Compiled in a separate folder, so that an interrupted run leaves no incomplete result.
  const aside = `${built}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  const quickstart = join(aside, 'Quickstart.swift');
  writeFileSync(quickstart, readQuickstart('swift'));
  const module = (name: string, files: readonly string[], ...options: string[]) =>
    runCompiler([
      ...['-parse-as-library', '-wmo', '-module-name', name, '-I', aside, ...options],
      ...['-emit-module', '-emit-module-path', join(aside, `${name}.swiftmodule`)],
      ...['-emit-object', '-o', join(aside, `${name}.o`), ...files],
    ]);
  try {
    for (const framework of FRAMEWORKS) module(framework, [stubOf(framework)], '-swift-version', '5');
    runCompiler(['-typecheck', '-swift-version', '5', ...CHECKS, ...LINUX, '-I', aside, ...CLIENT]);
    module('Subscriptions', CLIENT, '-swift-version', '6', '-enable-testing', RACES, ...CHECKS, ...LINUX);
    const objects = [...FRAMEWORKS, 'Subscriptions'].map((name) => join(aside, `${name}.o`));
    const app = [...APP, quickstart];
    runCompiler(['-typecheck', '-swift-version', '5', ...CHECKS, '-I', aside, ...app]);
    runCompiler([
      '-swift-version',
      '6',
      ...CHECKS,
      '-I',
      aside,
      '-o',
      join(aside, 'phone'),
      ...app,
      ...objects,
    ]);
    renameSync(aside, built);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    throw error;
  }
}

function runCompiler(options: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(SWIFTC, options, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new CompileError(`The Swift client does not compile.\n${stdout}${stderr}`);
}

function contentHash(version: string): string {
  const hash = createHash('sha256').update(version).update(readQuickstart('swift'));
  for (const source of [...CLIENT, ...APP, ...FRAMEWORKS.map(stubOf)])
    hash.update(`\n${basename(source)}\n`).update(readFileSync(join(ROOT, source)));
  return hash
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 32);
}
