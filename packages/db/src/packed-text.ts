import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { inflateSync } from 'fflate';

/*
 * Texts of a kilobyte that payments store are nearly the same each time: names of fields, addresses, the same ids again and again. Packed with
 * what they have in common they take a fifth. PostgreSQL compresses rows of more than 2 kB only, and each value for itself.
 */

/** Packs texts of one kind. */
export interface TextPacker {
  /** The number of the newest dictionary, then raw DEFLATE (RFC 1951). `known` is stored beside the text and repeated in it: ids of its row. */
  readonly pack: (text: string, known?: string) => Buffer<ArrayBuffer>;
  /** The text that was packed with the same `known`. Throws for anything else. */
  readonly unpack: (packed: Uint8Array, known?: string) => string;
}

/**
 * A window of 8 kB holds dictionary and text; zlib's defaults would take 268 kB of new memory for each text, which costs more than packing it.
 * Beside a dictionary of 2 kB the effort makes no difference to the time, beside one of 6 kB twice.
 */
const MEMORY = { windowBits: 13, memLevel: 4 };
const SMALL_DICTIONARY_BYTES = 3_000;
/** Texts are unpacked into this. fflate drops what it is too small for. */
const SPACE = new Uint8Array(16_384);

/**
 * A packer of texts with dictionaries, numbered from 1, of which the last packs and all unpack. A dictionary holds texts of the kind without
 * what differs, the most frequent last. A text that was packed with one can be read with the same only: it must never change, another one
 * follows it. `kind` names the texts in errors.
 */
export function createTextPacker(kind: string, dictionaries: readonly string[]): TextPacker {
  const texts = dictionaries.map((text) => Buffer.from(text));
  const newest = Buffer.of(texts.length);
  const level = (texts.at(-1)?.length ?? 0) > SMALL_DICTIONARY_BYTES ? 1 : 6;
  return {
    pack(text, known = '') {
      const dictionary = Buffer.concat([...texts.slice(-1), Buffer.from(known)]);
      return Buffer.concat([newest, deflateRawSync(text, { ...MEMORY, level, dictionary })]);
    },
    unpack(packed, known = '') {
      const common = texts[(packed[0] ?? 0) - 1];
      if (common === undefined) throw new Error(`${kind} is packed with dictionary ${packed[0]}, which is not known here`);
      const dictionary = Buffer.concat([common, Buffer.from(known)]);
      // Sets up no decompressor for each text as zlib does: 8 µs for a kilobyte in place of 18.
      const { length } = inflateSync(packed.subarray(1), { dictionary, out: SPACE });
      if (length === SPACE.length) return inflateRawSync(packed.subarray(1), { dictionary }).toString();
      return Buffer.from(SPACE.buffer, 0, length).toString();
    },
  };
}
