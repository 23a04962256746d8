/** The schemas of bodies as JSON Schema (draft 2020-12, which OpenAPI 3.1 speaks), with their words. */
import * as z from 'zod/mini';
import { type BodyName, bodySchemas } from './body-schemas.ts';
import { fieldNotes } from './field-notes.ts';

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
} & Readonly<Record<string, unknown>>;

const NAMES = Object.keys(bodySchemas) as BodyName[];

/** Every body by its name. Throws an error that names a field without words, or words without a field. */
export function schemaComponents(): Readonly<Record<BodyName, JsonSchema>> {
  return Object.fromEntries(NAMES.map((name) => [name, component(name)])) as Record<BodyName, JsonSchema>;
}

function component(name: BodyName): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(bodySchemas[name], {
    io: 'input',
    // What only code can check has its form among the notes.
    unrepresentable: 'any',
  }) as JsonSchema;
  const [about, notes] = fieldNotes[name];
  const fields = Object.keys(schema.properties ?? {});
  const odd = [...fields, ...Object.keys(notes)].filter((field) => !fields.includes(field) || !notes[field]);
  if (odd.length > 0) throw new Error(`${name}: fields and field-notes.ts differ in ${odd.join(', ')}.`);
  const properties = Object.entries(schema.properties ?? {}).map(([field, own]) => {
    const note = notes[field] ?? '';
    const description = typeof note === 'string' ? { description: note } : note;
    return [field, { ...description, ...own }];
  });
  return { description: about, ...schema, properties: Object.fromEntries(properties) };
}
