/** What an editor shows of the package: TypeScript's language service is asked for each exported symbol and member. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript-5.4';
import { installed } from '../shared-package.ts';

/** The tables whose members are named by functions and codes alone, and the types that are read from these tables. */
const TABLES = /^(ChangeCodes|DetailNames|ChangeError|ErrorOf)\./;

test('shows a description of every symbol and member', () => {
  const folder = dirname(installed.entry);
  const names = globSync('**/*.d.ts', { cwd: folder }).map((name) => join(folder, name));
  const files = new Map(names.map((name) => [name, readFileSync(name, 'utf8')]));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [join(folder, 'client.d.ts')],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = files.get(name) ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({
      ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] },
      ...{ strict: true, target: ts.ScriptTarget.ES2022 },
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  const program = service.getProgram();
  const entry = program?.getSourceFile(join(folder, 'client.d.ts'));
  const checker = program?.getTypeChecker();
  const root = entry && checker?.getSymbolAtLocation(entry);
  const described: string[] = [];
  const missing: string[] = [];
  const ask = (path: string, name: ts.Node) => {
    const info = service.getQuickInfoAtPosition(name.getSourceFile().fileName, name.getStart());
    (info?.documentation?.length ? described : missing).push(path);
  };
  for (const symbol of (root && checker?.getExportsOfModule(root)) ?? []) {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    for (const declaration of (isAlias ? checker?.getAliasedSymbol(symbol) : symbol)?.declarations ?? []) {
      const name = ts.getNameOfDeclaration(declaration);
      if (name) ask(symbol.name, name);
      const visit = (node: ts.Node) => {
        const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node);
        if (isMember) ask(`${symbol.name}.${node.name.getText()}`, node.name);
        ts.forEachChild(node, visit);
      };
      ts.forEachChild(declaration, visit);
    }
  }
  expect(described.length).toBeGreaterThan(1_300);
  expect(missing.filter((path) => !TABLES.test(path))).toEqual([]);
  expect(described).toEqual(expect.arrayContaining(['OrderChanges.skip', 'SubscriptionTerms.nextOrder']));
});
