import { deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * Texts of a kilobyte that payments store are nearly the same each time: names of fields, addresses, the same ids again and again. Packed with
 * what they have in common they take a fifth. PostgreSQL compresses rows of more than 2 kB only, and each value for itself.
 */

/** Packs texts of one kind. */
export interface TextPacker {
  /** The number of the newest dictionary in one byte, then raw DEFLATE (RFC 1951). */
  readonly pack: (text: string) => Buffer;
  /** The text that was packed. Throws for anything else. */
  readonly unpack: (packed: Uint8Array) => string;
}

/**
 * Of the lowest effort: higher ones save one byte in ten and take twice the time. A window of 8 kB holds dictionary and text; zlib's defaults
 * would take 268 kB of new memory for each text, which costs more than packing it.
 */
const EFFORT = { level: 1, windowBits: 13, memLevel: 4 };

/**
 * A packer of texts with dictionaries, numbered from 1, of which the last packs and all unpack. A dictionary holds texts of the kind without
 * what differs, the most frequent last. A text that was packed with one can be read with the same only: it must never change, another one
 * follows it. `kind` names the texts in errors.
 */
export function createTextPacker(kind: string, dictionaries: readonly string[]): TextPacker {
  const known = dictionaries.map((text) => Buffer.from(text));
  const newest = Buffer.of(known.length);
  return {
    pack: (text) => Buffer.concat([newest, deflateRawSync(text, { ...EFFORT, dictionary: known.at(-1) })]),
    unpack(packed) {
      const number = packed[0];
      const dictionary = number === undefined ? undefined : known[number - 1];
      if (dictionary === undefined) throw new Error(`${kind} is packed with dictionary ${number}, which is not known here`);
      return inflateRawSync(packed.subarray(1), { dictionary }).toString('utf8');
    },
  };
}
