/**
 * One error of a GraphQL response. Its message is a text, or a message that is translated before the response is sent.
 */
import type { Message } from '../../lib/messages/message.ts';

export type ResponsePath = readonly (string | number)[];

export type ResultError<Text = string | Message> = {
  readonly message: Text;
  readonly path?: ResponsePath;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
};
