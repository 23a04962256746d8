/**
 * `npm run generate` writes every generated file; with `--check` it writes nothing and fails if one of them is not
 * what its source says, or if what they say breaks clients of the last release. To generate something else, add its maker
 * to the list.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { complaintsOf } from '../compatibility/classify-breaks.ts';
import { RELEASE_FILE } from '../compatibility/released.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { pageBlock } from '../page-block.ts';
import { accessTable } from './access-table.ts';
import { clientOperations } from './clients/client-operations.ts';
import { clientErrorCodes } from './clients/error-codes.ts';
import { describedSchemas } from './described-schemas.ts';
import { errorAdvice } from './error-advice.ts';
import { errorsPage } from './errors-page.ts';
import { graphqlFiles } from './graphql-files.ts';
import { messageFiles } from './messages/message-files.ts';
import { openApiDocument, openApiFile } from './openapi/document.ts';
import { signInPage } from './openapi/sign-in-page.ts';
import { operatorPolicy } from './operator-policy.ts';
import { rightsTable } from './rights-table.ts';
import { webhookFiles } from './webhooks/webhook-files.ts';

const GENERATORS: readonly (() => GeneratedFile[] | Promise<GeneratedFile[]>)[] = [
  graphqlFiles,
  errorsPage,
  messageFiles,
  accessTable,
  operatorPolicy,
  rightsTable,
  () => webhookFiles(pageBlock),
  clientErrorCodes,
  () => clientOperations(describedSchemas()),
  () => {
    const document = openApiDocument(errorAdvice);
    return [openApiFile(document), signInPage(document)];
  },
];

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the files that differ, or with `check` only names them. Paths are below `root`. */
export async function generate(root: string, check: boolean): Promise<readonly string[]> {
  const made = await Promise.all(GENERATORS.map((make) => make()));
  const changed = made.flat().filter(({ file, text }) => readIfThere(join(root, file)) !== text);
  for (const { file, text } of check ? [] : changed) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return changed.map(({ file }) => file);
}

/** Runs from the command line. Returns the exit code. */
export async function runGenerate(root: string, args: readonly string[]): Promise<number> {
  const check = args.includes('--check');
  const unknown = args.find((each) => each !== '--check');
  if (unknown !== undefined) {
    console.error(`generate knows no option ${unknown}: use --check or nothing.`);
    return 1;
  }
  try {
    const changed = await generate(root, check);
    for (const file of changed) {
      if (check)
        console.error(`${file} is not what its source says: run \`npm run generate\` and commit it.`);
      else console.log(`wrote ${file}`);
    }
    if (changed.length === 0) console.log('Every generated file is up to date.');
    if (!check) return 0;
    if (!existsSync(join(root, RELEASE_FILE))) console.log('Nothing has been released yet.');
    const complaints = changed.length > 0 ? [] : complaintsOf(root, new Date().toJSON().slice(0, 10));
    for (const complaint of complaints) console.error(complaint);
    return changed.length + complaints.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

if (import.meta.main)
  process.exitCode = await runGenerate(join(import.meta.dirname, '../..'), process.argv.slice(2));
