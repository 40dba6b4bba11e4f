import type { EnumRef } from '@pothos/core';
import type { builder } from '../builder.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Own> ? Own : never;
/** An enum of the schema whose values are words of a list. */
export type WordsEnum = EnumRef<Types, string>;

const ENUMS = new Map<string, WordsEnum>();

/** Names the enum that the schema has of the words of a filter. */
export function nameWords(words: readonly string[], ref: WordsEnum): void {
  ENUMS.set(words.join(), ref);
}

/** The enum of these words; null where the schema has them as text. */
export function enumOf(words: readonly string[]): WordsEnum | null {
  return ENUMS.get(words.join()) ?? null;
}
