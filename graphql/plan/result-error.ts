/** One error of a GraphQL answer, with its words or with a message that becomes words when the answer leaves. */
import type { Message } from '../../lib/messages/message.ts';

export type Path = readonly (string | number)[];

export type ResultError<Text = string | Message> = {
  readonly message: Text;
  readonly path?: Path;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
};
