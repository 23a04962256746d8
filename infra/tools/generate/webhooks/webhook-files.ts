/** docs/webhooks.schema.json, and the table of types in docs/webhooks.md. */
import { WEBHOOK_EVENT_TYPES } from '../../../../lib/webhooks/event-types.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { jsonSchemas, MEANINGS } from './payload-schemas.ts';

const PAGE = 'docs/webhooks.md';
const SCHEMA = 'docs/webhooks.schema.json';
const BEGIN =
  '<!-- types: written by `npm run generate` from infra/tools/generate/webhooks/payload-schemas.ts -->';
const END = '<!-- end of types -->';

/** The type as GraphQL's enum names it. */
function enumName(type: string): string {
  return type.replace('.', '_').toUpperCase();
}

function schemaFile(): GeneratedFile {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The body of a webhook: one of these, told apart by its type. New fields may come.',
    oneOf: WEBHOOK_EVENT_TYPES.map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: jsonSchemas(WEBHOOK_EVENT_TYPES),
  };
  return { file: SCHEMA, text: `${JSON.stringify(schema, null, 2)}\n` };
}

type Block = {
  readonly file: string;
  readonly begin: string;
  readonly end: string;
  readonly lines: readonly string[];
};

/** Both files; `writeBlock` writes a block of a page. */
export function webhookFiles(writeBlock: (block: Block) => GeneratedFile): GeneratedFile[] {
  const rows = WEBHOOK_EVENT_TYPES.map(
    (type) => `| \`${type}\` | \`${enumName(type)}\` | ${MEANINGS[type]} |`,
  );
  const lines = ['| type | in GraphQL | when |', '|---|---|---|', ...rows];
  return [schemaFile(), writeBlock({ file: PAGE, begin: BEGIN, end: END, lines })];
}
