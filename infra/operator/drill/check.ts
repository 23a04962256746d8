/** What a step of the drill must show. */
export type Check = { readonly what: string; readonly holds: boolean };
/** Notes it, whether it holds or not. */
export type CheckThat = (what: string, holds: boolean) => void;
