/** What the tests use of Bruno's parser, which has no types of its own. */
declare module '@usebruno/lang' {
  type Pair = { readonly name: string; readonly value: string };
  export type Bru = {
    readonly meta: { readonly name: string; readonly seq: string };
    readonly http: { readonly method: string; readonly url: string };
    readonly headers?: readonly Pair[];
    readonly auth?: { readonly bearer?: { readonly token: string } };
    readonly body?: { readonly json?: string; readonly graphql?: { readonly query: string } };
    readonly vars?: { readonly res?: readonly Pair[] };
    readonly script?: { readonly req?: string };
  };
  export function bruToJsonV2(text: string): Bru;
  export function collectionBruToJson(text: string): Pick<Bru, 'meta'>;
  export function bruToEnvJsonV2(text: string): { readonly variables: readonly Pair[] };
}
