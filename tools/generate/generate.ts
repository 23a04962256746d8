/**
 * `npm run generate` writes every generated file. With `--check` it writes nothing, and fails when a file differs from
 * its source or breaks clients of the last release. To generate another file, add its generator to the list.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findUndocumentedBreaks } from '../compatibility/classify-breaks.ts';
import { RELEASE_FILE } from '../compatibility/released.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { replacePageBlock } from '../page-block.ts';
import { generateAccessTable } from './access-table.ts';
import { generateClientOperations } from './clients/client-operations.ts';
import { generateClientErrorCodes } from './clients/error-codes.ts';
import { buildDescribedSchemas } from './described-schemas.ts';
import { errorAdvice } from './error-advice.ts';
import { generateErrorsPage } from './errors-page.ts';
import { generateGraphqlFiles } from './graphql-files.ts';
import { generateMessageFiles } from './messages/message-files.ts';
import { buildOpenApiDocument, toOpenApiFile } from './openapi/document.ts';
import { generateSignInPage } from './openapi/sign-in-page.ts';
import { generateOperatorPolicy } from './operator-policy.ts';
import { generateRightsTable } from './rights-table.ts';
import { generateWebhookFiles } from './webhooks/webhook-files.ts';

const GENERATORS: readonly (() => GeneratedFile[] | Promise<GeneratedFile[]>)[] = [
  generateGraphqlFiles,
  generateErrorsPage,
  generateMessageFiles,
  generateAccessTable,
  generateOperatorPolicy,
  generateRightsTable,
  () => generateWebhookFiles(replacePageBlock),
  generateClientErrorCodes,
  () => generateClientOperations(buildDescribedSchemas()),
  () => {
    const document = buildOpenApiDocument(errorAdvice);
    return [toOpenApiFile(document), generateSignInPage(document)];
  },
];

function readFileIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the files that differ, or with `check` only names them. Paths are below `root`. */
export async function generateFiles(root: string, check: boolean): Promise<readonly string[]> {
  const generatedFiles = await Promise.all(GENERATORS.map((generate) => generate()));
  const changedFiles = generatedFiles
    .flat()
    .filter(({ file, text }) => readFileIfPresent(join(root, file)) !== text);
  for (const { file, text } of check ? [] : changedFiles) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return changedFiles.map(({ file }) => file);
}

/** Runs from the command line. Returns the exit code. */
export async function runGenerate(root: string, args: readonly string[]): Promise<number> {
  const isCheck = args.includes('--check');
  const unknownArgument = args.find((each) => each !== '--check');
  if (unknownArgument !== undefined) {
    console.error(`generate knows no option ${unknownArgument}: use --check or nothing.`);
    return 1;
  }
  try {
    const changedFiles = await generateFiles(root, isCheck);
    for (const file of changedFiles) {
      if (isCheck)
        console.error(`${file} is not what its source says: run \`npm run generate\` and commit it.`);
      else console.log(`wrote ${file}`);
    }
    if (changedFiles.length === 0) console.log('Every generated file is up to date.');
    if (!isCheck) return 0;
    if (!existsSync(join(root, RELEASE_FILE))) console.log('Nothing has been released yet.');
    const reportLines =
      changedFiles.length > 0 ? [] : findUndocumentedBreaks(root, new Date().toJSON().slice(0, 10));
    for (const line of reportLines) console.error(line);
    return changedFiles.length + reportLines.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

if (import.meta.main)
  process.exitCode = await runGenerate(join(import.meta.dirname, '../..'), process.argv.slice(2));
