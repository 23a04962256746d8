/** One error of a GraphQL answer, with its words or with a message that becomes words when the answer leaves. */
import type { GraphQLError } from 'graphql';
import type { Message } from '../../lib/messages/message.ts';
import { shortened } from '../policy/errors/shortened.ts';

export type Path = readonly (string | number)[];

export type ResultError<Text = string | Message> = {
  readonly message: Text;
  readonly path?: Path;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** An error of graphql-js, with a code of the catalogue. */
export function toResultError({ message, locations, extensions }: GraphQLError): ResultError<string> {
  const code = extensions.code ?? 'GRAPHQL_VALIDATION_FAILED';
  return {
    message: shortened(message),
    ...(locations && { locations }),
    extensions: { ...extensions, code },
  };
}
