/** The generated files of graphql/schema: the table and descriptions of the functions, and SDL for app developers. */
import { printSchema } from 'graphql';
import {
  buildSchemaFromSource,
  createSourceOfAllTypes,
  type Descriptions,
  type TypeSource,
} from '../../graphql/schema/table/build-schema.ts';
import { selectCustomerTypes } from '../../graphql/schema/table/select-customer-types.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { reduceToCustomerTable } from './customer-table.ts';
import { collectDescriptions } from './make-descriptions.ts';
import { createSchemaTable } from './make-table.ts';
import { readSchema } from './read-schema.ts';
import { generateRootsFile } from './roots-file.ts';

const GENERATED_FOLDER = 'graphql/schema/generated';
const GENERATED_NOTE = 'Generated from graphql/schema/sdl by `npm run generate`: change those.';

/** JSON with one entry a line, inside a template string: V8 reads it faster than an object literal. */
function writeJsonModule(
  name: string,
  type: string,
  modulePath: string,
  entriesByKey: Readonly<Record<string, unknown>>,
): string {
  const entryLines = Object.entries(entriesByKey).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const json = `{\n${entryLines.join(',\n')}\n}`
    .replaceAll('\\', '\\\\')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${');
  return [
    `// ${GENERATED_NOTE}`,
    `import type { ${type} } from '../${modulePath}';`,
    '',
    `export const ${name}: ${type} = JSON.parse(\`${json}\`);`,
    '',
  ].join('\n');
}

function printSdl(types: TypeSource, descriptions: Descriptions, about: string): string {
  return `# ${about}\n# ${GENERATED_NOTE}\n\n${printSchema(buildSchemaFromSource(types, descriptions))}\n`;
}

/** Generates all files of this folder. Reads the SDL once. */
export function generateGraphqlFiles(): GeneratedFile[] {
  const schema = readSchema();
  const table = createSchemaTable(schema);
  const descriptionByName = collectDescriptions(schema);
  return [
    generateRootsFile(table),
    {
      file: `${GENERATED_FOLDER}/schema-table.ts`,
      text: writeJsonModule('schemaTable', 'SchemaTable', 'table/schema-table-format.ts', table),
    },
    {
      file: `${GENERATED_FOLDER}/customer-table.ts`,
      text: writeJsonModule(
        'schemaTable',
        'SchemaTable',
        'table/schema-table-format.ts',
        reduceToCustomerTable(table),
      ),
    },
    {
      file: `${GENERATED_FOLDER}/descriptions.ts`,
      text: writeJsonModule('descriptions', 'Descriptions', 'table/build-schema.ts', descriptionByName),
    },
    {
      file: `${GENERATED_FOLDER}/admin.graphql`,
      text: printSdl(createSourceOfAllTypes(table), descriptionByName, 'The schema of the admin endpoint.'),
    },
    {
      file: `${GENERATED_FOLDER}/customer.graphql`,
      text: printSdl(
        selectCustomerTypes(table),
        descriptionByName,
        'The schema of the customer endpoint: everything that is available to customer accounts.',
      ),
    },
  ];
}
