import zlib from 'node:zlib';

/** Stored block of raw DEFLATE that ends a text: a byte that says so, its length, and the length's complement. */
const HEADER_BYTES = 5;
const FINAL_STORED = 1;
const LENGTH_MAX = 0xff_ff;

/**
 * `node:zlib` that packs texts as they are, in a form that is raw DEFLATE too (RFC 1951, 3.2.4). Compressing them would take as long as some
 * statements together.
 */
export const storedTexts = {
  ...zlib,
  deflateRawSync(text: string): Buffer {
    const length = Buffer.byteLength(text);
    if (length > LENGTH_MAX) throw new RangeError('the model packs no texts of more than one block');
    const packed = Buffer.allocUnsafe(HEADER_BYTES + length);
    packed[0] = FINAL_STORED;
    packed.writeUInt16LE(length, 1);
    packed.writeUInt16LE(length ^ LENGTH_MAX, 3);
    packed.write(text, HEADER_BYTES);
    return packed;
  },
  inflateRawSync(packed: Uint8Array): Buffer {
    if (packed[0] !== FINAL_STORED) throw new Error('the model has no such packed text');
    return Buffer.from(packed.buffer, packed.byteOffset + HEADER_BYTES, packed.length - HEADER_BYTES);
  },
};
