import type { ErrorCode } from '../../errors/catalogue.ts';
import type { en } from './en.ts';

/** The texts of a language by their keys: those of en.ts, and the error catalogue's. */
export type Texts = Readonly<Record<ErrorCode | keyof typeof en, string>>;
